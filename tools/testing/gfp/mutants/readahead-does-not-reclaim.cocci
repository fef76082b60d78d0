// SPDX-License-Identifier: GPL-2.0
// What: readahead takes what is free, at every order
// File: mm/readahead.c
// Base: local-flag
// Suite: filemap_fallback
// Kills: readahead_small_is_light

@@
expression ractl, gfp, order;
@@

 page_cache_ra_unbounded(...)
 {
 <...
-ractl_alloc_folio(ractl, gfp, order)
+ractl_alloc_folio(ractl, gfp & ~__GFP_DIRECT_RECLAIM, order)
 ...>
 }
