// SPDX-License-Identifier: GPL-2.0
// What: a costly __GFP_NOFAIL request fails after 16 rounds
// File: mm/page_alloc.c
// Base: local-flag
// Kills: nofail

@count@
symbol reserve_flags;
@@

 	int reserve_flags;
+	int rounds = 0;

@give_up@
symbol can_direct_reclaim, fail;
@@

 	if (!can_direct_reclaim)
 		goto fail;
+
+	if (costly_order && ++rounds > 16)
+		goto fail;
