// SPDX-License-Identifier: GPL-2.0
// What: __GFP_NORETRY or __GFP_THISNODE alone is enough to give up after the first compaction
// File: mm/page_alloc.c
// Base: local-flag
// Kills: small_noretry

@any_bit@
symbol gfp_mask, nopage;
@@

-	if (gfp_has_flags(gfp_mask, __GFP_NORETRY | __GFP_THISNODE))
+	if (gfp_mask & (__GFP_NORETRY | __GFP_THISNODE))
 		goto nopage;
