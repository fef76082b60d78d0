// SPDX-License-Identifier: GPL-2.0
/*
 * A second task that gives memory back.
 *
 * Some requests never fail: they loop, or call the OOM killer, until memory
 * comes from somewhere.  In a state where nothing helps, it comes from here:
 *
 * - a request with __GFP_NOFAIL is given a block once it has entered reclaim
 *   and compaction as often as its rule wants it to.  If it never does, it is
 *   given the block all the same when patience runs out, so that a broken
 *   kernel fails the test and does not hang it;
 * - a request that is about to call the OOM killer is given a block instead;
 * - any other request that goes on and on is given one, and reported.
 */
#include <linux/export.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/oom.h>
#include <linux/sched.h>
#include <linux/wait.h>

#include "alloc_observer.h"
#include "memory_giver.h"
#include "zone_state.h"

/*
 * Patience is the time that the request has run, looked at every 50 ms: the host of a
 * guest may stop one of its CPUs, and let the giver's run.  A request that does not
 * run, for it sleeps, is waited for so many times.
 */
#define GIVER_PATIENCE_NS	(250 * NSEC_PER_MSEC)
#define GIVER_WAIT_JIFFIES	max(HZ / 20, 1)
#define GIVER_WAITS		100

/* More entries in a row than any bounded retry needs: MAX_RECLAIM_RETRIES is 16. */
#define GIVER_RUNAWAY		256

/**
 * enum giver_state - what the giver is about
 * @GIVER_IDLE: no attempt
 * @GIVER_WATCHING: an attempt that ends by itself, or runs away
 * @GIVER_WAITING: an attempt that does not end by itself
 * @GIVER_GIVING: it is time
 */
enum giver_state {
	GIVER_IDLE,
	GIVER_WATCHING,
	GIVER_WAITING,
	GIVER_GIVING,
};

static struct {
	struct task_struct *task;
	wait_queue_head_t wait;
	struct mutex lock;		/* one attempt at a time is given to */
	struct zone_state *zs;
	struct memory_giver_terms terms;
	struct task_struct *asks;	/* armed it; its system time so far */
	u64 asks_began;
	unsigned int entries;		/* before memory was due, or given */
	enum giver_state state;
	bool rescued;
} giver = {
	.wait = __WAIT_QUEUE_HEAD_INITIALIZER(giver.wait),
	.lock = __MUTEX_INITIALIZER(giver.lock),
};

static void giver_set(enum giver_state state)
{
	WRITE_ONCE(giver.state, state);
	wake_up(&giver.wait);
}

static enum giver_state giver_state(void)
{
	return READ_ONCE(giver.state);
}

/*
 * How long the request has run, by ticks, which a CPU that is stopped does not get.
 * 0 where the kernel accounts for that in another way.
 */
static u64 giver_asker_ran(void)
{
	return READ_ONCE(giver.asks->stime) - giver.asks_began;
}

/* Returns false if patience ran out. */
static bool giver_wait_for_terms(void)
{
	int i;

	for (i = 0; i < GIVER_WAITS && giver_asker_ran() < GIVER_PATIENCE_NS; i++) {
		if (wait_event_timeout(giver.wait,
				       giver_state() != GIVER_WAITING,
				       GIVER_WAIT_JIFFIES))
			return true;
	}
	return false;
}

static void giver_give(bool in_time)
{
	enum giver_state due = in_time ? GIVER_GIVING : GIVER_WAITING;

	mutex_lock(&giver.lock);
	if (giver_state() == due) {
		if (!in_time)
			giver.rescued = true;
		zone_state_give(giver.zs);
		giver_set(GIVER_WATCHING);
	}
	mutex_unlock(&giver.lock);
}

static bool giver_has_work(void)
{
	return kthread_should_stop() || giver_state() >= GIVER_WAITING;
}

static int giver_main(void *unused)
{
	while (!kthread_should_stop()) {
		wait_event_interruptible(giver.wait, giver_has_work());
		if (giver_state() >= GIVER_WAITING)
			giver_give(giver_wait_for_terms());
	}
	return 0;
}

/*
 * The OOM killer asks here first, and kills nobody if it is told that memory
 * was freed.
 */
static int giver_oom(struct notifier_block *nb, unsigned long unused, void *freed)
{
	alloc_observer_count_oom();
	if (zone_state_relieve())
		*(unsigned long *)freed += 1;
	return NOTIFY_OK;
}

static struct notifier_block giver_oom_nb = {
	.notifier_call = giver_oom,
};

/**
 * memory_giver_start() - start the second task
 *
 * Return: 0 or a negative error.
 */
int memory_giver_start(void)
{
	struct task_struct *task;
	int err;

	task = kthread_run(giver_main, NULL, "gfp_giver");
	if (IS_ERR(task))
		return PTR_ERR(task);
	/* So that the request under test lets it run at its next chance. */
	sched_set_fifo_low(task);
	err = register_oom_notifier(&giver_oom_nb);
	if (err)
		kthread_stop(task);
	else
		giver.task = task;
	return err;
}
EXPORT_SYMBOL_GPL(memory_giver_start);

/**
 * memory_giver_stop() - stop the second task
 */
void memory_giver_stop(void)
{
	if (!giver.task)
		return;
	unregister_oom_notifier(&giver_oom_nb);
	kthread_stop(giver.task);
	giver.task = NULL;
}
EXPORT_SYMBOL_GPL(memory_giver_stop);

/**
 * memory_giver_arm() - be ready for an attempt of the current task
 * @zs: the state, which has a block to give
 * @terms: when to give it
 */
void memory_giver_arm(struct zone_state *zs,
		      const struct memory_giver_terms *terms)
{
	giver.terms = *terms;
	giver.rescued = false;
	giver.entries = 0;
	giver.asks = current;
	giver.asks_began = READ_ONCE(current->stime);
	WRITE_ONCE(giver.zs, zs);
	if (terms->must_succeed)
		giver_set(GIVER_WAITING);
	else
		WRITE_ONCE(giver.state, GIVER_WATCHING);
}
EXPORT_SYMBOL_GPL(memory_giver_arm);

/**
 * memory_giver_disarm() - the attempt has ended
 *
 * Return: true if it was given memory because it had run away or because
 * patience ran out, rather than on its terms.
 */
bool memory_giver_disarm(void)
{
	mutex_lock(&giver.lock);
	WRITE_ONCE(giver.state, GIVER_IDLE);
	WRITE_ONCE(giver.zs, NULL);
	mutex_unlock(&giver.lock);
	wake_up(&giver.wait);
	return giver.rescued;
}
EXPORT_SYMBOL_GPL(memory_giver_disarm);

/**
 * memory_giver_notify() - have a look at how far an attempt has come
 * @seen: its effects so far
 *
 * To be handed to alloc_observer_start().
 */
void memory_giver_notify(const struct gfp_effects *seen)
{
	unsigned int entries = seen->reclaim_entries + seen->compact_entries;

	switch (giver_state()) {
	case GIVER_WAITING:
		giver.entries = entries;
		if (seen->reclaim_entries >= giver.terms.min_reclaim &&
		    seen->compact_entries >= giver.terms.min_compact)
			giver_set(GIVER_GIVING);
		break;
	case GIVER_GIVING:
		/* The giver's CPU takes its time. */
		giver.entries = entries;
		break;
	case GIVER_WATCHING:
		if (!giver.rescued && entries > giver.entries + GIVER_RUNAWAY) {
			giver.rescued = true;
			giver_set(GIVER_GIVING);
		}
		break;
	default:
		break;
	}
}
EXPORT_SYMBOL_GPL(memory_giver_notify);
