// SPDX-License-Identifier: GPL-2.0
// What: the first compaction of a costly request is synchronous
// File: mm/page_alloc.c
// Base: local-flag
// Kills: costly_plain

@sync@
symbol compact_first, compact_priority, true;
@@

 	compact_first = true;
-	compact_priority = INIT_COMPACT_PRIORITY;
+	compact_priority = costly_order ? DEF_COMPACT_PRIORITY : INIT_COMPACT_PRIORITY;
