// SPDX-License-Identifier: GPL-2.0
// What: vmalloc does not fall back from huge blocks to pages
// File: mm/vmalloc.c
// Suite: vmalloc_fallback
// Kills: vmalloc_falls_back

@nothing@
symbol again, align, original_align, shift;
@@

-	if (shift > PAGE_SHIFT) {
-		shift = PAGE_SHIFT;
-		align = original_align;
-		goto again;
-	}
