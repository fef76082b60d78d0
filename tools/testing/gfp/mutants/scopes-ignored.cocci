// SPDX-License-Identifier: GPL-2.0
// What: the allocator ignores memalloc_nofs_save() and memalloc_noio_save()
// File: mm/page_alloc.c
// Suite: gfp_compaction
// Kills: scope_nofs
// Kills: scope_noio

@ignored@
symbol gfp;
@@

-	gfp = current_gfp_context(gfp);
