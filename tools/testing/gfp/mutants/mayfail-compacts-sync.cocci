// SPDX-License-Identifier: GPL-2.0
// What: a costly __GFP_RETRY_MAYFAIL request compacts synchronously at once
// File: mm/page_alloc.c
// Base: local-flag
// Suite: vmalloc_fallback
// Kills: vmalloc_huge_mayfail

@sync@
symbol compact_first, compact_priority, true;
@@

 	compact_first = true;
-	compact_priority = INIT_COMPACT_PRIORITY;
+	compact_priority = (gfp_mask & __GFP_RETRY_MAYFAIL) ? DEF_COMPACT_PRIORITY : INIT_COMPACT_PRIORITY;
