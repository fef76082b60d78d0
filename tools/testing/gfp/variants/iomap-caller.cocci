// SPDX-License-Identifier: GPL-2.0
// What: iomap_get_folio() clears __GFP_DIRECT_RECLAIM where the order hint is costly, for all orders of the walk
// File: fs/iomap/buffered-io.c

@caller@
typedef gfp_t;
symbol fgp, index, iter, len, pos;
@@

+	gfp = mapping_gfp_mask(iter->inode->i_mapping);
+	/*
+	 * A large folio is welcome, and no reason to reclaim or to compact.
+	 */
+	if (FGF_GET_ORDER(fgp) > PAGE_ALLOC_COSTLY_ORDER)
+		gfp &= ~__GFP_DIRECT_RECLAIM;
 	return __filemap_get_folio(iter->inode->i_mapping, pos >> PAGE_SHIFT, fgp,
-				   mapping_gfp_mask(iter->inode->i_mapping)
+				   gfp
 				  );

@mask depends on caller@
typedef fgf_t, loff_t;
symbol iter, len, pos;
identifier fgp;
expression flags;
@@

 struct folio *iomap_get_folio(struct iomap_iter *iter, loff_t pos, size_t len)
 {
 	fgf_t fgp = flags;
+	gfp_t gfp;
 	...
 }
