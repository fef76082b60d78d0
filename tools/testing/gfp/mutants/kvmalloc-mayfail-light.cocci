// SPDX-License-Identifier: GPL-2.0
// What: kvmalloc does not try hard for one block though its caller prefers one
// File: mm/slub.c
// Suite: vmalloc_fallback
// Kills: kvmalloc_block_mayfail

@light@
symbol flags;
@@

-	if (!(flags & __GFP_RETRY_MAYFAIL))
-		flags &= ~__GFP_DIRECT_RECLAIM;
+	flags &= ~__GFP_DIRECT_RECLAIM;
