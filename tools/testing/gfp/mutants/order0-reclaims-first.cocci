// SPDX-License-Identifier: GPL-2.0
// What: an order-0 request reclaims before it tries the memory below the low watermark
// File: mm/page_alloc.c
// Base: local-flag
// Kills: low_order0

@reclaim@
symbol ac, alloc_flags, gfp_mask, order, page;
@@

 	if (alloc_flags & ALLOC_KSWAPD)
 		wake_all_kswapds(order, gfp_mask, ac);
+
+	if (!order && can_direct_reclaim && !(current->flags & PF_MEMALLOC))
+		__perform_reclaim(gfp_mask, order, ac);
 	page = get_page_from_freelist(gfp_mask, order, alloc_flags, ac);
