// SPDX-License-Identifier: GPL-2.0
// What: costly __GFP_NORETRY | __GFP_NOFAIL loops, but leaves it to others to free memory
// File: mm/page_alloc.c
// Base: local-flag
// Kills: nofail_noretry

@give_up@
symbol current, nopage;
@@

 	if (current->flags & PF_MEMALLOC)
 		goto nopage;
+
+	if (costly_order && (gfp_mask & __GFP_NORETRY) && nofail)
+		goto nopage;
