// SPDX-License-Identifier: GPL-2.0
// What: orders below the minimum are tried
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: stays_in_range

@@
symbol min_order, order;
@@

-order-- > min_order
+order-- > 0
