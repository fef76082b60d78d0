// SPDX-License-Identifier: GPL-2.0
// What: vmalloc starts I/O for huge blocks, whatever its caller says
// File: mm/vmalloc.c
// Suite: vmalloc_fallback
// Kills: vmalloc_huge_noio
// Kills: vmalloc_noio

@@
expression gfp, order;
@@

 vm_area_alloc_pages(
-		vmalloc_gfp_adjust(gfp, order),
+		vmalloc_gfp_adjust(gfp, order) | (order ? __GFP_IO : 0),
 		...)
