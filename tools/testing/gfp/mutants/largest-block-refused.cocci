// SPDX-License-Identifier: GPL-2.0
// What: __GFP_NORETRY is refused a block of the largest order that the free list has
// File: mm/page_alloc.c
// Base: local-flag
// Kills: free_list

@refuse@
symbol ac, alloc_gfp, order, out, page;
expression FLAGS, DONE;
@@

 	page = get_page_from_freelist(alloc_gfp, order, FLAGS, &ac);
+	if (page && order == MAX_PAGE_ORDER && (gfp & __GFP_NORETRY)) {
+		__free_frozen_pages(page, order, FPI_NONE);
+		page = NULL;
+		goto out;
+	}
 	if (DONE)
 		goto out;
