// SPDX-License-Identifier: GPL-2.0
// What: after a short copy into a new folio all of the range counts as up to date
// File: fs/iomap/buffered-io.c
// Suite: iomap_folio
// Kills: short_copy_ends_the_write

@valid@
symbol copied, false, folio, len;
@@

-	if (unlikely(copied < len && !folio_test_uptodate(folio)))
-		return false;
