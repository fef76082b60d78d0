// SPDX-License-Identifier: GPL-2.0
// What: no smaller folio is tried where one could not be added for lack of memory
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: missing_nodes_limit_the_folio

@@
identifier folio, err;
@@

 err = filemap_add_folio(...);
 if (!err)
 	break;
 folio_put(folio);
+if (err == -ENOMEM)
+	return ERR_PTR(err);
 folio = NULL;
