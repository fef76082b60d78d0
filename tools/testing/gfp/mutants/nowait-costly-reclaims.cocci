// SPDX-License-Identifier: GPL-2.0
// What: a costly request without __GFP_DIRECT_RECLAIM enters reclaim and compaction
// File: mm/page_alloc.c
// Base: local-flag
// Kills: nowait

@enter@
symbol can_direct_reclaim;
@@

-	if (!can_direct_reclaim) {
+	if (!can_direct_reclaim && (!costly_order || (gfp_mask & __GFP_DIRECT_RECLAIM))) {
 		...
 	}
