// SPDX-License-Identifier: GPL-2.0
// What: with __GFP_NORETRY, __GFP_THISNODE does not keep a request to its node
// File: mm/page_alloc.c
// Base: local-flag
// Suite: gfp_nodes
// Kills: node_thisnode_stays

@leaves@
symbol ac, gfp_mask, preferred_nid;
@@

-	ac->zonelist = node_zonelist(preferred_nid, gfp_mask);
+	ac->zonelist = node_zonelist(preferred_nid, gfp_mask &
+				     ~((gfp_mask & __GFP_NORETRY) ? __GFP_THISNODE : 0));
