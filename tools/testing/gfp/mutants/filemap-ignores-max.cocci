// SPDX-License-Identifier: GPL-2.0
// What: the mapping's maximum order is not heeded
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: starts_at_largest

@@
symbol mapping, order;
@@

-if (order > mapping_max_folio_order(mapping))
-	order = mapping_max_folio_order(mapping);
