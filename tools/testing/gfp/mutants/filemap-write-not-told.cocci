// SPDX-License-Identifier: GPL-2.0
// What: the allocator is not told that the folio will be written to
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: write_is_told

@@
@@

-gfp |= __GFP_WRITE;
+;
