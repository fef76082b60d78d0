// SPDX-License-Identifier: GPL-2.0
// What: only a costly attempt at the local node gives up before it reclaims
// File: mm/page_alloc.c
// Base: local-flag
// Kills: small_noretry_thisnode

@go_on@
symbol gfp_mask, nopage;
@@

-	if (gfp_has_flags(gfp_mask, __GFP_NORETRY | __GFP_THISNODE))
+	if (costly_order && gfp_has_flags(gfp_mask, __GFP_NORETRY | __GFP_THISNODE))
 		goto nopage;
