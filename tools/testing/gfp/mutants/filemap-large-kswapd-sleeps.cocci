// SPDX-License-Identifier: GPL-2.0
// What: attempts above the minimum order do not wake kswapd
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: above_min_wakes_as_asked

@@
symbol min_order, order;
identifier alloc_gfp;
@@

 if (order > min_order)
-	alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN;
+	alloc_gfp = (alloc_gfp & ~__GFP_KSWAPD_RECLAIM) | __GFP_NORETRY | __GFP_NOWARN;
