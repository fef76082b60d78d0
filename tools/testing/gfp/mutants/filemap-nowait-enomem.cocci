// SPDX-License-Identifier: GPL-2.0
// What: -ENOMEM where FGP_NOWAIT finds no memory
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: nowait_fails_with_eagain

@@
expression E;
@@

-if (E && err == -ENOMEM)
-	err = -EAGAIN;
