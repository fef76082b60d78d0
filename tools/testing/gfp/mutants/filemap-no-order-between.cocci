// SPDX-License-Identifier: GPL-2.0
// What: the page cache falls back to the smallest order at once
// File: mm/filemap.c
// Suite: iomap_folio
// Kills: order_by_order_down

@between@
symbol alloc_gfp, folio, min_order, order;
expression E;
@@

 	folio = E;
-	if (!folio)
+	if (!folio && order > min_order)
+		order = min_order + 1;
+	if (!folio)
 		continue;
