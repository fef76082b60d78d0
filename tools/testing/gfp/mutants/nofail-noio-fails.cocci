// SPDX-License-Identifier: GPL-2.0
// What: __GFP_NOFAIL fails where compaction is not allowed
// File: mm/page_alloc.c
// Base: local-flag
// Kills: nofail_noio

@give_up@
symbol can_direct_reclaim, fail;
@@

-	if (!can_direct_reclaim)
+	if (!can_compact)
 		goto fail;
