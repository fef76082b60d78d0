// SPDX-License-Identifier: GPL-2.0
// What: the OOM killer is called for one node, if the request may start I/O
// File: mm/page_alloc.c
// Base: local-flag
// Kills: small_plain_thisnode

@oom@
symbol gfp_mask, out;
@@

-	if (gfp_mask & (__GFP_RETRY_MAYFAIL | __GFP_THISNODE))
+	if ((gfp_mask & __GFP_RETRY_MAYFAIL) || (gfp_mask & (__GFP_THISNODE | __GFP_IO)) == __GFP_THISNODE)
 		goto out;
