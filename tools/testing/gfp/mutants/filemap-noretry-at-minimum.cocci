// SPDX-License-Identifier: GPL-2.0
// What: the page cache's last attempt, at the smallest order, is __GFP_NORETRY too
// File: mm/filemap.c
// Suite: iomap_folio
// Kills: write_smallest

@minimum@
symbol alloc_gfp, min_order, order;
@@

-	if (order > min_order)
+	if (order >= min_order)
 		alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN;
