// SPDX-License-Identifier: GPL-2.0
// What: the cure looks at __GFP_RETRY_MAYFAIL in place of __GFP_NORETRY
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_mayfail
// Kills: costly_noretry

@other_bit@
symbol can_compact, can_direct_reclaim, false;
expression CURE;
@@

-	if (CURE) {
+	if (costly_order && (gfp_mask & __GFP_RETRY_MAYFAIL) && !nofail && !(gfp_mask & __GFP_THISNODE)) {
 		can_direct_reclaim = false;
 		can_compact = false;
 	}
