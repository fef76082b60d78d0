// SPDX-License-Identifier: GPL-2.0
// What: the local node's attempt at a huge page reclaims after compaction has failed
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_noretry_thisnode

@go_on@
symbol gfp_mask, nopage;
@@

-	if (gfp_has_flags(gfp_mask, __GFP_NORETRY | __GFP_THISNODE))
+	if (!costly_order && gfp_has_flags(gfp_mask, __GFP_NORETRY | __GFP_THISNODE))
 		goto nopage;
