// SPDX-License-Identifier: GPL-2.0
// What: readahead asks for unmovable folios
// File: mm/readahead.c
// Base: local-flag
// Suite: filemap_fallback
// Kills: readahead_mask_is_the_mappings

@@
expression ractl, gfp, order;
@@

 page_cache_ra_unbounded(...)
 {
 <...
-ractl_alloc_folio(ractl, gfp, order)
+ractl_alloc_folio(ractl, gfp & ~__GFP_MOVABLE, order)
 ...>
 }
