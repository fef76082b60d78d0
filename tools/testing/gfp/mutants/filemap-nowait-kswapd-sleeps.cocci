// SPDX-License-Identifier: GPL-2.0
// What: FGP_NOWAIT does not wake kswapd
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: nowait_clears_direct_reclaim

@@
@@

-gfp |= GFP_NOWAIT;
+gfp |= __GFP_NOWARN;
