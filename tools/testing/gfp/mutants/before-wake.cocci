// SPDX-License-Identifier: GPL-2.0
// What: costly __GFP_NORETRY gives up before kswapd is woken and the reserves are tried
// File: mm/page_alloc.c
// Against: local-flag
// Kills: costly_noretry

@early@
symbol ac, alloc_flags, gfp_mask, order;
@@

+	if (costly_order && (gfp_mask & __GFP_NORETRY) && !nofail && !(gfp_mask & __GFP_THISNODE))
+		goto nopage;
 	if (alloc_flags & ALLOC_KSWAPD)
 		wake_all_kswapds(order, gfp_mask, ac);
