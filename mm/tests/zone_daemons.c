// SPDX-License-Identifier: GPL-2.0
/*
 * Hold kswapd and kcompactd asleep.
 *
 * A sleeping kswapd can be woken, and be seen to be woken, only if it sleeps;
 * a woken one changes the zone that the next attempt should meet.  An exclusive
 * entry at the head of each daemon's wait queue takes the wake-up: the
 * allocator finds a sleeper, traces the wake-up and wakes it, and the daemon
 * behind that entry sleeps on.
 */
#include <linux/container_of.h>
#include <linux/delay.h>
#include <linux/export.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "gfp_test_compat.h"
#include "zone_daemons.h"

/* As in mm/internal.h: kswapd gives up after so many vain runs. */
#define MAX_RECLAIM_RETRIES	16

/* 20 ms each: five seconds for a daemon to finish what it is at. */
#define ZONE_DAEMONS_PATIENCE	250

static int take_wakeup(wait_queue_entry_t *entry, unsigned int mode, int flags,
		       void *key)
{
	return 1;
}

/* Under the lock of the queue. */
static int take_kswapd_wakeup(wait_queue_entry_t *entry, unsigned int mode, int flags,
			      void *key)
{
	struct zone_daemons *daemons = container_of(entry, struct zone_daemons, kswapd);

	WRITE_ONCE(daemons->kswapd_woken, daemons->kswapd_woken + 1);
	return 1;
}

static void hold(wait_queue_head_t *queue, wait_queue_entry_t *entry,
		 wait_queue_func_t take)
{
	unsigned long flags;

	init_waitqueue_func_entry(entry, take);
	entry->flags = WQ_FLAG_EXCLUSIVE | WQ_FLAG_PRIORITY;
	spin_lock_irqsave(&queue->lock, flags);
	__add_wait_queue(queue, entry);
	spin_unlock_irqrestore(&queue->lock, flags);
}

static bool asleep(wait_queue_head_t *queue)
{
	unsigned long flags;
	bool sleeper;

	spin_lock_irqsave(&queue->lock, flags);
	sleeper = !list_empty(&queue->head) && !list_is_singular(&queue->head);
	spin_unlock_irqrestore(&queue->lock, flags);
	return sleeper;
}

/**
 * zone_daemons_hold() - hold the daemons of a node asleep
 * @daemons: to be initialised
 * @pgdat: the node
 *
 * Waits for them to fall asleep.
 *
 * Return: 0, or -ETIMEDOUT if one of them does not.
 */
int zone_daemons_hold(struct zone_daemons *daemons, pg_data_t *pgdat)
{
	int i;

	daemons->pgdat = pgdat;
	daemons->kswapd_task = pgdat->kswapd;
	/*
	 * kcompactd also wakes by its own timer, to compact a fragmented node
	 * ahead of demand, unless that node's kswapd runs.  Say that it does:
	 * the idle task always runs, and nothing else looks at the pointer
	 * while no memory comes or goes.
	 */
	WRITE_ONCE(pgdat->kswapd, &init_task);
	hold(&pgdat->kswapd_wait, &daemons->kswapd, take_kswapd_wakeup);
#ifdef CONFIG_COMPACTION
	hold(&pgdat->kcompactd_wait, &daemons->kcompactd, take_wakeup);
#endif
	for (i = 0; i < ZONE_DAEMONS_PATIENCE; i++) {
		zone_daemons_forget(daemons);
		if (zone_daemons_asleep(daemons))
			return 0;
		msleep(20);
	}
	zone_daemons_release(daemons);
	return -ETIMEDOUT;
}

/**
 * zone_daemons_release() - undo zone_daemons_hold()
 * @daemons: held, or zeroed
 */
void zone_daemons_release(struct zone_daemons *daemons)
{
	if (!daemons->pgdat)
		return;
	zone_daemons_forget(daemons);
	WRITE_ONCE(daemons->pgdat->kswapd, daemons->kswapd_task);
	remove_wait_queue(&daemons->pgdat->kswapd_wait, &daemons->kswapd);
#ifdef CONFIG_COMPACTION
	remove_wait_queue(&daemons->pgdat->kcompactd_wait, &daemons->kcompactd);
#endif
	daemons->pgdat = NULL;
}

/**
 * zone_daemons_forget() - withdraw what the daemons were asked for
 * @daemons: held
 *
 * Nor is the node hopeless any more: where kswapd has given up, it is not
 * woken.
 */
void zone_daemons_forget(struct zone_daemons *daemons)
{
	pg_data_t *pgdat = daemons->pgdat;

	WRITE_ONCE(daemons->kswapd_woken, 0);
	WRITE_ONCE(pgdat->kswapd_order, 0);
	WRITE_ONCE(pgdat->kswapd_highest_zoneidx, MAX_NR_ZONES);
	gfp_compat_set_kswapd_failures(pgdat, 0);
#ifdef CONFIG_COMPACTION
	WRITE_ONCE(pgdat->kcompactd_max_order, 0);
	WRITE_ONCE(pgdat->kcompactd_highest_zoneidx, pgdat->nr_zones - 1);
#endif
}

/**
 * zone_daemons_give_up() - let kswapd look as if it had given up on the node
 * @daemons: held
 *
 * The node is hopeless until zone_daemons_forget().
 */
void zone_daemons_give_up(struct zone_daemons *daemons)
{
	gfp_compat_set_kswapd_failures(daemons->pgdat, MAX_RECLAIM_RETRIES);
}
EXPORT_SYMBOL_GPL(zone_daemons_give_up);

/**
 * zone_daemons_asleep() - whether both daemons sleep
 * @daemons: held
 *
 * Return: true if they do.
 */
bool zone_daemons_asleep(const struct zone_daemons *daemons)
{
	if (!asleep(&daemons->pgdat->kswapd_wait))
		return false;
#ifdef CONFIG_COMPACTION
	if (!asleep(&daemons->pgdat->kcompactd_wait))
		return false;
#endif
	return true;
}
