// SPDX-License-Identifier: GPL-2.0
// What: outside of scopes, a page that the free list had costs a reclaim where no largest block is left
// File: mm/page_alloc.c
// Base: local-flag
// Kills: free_list_order0

@reclaim@
symbol ac, alloc_gfp, order, out, page;
expression FLAGS, DONE;
@@

 	page = get_page_from_freelist(alloc_gfp, order, FLAGS, &ac);
+	if (page && !order && (gfp & __GFP_DIRECT_RECLAIM) &&
+	    !(current->flags & (PF_MEMALLOC | PF_MEMALLOC_NOFS | PF_MEMALLOC_NOIO)) &&
+	    !page_zone(page)->free_area[MAX_PAGE_ORDER].nr_free)
+		__perform_reclaim(gfp, order, &ac);
 	if (DONE)
 		goto out;
