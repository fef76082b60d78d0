// SPDX-License-Identifier: GPL-2.0
// What: the cure applies only where compaction is allowed: without __GFP_IO the request still reclaims
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_noretry

@narrow@
symbol can_compact, can_direct_reclaim, false;
expression CURE;
@@

 	if (CURE) {
-		can_direct_reclaim = false;
+		can_direct_reclaim &= !can_compact;
 		can_compact = false;
 	}
