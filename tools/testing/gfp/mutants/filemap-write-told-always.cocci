// SPDX-License-Identifier: GPL-2.0
// What: __GFP_WRITE also where nothing can be written back
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: write_is_told_of_disks_only

@@
symbol mapping;
expression E;
@@

-if (E && mapping_can_writeback(mapping))
+if (E)
 	gfp |= __GFP_WRITE;
