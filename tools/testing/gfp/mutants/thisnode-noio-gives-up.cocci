// SPDX-License-Identifier: GPL-2.0
// What: a small __GFP_NORETRY attempt at the local node gives up without reclaim if it cannot compact
// File: mm/page_alloc.c
// Base: local-flag
// Kills: small_noretry_noio

@give_up@
symbol current, nopage;
@@

 	if (current->flags & PF_MEMALLOC)
 		goto nopage;
+
+	if (!costly_order && !can_compact && !nofail &&
+	    gfp_has_flags(gfp_mask, __GFP_NORETRY | __GFP_THISNODE))
+		goto nopage;
