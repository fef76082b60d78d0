// SPDX-License-Identifier: GPL-2.0
// What: the cure forgets that __GFP_NOFAIL may not fail
// File: mm/page_alloc.c
// Base: local-flag
// Kills: nofail_noretry

@drop_exemption@
symbol can_compact, can_direct_reclaim, false;
expression CURE;
@@

-	if (CURE) {
+	if (costly_order && (gfp_mask & __GFP_NORETRY) && !(gfp_mask & __GFP_THISNODE)) {
 		can_direct_reclaim = false;
 		can_compact = false;
 	}
