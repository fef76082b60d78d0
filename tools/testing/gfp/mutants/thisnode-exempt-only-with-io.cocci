// SPDX-License-Identifier: GPL-2.0
// What: the cure exempts the local node's attempt only where it can compact
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_noretry_thisnode_noio

@narrow@
symbol can_compact, can_direct_reclaim, false;
expression CURE;
@@

-	if (CURE) {
+	if (costly_order && (gfp_mask & __GFP_NORETRY) && !nofail && !(can_compact && (gfp_mask & __GFP_THISNODE))) {
 		can_direct_reclaim = false;
 		can_compact = false;
 	}
