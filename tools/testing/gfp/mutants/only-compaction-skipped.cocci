// SPDX-License-Identifier: GPL-2.0
// What: the cure skips compaction but still reclaims
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_noretry

@keep_reclaim@
symbol can_compact, can_direct_reclaim, false;
expression CURE;
@@

 	if (CURE) {
-		can_direct_reclaim = false;
 		can_compact = false;
 	}

@skip_compaction@
symbol ac, alloc_flags, compact_priority, compact_result, gfp_mask, got_pg, order, page;
@@

-	page = __alloc_pages_direct_compact(gfp_mask, order, alloc_flags, ac, compact_priority, &compact_result);
-	if (page)
-		goto got_pg;
+	if (can_compact) {
+		page = __alloc_pages_direct_compact(gfp_mask, order, alloc_flags, ac,
+						    compact_priority, &compact_result);
+		if (page)
+			goto got_pg;
+	}
