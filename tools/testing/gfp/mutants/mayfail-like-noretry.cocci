// SPDX-License-Identifier: GPL-2.0
// What: __GFP_RETRY_MAYFAIL gets one round at low priority, as __GFP_NORETRY does
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_mayfail_movable

@low_priority@
symbol compact_priority, gfp_mask;
@@

-	if (!(gfp_mask & __GFP_NORETRY))
+	if (!(gfp_mask & (__GFP_NORETRY | __GFP_RETRY_MAYFAIL)))
 		compact_priority = DEF_COMPACT_PRIORITY;

@one_round@
symbol costly_order, gfp_mask, nopage;
expression FINAL;
@@

-	if (gfp_mask & __GFP_NORETRY)
+	if (gfp_mask & (__GFP_NORETRY | __GFP_RETRY_MAYFAIL))
 		goto nopage;
 	if (costly_order && FINAL)
 		goto nopage;
