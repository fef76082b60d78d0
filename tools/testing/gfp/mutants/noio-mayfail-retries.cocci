// SPDX-License-Identifier: GPL-2.0
// What: costly __GFP_RETRY_MAYFAIL goes on for as long as reclaim makes progress, although compaction cannot run
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_noio

@no_bound@
symbol costly_order, nopage;
expression FINAL;
@@

-	if (costly_order && FINAL)
+	if (costly_order && !(gfp_mask & __GFP_RETRY_MAYFAIL))
 		goto nopage;

@retry@
symbol can_compact, did_some_progress, retry;
expression list ARGS;
@@

 	if (did_some_progress > 0 && can_compact && should_compact_retry(ARGS))
 		goto retry;
+
+	if (costly_order && did_some_progress > 0 && !can_compact)
+		goto retry;
