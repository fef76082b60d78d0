// SPDX-License-Identifier: GPL-2.0
// What: a request for more than a page without __GFP_IO fails before it calls the OOM killer, unless a scope forbids it I/O
// File: mm/page_alloc.c
// Base: local-flag
// Kills: small_plain_noio

@fail@
symbol gfp_mask, order, out;
@@

 	if (gfp_mask & (__GFP_RETRY_MAYFAIL | __GFP_THISNODE))
 		goto out;
+
+	if (order && !(gfp_mask & __GFP_IO) && !(current->flags & (PF_MEMALLOC_NOIO | PF_MEMALLOC_NOFS)))
+		goto out;
