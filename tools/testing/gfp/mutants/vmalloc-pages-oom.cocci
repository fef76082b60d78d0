// SPDX-License-Identifier: GPL-2.0
// What: vmalloc calls the OOM killer for callers that would rather fail
// File: mm/vmalloc.c
// Suite: vmalloc_fallback
// Kills: vmalloc_low_mayfail
// Kills: vmalloc_low_noretry

@oom@
symbol flags;
@@

-	flags |= __GFP_NOWARN;
+	flags = (flags | __GFP_NOWARN) & ~(__GFP_NORETRY | __GFP_RETRY_MAYFAIL);
 	if (large)
 		flags &= ~__GFP_NOFAIL;
