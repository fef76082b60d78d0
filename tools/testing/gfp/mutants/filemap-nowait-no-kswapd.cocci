// SPDX-License-Identifier: GPL-2.0
// What: with FGP_NOWAIT the page cache does not wake kswapd either
// File: mm/filemap.c
// Suite: iomap_folio
// Kills: nowait_large

@nowait@
symbol gfp;
@@

 	gfp &= ~GFP_KERNEL;
-	gfp |= GFP_NOWAIT;
+	gfp |= __GFP_NOWARN;
