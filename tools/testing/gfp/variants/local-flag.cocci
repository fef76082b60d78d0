// SPDX-License-Identifier: GPL-2.0
// What: costly __GFP_NORETRY only wakes kswapd; decided in local flags, the mask untouched, THISNODE and NOFAIL exempt
// File: mm/page_alloc.c

@opportunistic@
symbol can_direct_reclaim, nofail;
@@

+	/*
+	 * A costly __GFP_NORETRY request is opportunistic: its caller has a
+	 * fallback that is cheaper than making a block of this order, so leave
+	 * that to kswapd and kcompactd. The mask stays as it is, so that deeper
+	 * code does not mistake the caller for one that cannot sleep.
+	 */
+	if (costly_order && (gfp_mask & __GFP_NORETRY) && !nofail && !(gfp_mask & __GFP_THISNODE)) {
+		can_direct_reclaim = false;
+		can_compact = false;
+	}
+
 	if (unlikely(nofail)) {
 		...
 		WARN_ON_ONCE(!can_direct_reclaim);
 		...
 	}
