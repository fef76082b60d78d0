// SPDX-License-Identifier: GPL-2.0
// What: the per-CPU lists are not drained when reclaim made progress and there is still no page
// File: mm/page_alloc.c
// Kills: costly_plain_drains

@drain@
symbol drained, true;
@@

-	drain_all_pages(NULL);
 	drained = true;
