// SPDX-License-Identifier: GPL-2.0
// What: the cure applies to movable requests only
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_noretry

@narrow@
symbol can_compact, can_direct_reclaim, false;
expression CURE;
@@

 	if (CURE) {
-		can_direct_reclaim = false;
-		can_compact = false;
+		can_direct_reclaim &= ac->migratetype != MIGRATE_MOVABLE;
+		can_compact &= ac->migratetype != MIGRATE_MOVABLE;
 	}
