// SPDX-License-Identifier: GPL-2.0
/*
 * Allocations of one task that fail on purpose.
 *
 * The kernel's own fault injection is set up by hand, in debugfs.  What it calls
 * for each allocation is there for error injection, too: a return probe makes it
 * say that the allocation is to fail.
 */
#include <kunit/test.h>
#include <linux/export.h>
#include <linux/gfp.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "alloc_fault.h"

#if IS_ENABLED(CONFIG_FAILSLAB) && IS_ENABLED(CONFIG_FAIL_PAGE_ALLOC) && \
	IS_ENABLED(CONFIG_KRETPROBES) && IS_ENABLED(CONFIG_HAVE_FUNCTION_ARG_ACCESS_API)

/*
 * @task: whose allocations fail; NULL for nobody's
 * @paused: for the time being, none
 * @kind: which of them
 * @nth: one in so many
 * @seen, @failed: how many there were
 */
static struct {
	struct task_struct *task;
	bool paused;
	enum alloc_fault_kind kind;
	unsigned int nth;
	unsigned int seen;
	unsigned int failed;
} fault;

/*
 * Whether an allocation is to succeed.  A probe may run as if in an NMI, so that
 * in_task() does not tell.
 */
static bool alloc_fault_spares(gfp_t gfp)
{
	if (current != READ_ONCE(fault.task) || in_serving_softirq())
		return true;
	if (fault.paused || (gfp & __GFP_NOFAIL))
		return true;
	return ++fault.seen % fault.nth;
}

/* Nonzero: no return handler. */
static int slab_fault_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return alloc_fault_spares((__force gfp_t)regs_get_kernel_argument(regs, 1));
}

static int slab_fault_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	regs_set_return_value(regs, -ENOMEM);
	fault.failed++;
	return 0;
}

static int page_fault_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	if (fault.kind != ALLOC_FAULT_ANY)
		return true;
	return alloc_fault_spares((__force gfp_t)regs_get_kernel_argument(regs, 0));
}

static int page_fault_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	regs_set_return_value(regs, true);
	fault.failed++;
	return 0;
}

static struct kretprobe slab_fault_probe = {
	.kp.symbol_name = "should_failslab",
	.entry_handler = slab_fault_entry,
	.handler = slab_fault_return,
};

static struct kretprobe page_fault_probe = {
	.kp.symbol_name = "should_fail_alloc_page",
	.entry_handler = page_fault_entry,
	.handler = page_fault_return,
};

static struct kretprobe *alloc_fault_probes[] = { &slab_fault_probe, &page_fault_probe };

/*
 * Registered once and for all: a probe that goes away frees memory at some later
 * time, by way of RCU and a work queue, and zone states count every page.
 */
static bool alloc_fault_registered;

static int alloc_fault_register(void)
{
	int err;

	if (alloc_fault_registered)
		return 0;
	err = register_kretprobes(alloc_fault_probes, ARRAY_SIZE(alloc_fault_probes));
	alloc_fault_registered = !err;
	return err;
}

static void __exit alloc_fault_unregister(void)
{
	if (alloc_fault_registered)
		unregister_kretprobes(alloc_fault_probes, ARRAY_SIZE(alloc_fault_probes));
}
module_exit(alloc_fault_unregister);

static void alloc_fault_exit(void *unused)
{
	int i;

	alloc_fault_stop();
	for (i = 0; i < ARRAY_SIZE(alloc_fault_probes); i++)
		disable_kretprobe(alloc_fault_probes[i]);
}

/**
 * alloc_fault_init() - get ready to fail allocations, until the test case ends
 * @test: the test case; skipped where the kernel lacks what it takes
 */
void alloc_fault_init(struct kunit *test)
{
	int i;

	KUNIT_ASSERT_EQ(test, alloc_fault_register(), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, alloc_fault_exit, NULL), 0);
	for (i = 0; i < ARRAY_SIZE(alloc_fault_probes); i++)
		KUNIT_ASSERT_EQ(test, enable_kretprobe(alloc_fault_probes[i]), 0);
}
EXPORT_SYMBOL_GPL(alloc_fault_init);

/**
 * alloc_fault_start() - let allocations of this task fail from now on
 * @kind: which of them; never one with __GFP_NOFAIL
 * @nth: one in so many, the first after so many
 */
void alloc_fault_start(enum alloc_fault_kind kind, unsigned int nth)
{
	alloc_fault_stop();
	fault.paused = false;
	fault.kind = kind;
	fault.nth = nth;
	fault.seen = 0;
	fault.failed = 0;
	WRITE_ONCE(fault.task, current);
}
EXPORT_SYMBOL_GPL(alloc_fault_start);

/**
 * alloc_fault_stop() - let them succeed again
 *
 * Return: how many failed.
 */
unsigned int alloc_fault_stop(void)
{
	WRITE_ONCE(fault.task, NULL);
	return fault.failed;
}
EXPORT_SYMBOL_GPL(alloc_fault_stop);

/**
 * alloc_fault_failures() - how many allocations failed that nobody expects to
 *
 * Whoever asks for %ALLOC_FAULT_SLAB knows what is to fail; %ALLOC_FAULT_ANY may hit
 * whatever is being judged.
 *
 * Return: their number so far.
 */
unsigned int alloc_fault_failures(void)
{
	return fault.kind == ALLOC_FAULT_ANY ? fault.failed : 0;
}
EXPORT_SYMBOL_GPL(alloc_fault_failures);

/**
 * alloc_fault_pause() - let no allocation of this task fail for a while
 * @pause: whether to begin with that, or to end it
 */
void alloc_fault_pause(bool pause)
{
	if (current == READ_ONCE(fault.task))
		fault.paused = pause;
}
EXPORT_SYMBOL_GPL(alloc_fault_pause);

#else

void alloc_fault_init(struct kunit *test)
{
	kunit_skip(test, "no faults without CONFIG_FAILSLAB, FAIL_PAGE_ALLOC and KRETPROBES");
}
EXPORT_SYMBOL_GPL(alloc_fault_init);

void alloc_fault_start(enum alloc_fault_kind kind, unsigned int nth)
{
}
EXPORT_SYMBOL_GPL(alloc_fault_start);

unsigned int alloc_fault_stop(void)
{
	return 0;
}
EXPORT_SYMBOL_GPL(alloc_fault_stop);

unsigned int alloc_fault_failures(void)
{
	return 0;
}
EXPORT_SYMBOL_GPL(alloc_fault_failures);

void alloc_fault_pause(bool pause)
{
}
EXPORT_SYMBOL_GPL(alloc_fault_pause);

#endif
