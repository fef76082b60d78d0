// SPDX-License-Identifier: GPL-2.0
/*
 * Slab allocations that fail on purpose, for one task.
 *
 * The kernel's own fault injection is set up by hand, in debugfs.  What it calls
 * for each slab allocation is there for error injection, too: a return probe
 * makes it say that the allocation is to fail.
 */
#include <kunit/test.h>
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>

#include "slab_fault.h"

#if IS_ENABLED(CONFIG_FAILSLAB) && IS_ENABLED(CONFIG_KRETPROBES)

/* The task whose allocations fail, and how many did. */
static struct task_struct *refused_task;
static unsigned int refused;

static int slab_fault_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return current != READ_ONCE(refused_task);	/* nonzero: no return handler */
}

static int slab_fault_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	regs_set_return_value(regs, -ENOMEM);
	refused++;
	return 0;
}

static struct kretprobe slab_fault_probe = {
	.kp.symbol_name = "should_failslab",
	.entry_handler = slab_fault_entry,
	.handler = slab_fault_return,
};

/*
 * Registered once and for all: a probe that goes away frees memory at some later
 * time, by way of RCU and a work queue, and zone states count every page.
 */
static bool slab_fault_registered;

static int slab_fault_register(void)
{
	int err;

	if (slab_fault_registered)
		return enable_kretprobe(&slab_fault_probe);
	err = register_kretprobe(&slab_fault_probe);
	slab_fault_registered = !err;
	return err;
}

static void __exit slab_fault_unregister(void)
{
	if (slab_fault_registered)
		unregister_kretprobe(&slab_fault_probe);
}
module_exit(slab_fault_unregister);

static void slab_fault_exit(void *unused)
{
	slab_fault_stop();
	disable_kretprobe(&slab_fault_probe);
}

/**
 * slab_fault_init() - get ready to fail slab allocations, until the test case ends
 * @test: the test case; skipped where the kernel lacks what it takes
 */
void slab_fault_init(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, slab_fault_register(), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, slab_fault_exit, NULL), 0);
}
EXPORT_SYMBOL_GPL(slab_fault_init);

/**
 * slab_fault_start() - let this task's slab allocations fail from now on
 */
void slab_fault_start(void)
{
	refused = 0;
	WRITE_ONCE(refused_task, current);
}
EXPORT_SYMBOL_GPL(slab_fault_start);

/**
 * slab_fault_stop() - let them succeed again
 *
 * Return: how many failed.
 */
unsigned int slab_fault_stop(void)
{
	WRITE_ONCE(refused_task, NULL);
	return refused;
}
EXPORT_SYMBOL_GPL(slab_fault_stop);

#else

void slab_fault_init(struct kunit *test)
{
	kunit_skip(test, "no slab fault without CONFIG_FAILSLAB and CONFIG_KRETPROBES");
}
EXPORT_SYMBOL_GPL(slab_fault_init);

void slab_fault_start(void)
{
}
EXPORT_SYMBOL_GPL(slab_fault_start);

unsigned int slab_fault_stop(void)
{
	return 0;
}
EXPORT_SYMBOL_GPL(slab_fault_stop);

#endif
