// SPDX-License-Identifier: GPL-2.0
// What: iomap_get_folio() waits, IOMAP_NOWAIT or not
// File: fs/iomap/buffered-io.c
// Suite: iomap_folio
// Kills: nowait_large

@waits@
symbol fgp, iter, pos;
@@

 	return __filemap_get_folio(iter->inode->i_mapping, pos >> PAGE_SHIFT,
-				   fgp,
+				   fgp & ~FGP_NOWAIT,
 				   mapping_gfp_mask(iter->inode->i_mapping));
