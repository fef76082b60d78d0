// SPDX-License-Identifier: GPL-2.0
// What: costly __GFP_NORETRY does not wake kswapd
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_noretry

@wake@
symbol ac, alloc_flags, gfp_mask, order;
@@

-	if (alloc_flags & ALLOC_KSWAPD)
+	if ((alloc_flags & ALLOC_KSWAPD) && (can_direct_reclaim || !(gfp_mask & __GFP_DIRECT_RECLAIM)))
 		wake_all_kswapds(order, gfp_mask, ac);
