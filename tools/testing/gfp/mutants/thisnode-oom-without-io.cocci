// SPDX-License-Identifier: GPL-2.0
// What: the OOM killer is called for one node, if the request cannot start I/O itself
// File: mm/page_alloc.c
// Base: local-flag
// Kills: small_plain_thisnode_noio

@oom@
symbol gfp_mask, out;
@@

-	if (gfp_mask & (__GFP_RETRY_MAYFAIL | __GFP_THISNODE))
+	if ((gfp_mask & __GFP_RETRY_MAYFAIL) || gfp_has_flags(gfp_mask, __GFP_THISNODE | __GFP_IO))
 		goto out;
