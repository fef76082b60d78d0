// SPDX-License-Identifier: GPL-2.0
// What: kswapd is woken although the mask has no __GFP_KSWAPD_RECLAIM
// File: mm/page_alloc.c
// Base: local-flag
// Kills: nowait

@wake@
symbol ac, alloc_flags, gfp_mask, order;
@@

-	if (alloc_flags & ALLOC_KSWAPD)
 		wake_all_kswapds(order, gfp_mask, ac);
