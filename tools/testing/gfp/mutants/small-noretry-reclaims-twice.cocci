// SPDX-License-Identifier: GPL-2.0
// What: __GFP_NORETRY of an order that is not costly reclaims twice
// File: mm/page_alloc.c
// Base: local-flag
// Kills: small_noretry

@twice@
symbol ac, alloc_flags, compact_first, did_some_progress, gfp_mask, got_pg, order, page;
@@

 	if (!compact_first) {
 		page = __alloc_pages_direct_reclaim(gfp_mask, order, alloc_flags, ac, &did_some_progress);
+		if (!page && !costly_order && (gfp_mask & __GFP_NORETRY))
+			page = __alloc_pages_direct_reclaim(gfp_mask, order, alloc_flags, ac, &did_some_progress);
 		if (page)
 			goto got_pg;
 	}
