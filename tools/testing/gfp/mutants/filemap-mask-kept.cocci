// SPDX-License-Identifier: GPL-2.0
// What: the page cache keeps the mask of its first attempt for those that follow
// File: mm/filemap.c
// Suite: iomap_folio
// Kills: write_smallest

@kept@
symbol alloc_gfp, gfp, min_order, order;
@@

 	if (order > min_order)
-		alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN;
+		alloc_gfp = gfp |= __GFP_NORETRY | __GFP_NOWARN;
