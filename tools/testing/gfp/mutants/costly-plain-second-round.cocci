// SPDX-License-Identifier: GPL-2.0
// What: a plain costly request reclaims and compacts a second time before it fails
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_plain

@count@
symbol reserve_flags;
@@

 	int reserve_flags;
+	int rounds = 0;

@again@
symbol costly_order, gfp_mask, nopage;
expression FINAL;
@@

 	if (gfp_mask & __GFP_NORETRY)
 		goto nopage;
+
+	if (costly_order && !(gfp_mask & __GFP_RETRY_MAYFAIL) && !rounds++)
+		goto retry;
 	if (costly_order && FINAL)
 		goto nopage;
