// SPDX-License-Identifier: GPL-2.0
// What: vmalloc forgets which orders have failed as soon as a smaller one succeeds
// File: mm/vmalloc.c
// Suite: vmalloc_fallback
// Kills: vmalloc_large_orders_fall

@again@
symbol large_order, max_attempt_order;
@@

-	max_attempt_order = --large_order;
+	--large_order;
