// SPDX-License-Identifier: GPL-2.0
// What: vmalloc does not insist on pages that must not fail
// File: mm/vmalloc.c
// Suite: vmalloc_fallback
// Kills: vmalloc_nofail

@@
expression gfp;
@@

 	if (!(gfp & __GFP_NOFAIL) && fatal_signal_pending(current))
 		break;
+
+	if (gfp & __GFP_NOFAIL)
+		gfp = (gfp & ~__GFP_NOFAIL) | __GFP_NORETRY;
