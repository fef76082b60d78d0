// SPDX-License-Identifier: GPL-2.0
// What: the local node's attempt fails after its compaction, also with __GFP_NOFAIL
// File: mm/page_alloc.c
// Base: local-flag
// Kills: nofail_noretry_thisnode

@fails@
symbol gfp_mask, nopage, fail;
@@

 	if (gfp_has_flags(gfp_mask, __GFP_NORETRY | __GFP_THISNODE))
-		goto nopage;
+		goto fail;
