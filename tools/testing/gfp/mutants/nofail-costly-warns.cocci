// SPDX-License-Identifier: GPL-2.0
// What: __GFP_NOFAIL above order 1 warns
// File: mm/page_alloc.c
// Base: local-flag
// Kills: nofail

@warn@
symbol can_direct_reclaim, nofail;
@@

 	if (unlikely(nofail)) {
+		WARN_ON_ONCE(order > 1);
 		WARN_ON_ONCE(!can_direct_reclaim);
 		...
 	}
