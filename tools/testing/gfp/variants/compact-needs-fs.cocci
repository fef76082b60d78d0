// SPDX-License-Identifier: GPL-2.0
// What: direct compaction requires __GFP_FS, as it did until 2016, instead of __GFP_IO
// File: mm/compaction.c
// File: mm/page_alloc.c
// File: mm/vmscan.c

@compaction_allowed@
expression gfp;
@@

-gfp_compaction_allowed(gfp)
+(gfp_compaction_allowed(gfp) && ((gfp) & __GFP_FS))
