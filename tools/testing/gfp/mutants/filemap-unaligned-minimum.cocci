// SPDX-License-Identifier: GPL-2.0
// What: where the suggested size is not aligned, the page cache takes the smallest order
// File: mm/filemap.c
// Suite: iomap_folio
// Kills: order_follows_length

@unaligned@
symbol index, min_order, order;
@@

-	order = __ffs(index);
+	order = min_order;
