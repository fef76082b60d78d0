// SPDX-License-Identifier: GPL-2.0
// What: the OOM killer is called for __GFP_RETRY_MAYFAIL
// File: mm/page_alloc.c
// Base: local-flag
// Kills: small_mayfail

@oom@
symbol gfp_mask, out;
@@

-	if (gfp_mask & (__GFP_RETRY_MAYFAIL | __GFP_THISNODE))
+	if (gfp_mask & __GFP_THISNODE)
 		goto out;
