// SPDX-License-Identifier: GPL-2.0
// What: a pageblock of which nothing could be migrated is looked at again and again
// File: mm/compaction.c
// Kills: costly_mayfail_movable_nofs costly_plain costly_mayfail

@again@
identifier f = isolate_migratepages;
expression cc, low, end, mode;
@@

 f(...)
 {
 	<...
-	if (isolate_migratepages_block(cc, low, end, mode))
-		return ISOLATE_ABORT;
+	for (int times = 0; times < 100; times++) {
+		if (isolate_migratepages_block(cc, low, end, mode))
+			return ISOLATE_ABORT;
+		if (cc->nr_migratepages)
+			break;
+	}
 	...>
 }
