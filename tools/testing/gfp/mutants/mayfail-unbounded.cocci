// SPDX-License-Identifier: GPL-2.0
// What: costly __GFP_RETRY_MAYFAIL retries 200 times, whether or not that helps
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_mayfail

@count@
symbol reserve_flags;
@@

 	int reserve_flags;
+	int spins = 0;

@spin@
symbol costly_order, nopage;
expression FINAL;
@@

 	if (costly_order && FINAL)
 		goto nopage;
+
+	if (costly_order && spins++ < 200)
+		goto retry;
