// SPDX-License-Identifier: GPL-2.0
// What: readahead tries as hard as a reader who waits
// File: mm/readahead.c
// Base: local-flag
// Suite: filemap_fallback
// Kills: readahead_costly_is_quiet

@@
expression mapping; identifier mask;
@@

 page_cache_ra_unbounded(...)
 {
 <...
-gfp_t mask = readahead_gfp_mask(mapping);
+gfp_t mask = mapping_gfp_mask(mapping) | __GFP_NOWARN;
 ...>
 }
