// SPDX-License-Identifier: GPL-2.0
// What: a small __GFP_RETRY_MAYFAIL request for one node gives up without reclaim if it cannot compact
// File: mm/page_alloc.c
// Base: local-flag
// Kills: small_mayfail_noio

@give_up@
symbol current, nopage;
@@

 	if (current->flags & PF_MEMALLOC)
 		goto nopage;
+
+	if (!costly_order && !can_compact && !nofail &&
+	    gfp_has_flags(gfp_mask, __GFP_RETRY_MAYFAIL | __GFP_THISNODE))
+		goto nopage;
