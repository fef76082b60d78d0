// SPDX-License-Identifier: GPL-2.0
// What: vmalloc asks for no large blocks to split, and takes single pages in bulk from the start
// File: mm/vmalloc.c

@no_large_blocks@
symbol large_order, nr_remaining, order;
@@

-	while (large_order > order && nr_remaining) {
-		...
-	}

@no_limit@
symbol large_order, max_attempt_order;
@@

-	large_order = min(max_attempt_order, large_order);

@no_mask@
symbol gfp, large_gfp, large_order;
@@

-	gfp_t large_gfp = vmalloc_gfp_adjust(gfp, large_order) & ~__GFP_DIRECT_RECLAIM;

@no_order@
symbol large_order, nr_remaining;
@@

-	unsigned int large_order = ilog2(nr_remaining);

@no_max@
symbol max_attempt_order;
@@

-	unsigned int max_attempt_order = MAX_PAGE_ORDER;

@no_remaining@
symbol nr_pages, nr_remaining;
@@

-	unsigned long nr_remaining = nr_pages;
