// SPDX-License-Identifier: GPL-2.0
// What: kswapd is asked and traced, and not woken
// File: mm/vmscan.c
// Base: local-flag
// Kills: nowait

@asleep@
symbol pgdat;
@@

 wakeup_kswapd(...)
 {
 	<...
-	wake_up_interruptible(&pgdat->kswapd_wait);
 	...>
 }
