// SPDX-License-Identifier: GPL-2.0
// What: costly __GFP_NORETRY only wakes kswapd; __GFP_DIRECT_RECLAIM is cleared in the mask, only THISNODE exempt
// File: mm/page_alloc.c

@opportunistic@
symbol can_direct_reclaim, nofail;
@@

+	/*
+	 * A costly __GFP_NORETRY request is opportunistic: from here on treat
+	 * it as if its caller could not sleep. The local node's attempt at a
+	 * huge page may still compact.
+	 */
+	if (costly_order && (gfp_mask & __GFP_NORETRY) && !(gfp_mask & __GFP_THISNODE)) {
+		gfp_mask &= ~__GFP_DIRECT_RECLAIM;
+		can_direct_reclaim = false;
+		can_compact = false;
+	}
+
 	if (unlikely(nofail)) {
 		...
 		WARN_ON_ONCE(!can_direct_reclaim);
 		...
 	}
