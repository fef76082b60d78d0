// SPDX-License-Identifier: GPL-2.0
// What: the minimum order is tried at once where the index is not aligned
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: starts_at_largest

@@
symbol index, order, min_order;
@@

 if (index & ((1UL << order) - 1))
-	order = __ffs(index);
+	order = min_order;
