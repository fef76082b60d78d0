// SPDX-License-Identifier: GPL-2.0
// What: FGP_NOWAIT leaves __GFP_IO and __GFP_FS in the mask
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: nowait_clears_direct_reclaim

@@
@@

-gfp &= ~GFP_KERNEL;
+gfp &= ~__GFP_DIRECT_RECLAIM;
