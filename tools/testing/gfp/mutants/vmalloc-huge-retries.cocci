// SPDX-License-Identifier: GPL-2.0
// What: vmalloc tries again and again for huge blocks that it has a fallback for
// File: mm/vmalloc.c
// Suite: vmalloc_fallback
// Kills: vmalloc_huge_plain

@@
expression gfp, order;
@@

 vm_area_alloc_pages(
-		vmalloc_gfp_adjust(gfp, order),
+		vmalloc_gfp_adjust(gfp, order) |
+		(order && !(gfp & __GFP_NORETRY) ? __GFP_RETRY_MAYFAIL : 0),
 		...)
