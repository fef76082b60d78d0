// SPDX-License-Identifier: GPL-2.0
// What: readahead asks a second time where there is no memory
// File: mm/readahead.c
// Base: local-flag
// Suite: filemap_fallback
// Kills: readahead_asks_once

@@
expression ractl, gfp, order; identifier folio;
@@

 page_cache_ra_unbounded(...)
 {
 <...
 folio = ractl_alloc_folio(ractl, gfp, order);
+if (!folio)
+	folio = ractl_alloc_folio(ractl, gfp, order);
 ...>
 }
