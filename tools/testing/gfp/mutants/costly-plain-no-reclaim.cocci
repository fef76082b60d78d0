// SPDX-License-Identifier: GPL-2.0
// What: a plain costly request gives up after the first compaction, without reclaim
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_plain

@give_up@
symbol gfp_mask, nopage;
@@

 	if (gfp_has_flags(gfp_mask, __GFP_NORETRY | __GFP_THISNODE))
 		goto nopage;
+
+	if (costly_order && !nofail && !(gfp_mask & (__GFP_NORETRY | __GFP_RETRY_MAYFAIL)))
+		goto nopage;
