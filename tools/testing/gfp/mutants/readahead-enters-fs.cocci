// SPDX-License-Identifier: GPL-2.0
// What: readahead may enter the file system to reclaim
// File: mm/readahead.c
// Base: local-flag
// Suite: filemap_fallback
// Kills: readahead_backs_off

@@
identifier nofs;
@@

 page_cache_ra_unbounded(...)
 {
 <...
-unsigned int nofs = memalloc_nofs_save();
+unsigned int nofs = 0;
 ...>
 }
