// SPDX-License-Identifier: GPL-2.0
// What: costly __GFP_NORETRY wakes kcompactd although the mask has no __GFP_KSWAPD_RECLAIM
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_noretry

@wake@
symbol can_direct_reclaim;
@@

 	if (!can_direct_reclaim) {
+		if (costly_order && (gfp_mask & __GFP_DIRECT_RECLAIM))
+			wakeup_kcompactd(zonelist_zone(ac->preferred_zoneref)->zone_pgdat,
+					 order, ac->highest_zoneidx);
 		...
 	}
