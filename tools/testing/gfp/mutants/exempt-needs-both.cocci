// SPDX-License-Identifier: GPL-2.0
// What: the cure exempts only a mask that has both __GFP_THISNODE and __GFP_NOFAIL
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_noretry_thisnode
// Kills: nofail_noretry

@widen@
symbol can_compact, can_direct_reclaim, false;
expression CURE;
@@

-	if (CURE) {
+	if (costly_order && (gfp_mask & __GFP_NORETRY) && !(nofail && (gfp_mask & __GFP_THISNODE))) {
 		can_direct_reclaim = false;
 		can_compact = false;
 	}
