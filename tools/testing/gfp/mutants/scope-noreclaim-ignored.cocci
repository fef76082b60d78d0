// SPDX-License-Identifier: GPL-2.0
// What: a task that must not reclaim, in memalloc_noreclaim_save(), reclaims all the same
// File: mm/page_alloc.c
// Kills: scope_noreclaim

@ignored@
symbol current, nopage;
@@

-	if (current->flags & PF_MEMALLOC)
-		goto nopage;
