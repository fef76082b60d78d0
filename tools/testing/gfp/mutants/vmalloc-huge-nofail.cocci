// SPDX-License-Identifier: GPL-2.0
// What: vmalloc insists on huge blocks although it has a fallback for them
// File: mm/vmalloc.c
// Suite: vmalloc_fallback
// Kills: vmalloc_huge_plain

@@
expression gfp, order;
@@

 vm_area_alloc_pages(
-		vmalloc_gfp_adjust(gfp, order),
+		vmalloc_gfp_adjust(gfp, order) | (gfp & __GFP_NOFAIL),
 		...)
