// SPDX-License-Identifier: GPL-2.0
// What: vmalloc allocates outside of its caller's scope
// File: mm/vmalloc.c
// Suite: vmalloc_fallback
// Kills: vmalloc_nofs_scope
// Kills: vmalloc_noio_scope

@@
identifier area, gfp_mask, nofail;
@@

 __vmalloc_area_node(struct vm_struct *area, gfp_t gfp_mask, ...)
 {
 ...
 bool nofail = gfp_mask & __GFP_NOFAIL;
 ...
+current->flags &= ~(PF_MEMALLOC_NOFS | PF_MEMALLOC_NOIO);
 if (!gfpflags_allow_blocking(gfp_mask))
 	nofail = false;
 ...
 }
