// SPDX-License-Identifier: GPL-2.0
// What: iomap_get_folio() suggests no size
// File: fs/iomap/buffered-io.c
// Suite: iomap_folio
// Kills: order_follows_length

@hint@
symbol fgp, iter, pos;
@@

 	return __filemap_get_folio(iter->inode->i_mapping, pos >> PAGE_SHIFT,
-				   fgp,
+				   FGP_WRITEBEGIN | (fgp & (FGP_NOFS | FGP_NOWAIT | FGP_DONTCACHE)),
 				   mapping_gfp_mask(iter->inode->i_mapping));
