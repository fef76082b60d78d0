// SPDX-License-Identifier: GPL-2.0
// What: a costly request without __GFP_IO gives up without reclaim
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_noio

@give_up@
symbol current, nopage;
@@

 	if (current->flags & PF_MEMALLOC)
 		goto nopage;
+
+	if (costly_order && !can_compact && !nofail)
+		goto nopage;
