// SPDX-License-Identifier: GPL-2.0
// What: vmalloc reclaims and compacts for the large blocks that it only would like
// File: mm/vmalloc.c
// Suite: vmalloc_fallback
// Kills: vmalloc_large_orders
// Kills: vmalloc_quiet

@large@
symbol gfp, large_gfp, large_order;
@@

-	gfp_t large_gfp = vmalloc_gfp_adjust(gfp, large_order) & ~__GFP_DIRECT_RECLAIM;
+	gfp_t large_gfp = vmalloc_gfp_adjust(gfp, large_order);
