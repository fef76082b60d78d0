// SPDX-License-Identifier: GPL-2.0
// What: without __GFP_DIRECT_RECLAIM at the minimum order, too
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: min_reclaims_as_asked

@@
symbol min_order, order;
identifier alloc_gfp;
@@

 if (order > min_order)
 	alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN;
+else
+	alloc_gfp &= ~__GFP_DIRECT_RECLAIM;
