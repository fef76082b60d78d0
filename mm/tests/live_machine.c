// SPDX-License-Identifier: GPL-2.0
/*
 * Manners on a machine that others use too.
 *
 * Tests that are built in run before there is a user space: the machine is
 * theirs.  Those that somebody loads, or starts through debugfs, run beside
 * other work.  They take memory only as far as they are allowed to, and a signal
 * that is meant to kill the task that started them stops them.
 */
#include <kunit/test-bug.h>
#include <kunit/test.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/sched/signal.h>
#include <linux/signal.h>
#include <linux/sizes.h>

#include "live_machine.h"

/* What may be taken where nobody said how much: one part in so many of what is free. */
#define SMALL_PART	16

static unsigned long mem_cap;
module_param(mem_cap, ulong, 0444);
MODULE_PARM_DESC(mem_cap, "MiB of memory that a test may take; 0: a sixteenth of what is free, or all before there is a user space");

/* The task that runs a suite, and what it blocks otherwise; NULL before user space. */
static struct task_struct *live_task;
static sigset_t live_blocked;

static bool live_machine(void)
{
	return system_state >= SYSTEM_RUNNING;
}

/**
 * live_machine_begin() - a suite begins
 *
 * To be called by the task that runs the suite.  Its signals wait until
 * live_machine_end(), SIGKILL too: KUnit starts a kernel thread to clean up after
 * a test case, which a task that is being killed cannot.
 */
void live_machine_begin(void)
{
	sigset_t all;

	if (!live_machine())
		return;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &live_blocked);
	WRITE_ONCE(live_task, current);
}
EXPORT_SYMBOL_GPL(live_machine_begin);

/**
 * live_machine_end() - a suite has ended, see live_machine_begin()
 */
void live_machine_end(void)
{
	if (!live_task)
		return;
	WRITE_ONCE(live_task, NULL);
	sigprocmask(SIG_SETMASK, &live_blocked, NULL);
}
EXPORT_SYMBOL_GPL(live_machine_end);

/**
 * live_machine_signal() - whether a suite is to end as soon as it can
 *
 * Return: the signal that the task that runs it has been sent to kill it, or 0.
 */
int live_machine_signal(void)
{
	struct task_struct *task = READ_ONCE(live_task);
	sigset_t waiting;
	int sig;

	if (!task)
		return 0;
	sigorsets(&waiting, &task->pending.signal, &task->signal->shared_pending.signal);
	if (sigisemptyset(&waiting))
		return 0;
	for (sig = 1; sig <= _NSIG; sig++) {
		if (sigismember(&waiting, sig) && sig_fatal(task, sig))
			return sig;
	}
	return 0;
}
EXPORT_SYMBOL_GPL(live_machine_signal);

/**
 * live_machine_admit() - let a test case take memory, or skip it
 * @test: the test case
 * @pages: how much it takes: all that is free
 */
void live_machine_admit(struct kunit *test, unsigned long pages)
{
	unsigned long mib = DIV_ROUND_UP(pages, SZ_1M / PAGE_SIZE);
	unsigned long cap = mem_cap;
	/* One test case may do as if it were another, which cannot be left by itself. */
	struct kunit *running = kunit_get_current_test() ?: test;

	if (!cap && !live_machine())
		return;
	if (!cap)
		cap = mib / SMALL_PART;
	if (mib > cap)
		kunit_skip(running, "takes all free memory, %lu MiB; mem_cap allows %lu",
			   mib, cap);
}
EXPORT_SYMBOL_GPL(live_machine_admit);
