// SPDX-License-Identifier: GPL-2.0
// What: FGP_ACCESSED does not mark a new folio
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: marks_as_asked

@@
symbol folio;
@@

-__folio_set_referenced(folio);
+;
