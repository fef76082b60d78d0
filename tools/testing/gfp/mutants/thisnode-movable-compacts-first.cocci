// SPDX-License-Identifier: GPL-2.0
// What: the local node's attempt compacts first, and no more, also where it is small and movable
// File: mm/page_alloc.c
// Base: local-flag
// Kills: small_noretry_movable

@first@
symbol ac, can_compact, compact_first, order, true;
@@

-	if (can_compact && (costly_order || (order > 0 && ac->migratetype != MIGRATE_MOVABLE))) {
+	if (can_compact && (costly_order || (order > 0 &&
+			(ac->migratetype != MIGRATE_MOVABLE ||
+			 gfp_has_flags(gfp_mask, __GFP_NORETRY | __GFP_THISNODE))))) {
 		compact_first = true;
 		...
 	}
