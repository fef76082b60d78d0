// SPDX-License-Identifier: GPL-2.0
// What: the page cache's attempts above the smallest order may warn
// File: mm/filemap.c
// Kills: write_small

@warns@
symbol alloc_gfp, min_order, order;
@@

 	if (order > min_order)
-		alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN;
+		alloc_gfp |= __GFP_NORETRY;
