// SPDX-License-Identifier: GPL-2.0
// What: what the first attempt adds to the mask stays there for the last one
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: min_keeps_the_mask

@@
symbol min_order, order;
identifier alloc_gfp;
@@

 if (order > min_order)
-	alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN;
+	alloc_gfp = gfp |= __GFP_NORETRY | __GFP_NOWARN;
