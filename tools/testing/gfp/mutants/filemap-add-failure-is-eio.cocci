// SPDX-License-Identifier: GPL-2.0
// What: a folio that cannot be added for lack of memory is an I/O error
// File: mm/filemap.c
// Suite: filemap_fallback
// Kills: missing_nodes_fail_at_the_minimum

@@
identifier folio, err;
@@

 err = filemap_add_folio(...);
 if (!err)
 	break;
 folio_put(folio);
+if (err == -ENOMEM)
+	err = -EIO;
 folio = NULL;
