// SPDX-License-Identifier: GPL-2.0
// What: vmalloc reclaims for callers that cannot wait
// File: mm/vmalloc.c
// Suite: vmalloc_fallback
// Kills: vmalloc_nowait

@reclaim@
symbol gfp_mask;
@@

-	gfp_mask |= __GFP_HIGHMEM;
+	gfp_mask |= __GFP_HIGHMEM | __GFP_DIRECT_RECLAIM;
