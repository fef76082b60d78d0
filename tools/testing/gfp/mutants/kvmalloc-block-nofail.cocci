// SPDX-License-Identifier: GPL-2.0
// What: kvmalloc asks for one block with __GFP_NOFAIL and nothing to do about it
// File: mm/slub.c
// Suite: vmalloc_fallback
// Kills: kvmalloc_block_quiet

@nofail@
symbol flags;
@@

-	flags &= ~__GFP_NOFAIL;
