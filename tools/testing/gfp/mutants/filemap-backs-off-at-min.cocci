// SPDX-License-Identifier: GPL-2.0
// What: the minimum order too is asked for with __GFP_NORETRY | __GFP_NOWARN
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: min_keeps_the_mask

@@
symbol min_order, order;
identifier alloc_gfp;
@@

-if (order > min_order)
+if (order >= min_order)
 	alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN;
