// SPDX-License-Identifier: GPL-2.0
// What: -EEXIST where another task has added a folio meanwhile
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: racing_folio_is_found

@race@
symbol err, repeat;
@@

-if (err == -EEXIST)
-	goto repeat;
 if (err) {
 	...
 }
