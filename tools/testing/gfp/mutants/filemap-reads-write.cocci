// SPDX-License-Identifier: GPL-2.0
// What: __GFP_WRITE also for reads
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: read_is_not_write

@@
symbol mapping;
expression E;
@@

-if (E && mapping_can_writeback(mapping))
+if (mapping_can_writeback(mapping))
 	gfp |= __GFP_WRITE;
