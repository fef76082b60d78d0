// SPDX-License-Identifier: GPL-2.0
// What: vmalloc takes only free pages, and fails where there are few
// File: mm/vmalloc.c
// Suite: vmalloc_fallback
// Kills: vmalloc_low

@@
expression gfp;
symbol order;
@@

 	if (!(gfp & __GFP_NOFAIL) && fatal_signal_pending(current))
 		break;
+
+	if (!order && !(gfp & __GFP_NOFAIL))
+		gfp &= ~__GFP_DIRECT_RECLAIM;
