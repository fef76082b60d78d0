// SPDX-License-Identifier: GPL-2.0
// What: blocks that are written in part are never zeroed around that
// File: fs/iomap/buffered-io.c
// Suite: iomap_folio
// Kills: zeroes_around_the_write

@shows@
symbol folio, from, plen, poff, to;
@@

-	folio_zero_segments(folio, poff, from, to, poff + plen);
