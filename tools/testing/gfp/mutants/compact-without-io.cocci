// SPDX-License-Identifier: GPL-2.0
// What: compaction is entered without __GFP_IO
// File: mm/compaction.c
// Base: local-flag
// Kills: costly_noio

@allow@
symbol gfp_mask;
@@

 try_to_compact_pages(...)
 {
 	...
-	if (!gfp_compaction_allowed(gfp_mask))
-		return COMPACT_SKIPPED;
 	...
 }
