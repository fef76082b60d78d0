/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keep kswapd and kcompactd of a node asleep while attempts are observed.
 */
#ifndef _MM_TESTS_ZONE_DAEMONS_H
#define _MM_TESTS_ZONE_DAEMONS_H

#include <linux/mmzone.h>
#include <linux/types.h>
#include <linux/wait.h>

/**
 * struct zone_daemons - kswapd and kcompactd of a node, held asleep
 * @pgdat: the node, NULL if they are not held
 * @kswapd_task: the node's kswapd
 * @kswapd: takes the wake-ups meant for kswapd
 * @kcompactd: takes the wake-ups meant for kcompactd
 * @kswapd_woken: how many it has taken for kswapd since zone_daemons_forget()
 */
struct zone_daemons {
	pg_data_t *pgdat;
	struct task_struct *kswapd_task;
	wait_queue_entry_t kswapd;
	wait_queue_entry_t kcompactd;
	unsigned int kswapd_woken;
};

int zone_daemons_hold(struct zone_daemons *daemons, pg_data_t *pgdat);
void zone_daemons_release(struct zone_daemons *daemons);
void zone_daemons_forget(struct zone_daemons *daemons);
void zone_daemons_give_up(struct zone_daemons *daemons);
bool zone_daemons_asleep(const struct zone_daemons *daemons);

#endif /* _MM_TESTS_ZONE_DAEMONS_H */
