// SPDX-License-Identifier: GPL-2.0
// What: the page cache does not reclaim for any order above the smallest
// File: mm/filemap.c
// Suite: iomap_folio
// Kills: write_small

@nodirect@
symbol alloc_gfp, min_order, order;
@@

-	if (order > min_order)
+	if (order > min_order) {
+		alloc_gfp &= ~__GFP_DIRECT_RECLAIM;
 		alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN;
+	}
