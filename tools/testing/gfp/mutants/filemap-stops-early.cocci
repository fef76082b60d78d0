// SPDX-License-Identifier: GPL-2.0
// What: the minimum order is not tried
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: ends_with_first_folio

@@
symbol min_order, order;
@@

-order-- > min_order
+order-- > min_order + 1
