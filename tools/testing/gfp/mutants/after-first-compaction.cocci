// SPDX-License-Identifier: GPL-2.0
// What: costly __GFP_NORETRY gives up only after a compaction
// File: mm/page_alloc.c
// Against: local-flag
// Kills: costly_noretry

@late@
symbol compact_first, gfp_mask, nopage;
@@

 	if (compact_first) {
-		if (gfp_has_flags(gfp_mask, __GFP_NORETRY | __GFP_THISNODE))
+		if ((gfp_mask & __GFP_NORETRY) && ((gfp_mask & __GFP_THISNODE) || (costly_order && !nofail)))
 			goto nopage;
 		...
 	}
