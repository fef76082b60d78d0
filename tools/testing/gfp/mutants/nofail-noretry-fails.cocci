// SPDX-License-Identifier: GPL-2.0
// What: __GFP_NOFAIL fails where __GFP_NORETRY is set too
// File: mm/page_alloc.c
// Base: local-flag
// Kills: nofail_noretry

@give_up@
symbol can_direct_reclaim, fail, gfp_mask;
@@

 	if (!can_direct_reclaim)
 		goto fail;
+
+	if (gfp_has_flags(gfp_mask, __GFP_IO | __GFP_NORETRY) && !(gfp_mask & __GFP_THISNODE))
+		goto fail;
