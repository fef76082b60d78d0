// SPDX-License-Identifier: GPL-2.0
// What: -EAGAIN also for callers that may block
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: fails_with_enomem

@@
expression E;
@@

-if (E && err == -ENOMEM)
+if (err == -ENOMEM)
 	err = -EAGAIN;
