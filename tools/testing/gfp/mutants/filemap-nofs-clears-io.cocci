// SPDX-License-Identifier: GPL-2.0
// What: FGP_NOFS clears __GFP_IO as well
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: min_reclaims_as_asked

@@
@@

-gfp &= ~__GFP_FS;
+gfp &= ~(__GFP_FS | __GFP_IO);
