// SPDX-License-Identifier: GPL-2.0
// What: the page cache asks for costly orders without __GFP_NORETRY
// File: mm/filemap.c
// Base: local-flag
// Suite: iomap_folio
// Kills: write_costly

@plain@
symbol alloc_gfp, min_order, order;
@@

 	if (order > min_order)
-		alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN;
+		alloc_gfp |= order > PAGE_ALLOC_COSTLY_ORDER ? __GFP_NOWARN : __GFP_NORETRY | __GFP_NOWARN;
