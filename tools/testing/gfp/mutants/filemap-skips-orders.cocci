// SPDX-License-Identifier: GPL-2.0
// What: every other order is left out
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: goes_down_by_one

@@
symbol min_order, order;
@@

-order-- > min_order
+order > min_order && (order -= order > min_order + 1 ? 2 : 1, true)
