// SPDX-License-Identifier: GPL-2.0
// What: the cure applies to every order above 0
// File: mm/page_alloc.c
// Base: local-flag
// Kills: small_noretry

@lower_bound@
symbol can_compact, can_direct_reclaim, false;
expression CURE;
@@

-	if (CURE) {
+	if (order > 0 && (gfp_mask & __GFP_NORETRY) && !nofail && !(gfp_mask & __GFP_THISNODE)) {
 		can_direct_reclaim = false;
 		can_compact = false;
 	}
