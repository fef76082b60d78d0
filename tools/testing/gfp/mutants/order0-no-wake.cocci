// SPDX-License-Identifier: GPL-2.0
// What: an order-0 request does not wake kswapd
// File: mm/page_alloc.c
// Base: local-flag
// Kills: low_order0

@wake@
symbol ac, alloc_flags, gfp_mask, order;
@@

-	if (alloc_flags & ALLOC_KSWAPD)
+	if ((alloc_flags & ALLOC_KSWAPD) && order)
 		wake_all_kswapds(order, gfp_mask, ac);
