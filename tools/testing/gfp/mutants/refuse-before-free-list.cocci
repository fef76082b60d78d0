// SPDX-License-Identifier: GPL-2.0
// What: costly __GFP_NORETRY is refused before the free list is looked at
// File: mm/page_alloc.c
// Base: local-flag
// Kills: free_list

@refuse@
symbol ac, alloc_gfp, order, out, page;
expression FLAGS, DONE;
@@

+	if (order > PAGE_ALLOC_COSTLY_ORDER && (gfp & __GFP_NORETRY)) {
+		page = NULL;
+		if (!(gfp & (__GFP_THISNODE | __GFP_NOFAIL)))
+			goto out;
+	}
 	page = get_page_from_freelist(alloc_gfp, order, FLAGS, &ac);
 	if (DONE)
 		goto out;
