// SPDX-License-Identifier: GPL-2.0
// What: a write keeps a reference to each folio
// File: fs/iomap/buffered-io.c
// Suite: iomap_folio
// Kills: write_is_complete

@leaks@
expression ops;
symbol folio;
@@

 	if (ops && ops->put_folio) {
 		...
 	} else {
 		folio_unlock(folio);
-		folio_put(folio);
 	}
