// SPDX-License-Identifier: GPL-2.0
// What: iomap_get_folio() knows nothing of IOMAP_DONTCACHE
// File: fs/iomap/buffered-io.c
// Suite: iomap_folio
// Kills: dontcache_is_marked

@caches@
symbol fgp, iter, pos;
@@

 	return __filemap_get_folio(iter->inode->i_mapping, pos >> PAGE_SHIFT,
-				   fgp,
+				   fgp & ~FGP_DONTCACHE,
 				   mapping_gfp_mask(iter->inode->i_mapping));
