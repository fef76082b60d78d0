// SPDX-License-Identifier: GPL-2.0
// What: attempts above the minimum order never enter the file system
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: fs_is_the_callers

@@
symbol min_order, order;
identifier alloc_gfp;
@@

 if (order > min_order)
-	alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN;
+	alloc_gfp = (alloc_gfp & ~__GFP_FS) | __GFP_NORETRY | __GFP_NOWARN;
