// SPDX-License-Identifier: GPL-2.0
// What: attempts above the minimum order may not use reserves, whatever the caller says
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: other_bits_are_the_callers

@@
symbol min_order, order;
identifier alloc_gfp;
@@

 if (order > min_order)
-	alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN;
+	alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN | __GFP_NOMEMALLOC;
