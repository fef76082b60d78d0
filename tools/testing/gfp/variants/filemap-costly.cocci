// SPDX-License-Identifier: GPL-2.0
// What: __filemap_get_folio() clears __GFP_DIRECT_RECLAIM for costly orders above the mapping's minimum, smaller ones keep __GFP_NORETRY
// File: mm/filemap.c

@ladder@
symbol min_order, order;
identifier alloc_gfp;
@@

-if (order > min_order)
-	alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN;
+if (order > min_order) {
+	alloc_gfp |= __GFP_NOWARN;
+	if (order > PAGE_ALLOC_COSTLY_ORDER)
+		alloc_gfp &= ~__GFP_DIRECT_RECLAIM;
+	else
+		alloc_gfp |= __GFP_NORETRY;
+}
