// SPDX-License-Identifier: GPL-2.0
// What: where its page boosts the watermark, __GFP_NOFAIL wakes kswapd without __GFP_KSWAPD_RECLAIM
// File: mm/page_alloc.c
// Base: local-flag
// Kills: free_list_order0

@boost@
symbol alloc_flags, gfp_mask, defrag_mode;
@@

 alloc_flags_nofragment(...)
 {
 	...
+	if (gfp_mask & __GFP_NOFAIL)
+		alloc_flags |= ALLOC_KSWAPD;
 	if (defrag_mode) {
 		...
 	}
 	...
 }
