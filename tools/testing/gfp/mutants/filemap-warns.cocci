// SPDX-License-Identifier: GPL-2.0
// What: attempts above the minimum order may warn
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: above_min_backs_off

@@
symbol min_order, order;
identifier alloc_gfp;
@@

 if (order > min_order)
-	alloc_gfp |= __GFP_NORETRY | __GFP_NOWARN;
+	alloc_gfp |= __GFP_NORETRY;
