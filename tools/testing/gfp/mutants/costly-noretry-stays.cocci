// SPDX-License-Identifier: GPL-2.0
// What: a costly __GFP_NORETRY request looks at its own node only
// File: mm/page_alloc.c
// Base: local-flag
// Suite: gfp_nodes
// Kills: node_next_door_serves

@stays@
symbol ac, alloc_flags, gfp_mask, order, zone;
@@

 get_page_from_freelist(...)
 {
 	<...
+	if (order > PAGE_ALLOC_COSTLY_ORDER && (gfp_mask & __GFP_NORETRY) &&
+	    zone_to_nid(zone) != zonelist_node_idx(ac->preferred_zoneref))
+		continue;
 	cond_accept_memory(zone, order, alloc_flags);
 	...>
 }
