// SPDX-License-Identifier: GPL-2.0
// What: a request that is not costly returns NULL after one round in place of retrying
// File: mm/page_alloc.c
// Base: local-flag
// Kills: small_plain

@give_up@
symbol costly_order, nopage;
expression FINAL;
@@

 	if (costly_order && FINAL)
 		goto nopage;
+
+	if (!costly_order && !nofail && !(gfp_mask & __GFP_RETRY_MAYFAIL))
+		goto nopage;
