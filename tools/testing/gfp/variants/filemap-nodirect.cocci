// SPDX-License-Identifier: GPL-2.0
// What: __filemap_get_folio() clears __GFP_DIRECT_RECLAIM above the mapping's minimum order, instead of adding __GFP_NORETRY
// File: mm/filemap.c

@ladder@
symbol min_order, order;
identifier alloc_gfp;
@@

 if (order > min_order)
-	alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN;
+	alloc_gfp = (alloc_gfp & ~__GFP_DIRECT_RECLAIM) | __GFP_NOWARN;
