// SPDX-License-Identifier: GPL-2.0
// What: FGP_NOWAIT fails with -ENOMEM and not with -EAGAIN
// File: mm/filemap.c
// Kills: nowait_without_memory

@again@
symbol err, fgp_flags;
@@

 	if ((fgp_flags & FGP_NOWAIT) && err == -ENOMEM)
-		err = -EAGAIN;
+		err = -ENOMEM;
