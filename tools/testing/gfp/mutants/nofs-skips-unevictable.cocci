// SPDX-License-Identifier: GPL-2.0
// What: for movable pages without __GFP_FS, costly compaction skips zones with unevictable pages, for ever
// File: mm/compaction.c
// Base: local-flag
// Kills: costly_mayfail_movable_nofs

@skip@
symbol capc, gfp_mask, order, zone;
@@

 try_to_compact_pages(...)
 {
 	<...
+	if (order > PAGE_ALLOC_COSTLY_ORDER && (gfp_mask & __GFP_MOVABLE) && !(gfp_mask & __GFP_FS) &&
+	    zone_page_state_snapshot(zone, NR_ZONE_UNEVICTABLE) > SWAP_CLUSTER_MAX)
+		continue;
 	WRITE_ONCE(capc->zone, zone);
 	...>
 }
