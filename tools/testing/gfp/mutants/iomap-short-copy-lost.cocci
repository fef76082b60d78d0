// SPDX-License-Identifier: GPL-2.0
// What: the bytes of a short copy are not copied again
// File: fs/iomap/buffered-io.c
// Suite: iomap_folio
// Kills: short_copy_is_made_again

@lost@
symbol copied, i;
@@

-	iov_iter_revert(i, copied);
