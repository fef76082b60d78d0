// SPDX-License-Identifier: GPL-2.0
// What: FGP_FOR_MMAP returns a new folio locked
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: locks_as_asked

@@
symbol folio;
expression E;
@@

-if (folio && E)
-	folio_unlock(folio);
