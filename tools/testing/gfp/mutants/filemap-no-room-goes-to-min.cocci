// SPDX-License-Identifier: GPL-2.0
// What: where a folio has no room the minimum order is tried at once
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: neighbour_limits_the_folio

@no_room@
symbol folio, order, min_order;
expression E;
@@

 err = filemap_add_folio(E, folio, ...);
 if (!err)
 	break;
 folio_put(folio);
 folio = NULL;
+if (order > min_order)
+	order = min_order + 1;
