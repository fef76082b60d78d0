// SPDX-License-Identifier: GPL-2.0
/*
 * One call of vmalloc() or kvmalloc(), in a proven state, observed.
 */
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "memory_giver.h"
#include "vmalloc_call.h"

/* Calls disturbed by kswapd or kcompactd are made again, this often. */
#define DISTURBED_MAX		64

static void *allocate(const struct vmalloc_call *call)
{
	unsigned long size = (unsigned long)call->pages << PAGE_SHIFT;
	gfp_t gfp = call->gfp | __GFP_NOWARN;

	switch (call->api) {
	case VMALLOC_API_HUGE:
		return vmalloc_huge(size, gfp);
	case VMALLOC_API_KVMALLOC:
		return kvmalloc(size, gfp);
	default:
		return __vmalloc(size, gfp);
	}
}

static void *allocate_in_scope(const struct vmalloc_call *call)
{
	unsigned int flags;
	void *memory;

	switch (call->scope) {
	case VMALLOC_SCOPE_NOFS:
		flags = memalloc_nofs_save();
		memory = allocate(call);
		memalloc_nofs_restore(flags);
		return memory;
	case VMALLOC_SCOPE_NOIO:
		flags = memalloc_noio_save();
		memory = allocate(call);
		memalloc_noio_restore(flags);
		return memory;
	default:
		return allocate(call);
	}
}

static long nothing(void *unused)
{
	return 0;
}

/*
 * Pages of a vmalloc() that failed half-way are freed by a work item, which was
 * queued before this one is; address space is freed lazily.
 */
static void settle(void)
{
	work_on_cpu(raw_smp_processor_id(), nothing, NULL);
	vm_unmap_aliases();
}

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
	settle();
}

/* Returns false if somebody else was at work meanwhile. */
static bool observe_once(struct zone_state *zs, const struct vmalloc_call *call,
			 struct vmalloc_result *result)
{
	const struct memory_giver_terms terms = {
		.must_succeed = (call->gfp & __GFP_NOFAIL) && zs->spare &&
				call->state == ZONE_STATE_LOW,
		.min_reclaim = 1,
	};
	void *memory;
	bool alone, rescued;

	result->trace.with = 0;
	result->trace.merge = true;
	alloc_observer_trace(&result->trace);
	memory_giver_arm(zs, &terms);
	alloc_observer_start(memory_giver_notify);
	memory = allocate_in_scope(call);
	alone = alloc_observer_stop(&result->seen);
	rescued = memory_giver_disarm();
	result->seen.rescued = rescued;
	result->seen.page = memory;
	result->seen.kswapd_order = READ_ONCE(zs->pgdat->kswapd_order);
	result->area = memory && is_vmalloc_addr(memory);
	zone_state_free_page(zs, NULL, 0);
	kvfree(memory);
	settle();
	return alone;
}

/**
 * vmalloc_observe() - prepare the state, make the call, and see what happens
 * @zs: the state
 * @call: the call; __GFP_NOWARN is added to its mask
 * @result: what it did
 * @again: counts calls that were thrown away because kswapd, kcompactd or
 *	another task had been at work
 *
 * The memory, if any, is freed again.
 *
 * Return: false if there was no call to judge: the state could not be proven,
 * or none stayed undisturbed, or it made more attempts than could be recorded.
 * @zs->why says which.
 */
bool vmalloc_observe(struct zone_state *zs, const struct vmalloc_call *call,
		     struct vmalloc_result *result, unsigned long *again)
{
	int i;

	for (i = 0; i < DISTURBED_MAX; i++) {
		if (!zone_state_prepare(zs))
			return false;
		if (observe_once(zs, call, result)) {
			strscpy(zs->why, "too many attempts to record");
			return !result->trace.missed;
		}
		++*again;
	}
	strscpy(zs->why, "disturbed by kswapd or kcompactd");
	return false;
}
