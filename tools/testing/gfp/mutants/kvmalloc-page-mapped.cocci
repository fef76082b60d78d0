// SPDX-License-Identifier: GPL-2.0
// What: kvmalloc maps a single page instead of taking it from a slab
// File: mm/slub.c
// Suite: vmalloc_fallback
// Kills: kvmalloc_page

@mapped@
expression list[n] ARGS;
symbol ret, size, flags;
@@

-	ret = __do_kmalloc_node(ARGS);
-	if (ret || size <= PAGE_SIZE)
+	ret = size == PAGE_SIZE ? NULL : __do_kmalloc_node(ARGS);
+	if (ret || size < PAGE_SIZE)
 		return ret;
