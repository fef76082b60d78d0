// SPDX-License-Identifier: GPL-2.0
// What: the allocator ignores memalloc_nofs_save() and memalloc_noio_save()
// File: mm/page_alloc.c
// Suite: vmalloc_fallback
// Kills: vmalloc_nofs_scope
// Kills: vmalloc_noio_scope

@ignored@
symbol gfp;
@@

-	gfp = current_gfp_context(gfp);
