// SPDX-License-Identifier: GPL-2.0
// What: costly __GFP_NORETRY drains the per-CPU lists before it gives up
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_noretry

@drain@
symbol can_direct_reclaim;
@@

 	if (!can_direct_reclaim) {
+		if (costly_order && (gfp_mask & __GFP_DIRECT_RECLAIM))
+			drain_all_pages(NULL);
 		...
 	}
