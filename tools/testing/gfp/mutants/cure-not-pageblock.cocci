// SPDX-License-Identifier: GPL-2.0
// What: the cure leaves out the orders of a whole pageblock and above
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_noretry

@upper_bound@
symbol can_compact, can_direct_reclaim, false;
expression CURE;
@@

 	if (CURE) {
-		can_direct_reclaim = false;
-		can_compact = false;
+		can_direct_reclaim &= order >= pageblock_order;
+		can_compact &= order >= pageblock_order;
 	}
