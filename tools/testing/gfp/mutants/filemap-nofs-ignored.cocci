// SPDX-License-Identifier: GPL-2.0
// What: FGP_NOFS leaves __GFP_FS in the mask
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: nofs_clears_fs

@@
@@

-gfp &= ~__GFP_FS;
+;
