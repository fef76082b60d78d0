// SPDX-License-Identifier: GPL-2.0
// What: vmalloc asks for pages as if its caller could recurse into filesystems
// File: mm/vmalloc.c
// Suite: vmalloc_fallback
// Kills: vmalloc_nofs

@lost@
symbol gfp_mask;
@@

-	gfp_mask |= __GFP_HIGHMEM;
+	gfp_mask |= __GFP_HIGHMEM | ((gfp_mask & __GFP_IO) ? __GFP_FS : 0);
