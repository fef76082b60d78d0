// SPDX-License-Identifier: GPL-2.0
// What: compaction for a whole movable pageblock skips zones with unevictable pages, for ever
// File: mm/compaction.c
// Base: local-flag
// Kills: costly_mayfail_movable_largest

@skip@
symbol capc, gfp_mask, order, zone;
@@

 try_to_compact_pages(...)
 {
 	<...
+	if (order >= pageblock_order && gfp_has_flags(gfp_mask, __GFP_MOVABLE | __GFP_FS) &&
+	    zone_page_state_snapshot(zone, NR_ZONE_UNEVICTABLE) > SWAP_CLUSTER_MAX)
+		continue;
 	WRITE_ONCE(capc->zone, zone);
 	...>
 }
