// SPDX-License-Identifier: GPL-2.0
// What: the cure also takes compaction from the local node's attempt at a huge page
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_noretry_thisnode

@drop_exemption@
symbol can_compact, can_direct_reclaim, false;
expression CURE;
@@

-	if (CURE) {
+	if (costly_order && (gfp_mask & __GFP_NORETRY) && !nofail) {
 		can_direct_reclaim = false;
 		can_compact = false;
 	}
