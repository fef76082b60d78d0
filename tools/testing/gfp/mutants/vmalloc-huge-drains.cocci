// SPDX-License-Identifier: GPL-2.0
// What: vmalloc drains its CPU's page lists when it has huge blocks
// File: mm/vmalloc.c
// Base: local-flag
// Suite: vmalloc_fallback
// Kills: vmalloc_intact

@drain@
identifier flags;
symbol gfp_mask, page_order;
@@

+	if (page_order)
+		drain_local_pages(NULL);
 	flags = memalloc_apply_gfp_scope(gfp_mask);
