// SPDX-License-Identifier: GPL-2.0
/*
 * Have all memory of a vmalloc() back.
 */
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "vmalloc_settle.h"

static long nothing(void *unused)
{
	return 0;
}

/**
 * vmalloc_settle() - wait until what was freed is back
 *
 * Pages of a vmalloc() that failed half-way are freed by a work item, which was
 * queued before this one is; address space is freed lazily.
 */
void vmalloc_settle(void)
{
	work_on_cpu(raw_smp_processor_id(), nothing, NULL);
	vm_unmap_aliases();
}
EXPORT_SYMBOL_GPL(vmalloc_settle);

/**
 * vmalloc_warm_up() - let the kernel keep what it keeps for the next vmalloc()
 * @pages: the size of the largest call to come
 *
 * Page tables of the vmalloc area stay, and slabs of its bookkeeping.  Memory
 * is to be accounted for after this.
 */
void vmalloc_warm_up(unsigned int pages)
{
	vfree(vmalloc((unsigned long)pages << PAGE_SHIFT));
	vmalloc_settle();
}
EXPORT_SYMBOL_GPL(vmalloc_warm_up);
