// SPDX-License-Identifier: GPL-2.0
// What: costly __GFP_NORETRY wakes kcompactd on the preferred node and gives up; nothing is exempt
// File: mm/page_alloc.c
// Optional: in_retry_loop
// Optional: before_retry_loop

// 7.x: the first compaction is a round of the retry loop.
@in_retry_loop@
symbol ac, alloc_start_time, current, gfp_mask, nopage, order;
@@

 	if (current->flags & PF_MEMALLOC)
 		goto nopage;
+
+	/*
+	 * A costly __GFP_NORETRY request has a fallback: leave compaction to
+	 * the background, for those who come later.
+	 */
+	if (costly_order && (gfp_mask & __GFP_NORETRY)) {
+		if (gfp_mask & __GFP_KSWAPD_RECLAIM)
+			wakeup_kcompactd(zonelist_zone(ac->preferred_zoneref)->zone_pgdat,
+					 order, ac->highest_zoneidx);
+		goto nopage;
+	}
 	check_alloc_stall_warn(gfp_mask, ac->nodemask, order, alloc_start_time);

// 6.12: the first compaction comes ahead of the retry loop.
@before_retry_loop depends on !in_retry_loop@
symbol can_compact, can_direct_reclaim, costly_order, gfp_mask, got_pg, page;
@@

 	if (page)
 		goto got_pg;
+
+	/*
+	 * A costly __GFP_NORETRY request has a fallback: leave compaction to
+	 * the background, for those who come later.
+	 */
+	if (can_direct_reclaim && costly_order && (gfp_mask & __GFP_NORETRY)) {
+		if (gfp_mask & __GFP_KSWAPD_RECLAIM)
+			wakeup_kcompactd(zonelist_zone(ac->preferred_zoneref)->zone_pgdat,
+					 order, ac->highest_zoneidx);
+		goto nopage;
+	}
 	if (can_direct_reclaim && can_compact && (costly_order || ...) && !gfp_pfmemalloc_allowed(gfp_mask)) {
 		...
 	}
