// SPDX-License-Identifier: GPL-2.0
/*
 * One call of vmalloc() or kvmalloc(), in a proven state, observed.
 */
#include <linux/container_of.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "alloc_fault.h"
#include "gfp_attempt.h"
#include "vmalloc_call.h"
#include "vmalloc_settle.h"

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

/* A call being made. */
struct observed_call {
	struct gfp_call call;
	const struct vmalloc_call *asked;
	struct vmalloc_result *result;
	void *memory;
};

static void make_call(struct gfp_call *call)
{
	struct observed_call *observed = container_of(call, struct observed_call, call);
	enum gfp_scope scope = observed->asked->scope;
	unsigned int flags = gfp_scope_enter(scope);

	/*
	 * If it gets no page table half-way through, __GFP_NOFAIL maps the area again
	 * from its start, finds it in use there, warns, and so on for ever.
	 */
	alloc_fault_pause(observed->asked->gfp & __GFP_NOFAIL);
	observed->memory = allocate(observed->asked);
	alloc_fault_pause(false);
	gfp_scope_leave(scope, flags);
}

static void undo_call(struct gfp_call *call)
{
	struct observed_call *observed = container_of(call, struct observed_call, call);
	struct vmalloc_result *result = observed->result;

	result->seen.page = observed->memory;
	result->area = observed->memory && is_vmalloc_addr(observed->memory);
	kvfree(observed->memory);
	vmalloc_settle();
}

/**
 * vmalloc_observe() - prepare the state, make the call, and see what happens
 * @zs: the state
 * @call: the call; __GFP_NOWARN is added to its mask
 * @result: what it did
 * @again: see gfp_make_call()
 *
 * The memory, if any, is freed again.
 *
 * Return: false if there was no call to judge, see gfp_make_call(), or it made
 * more attempts than could be recorded.
 */
bool vmalloc_observe(struct zone_state *zs, const struct vmalloc_call *call,
		     struct vmalloc_result *result, unsigned long *again)
{
	struct observed_call observed = {
		.call = {
			.call = make_call,
			.undo = undo_call,
			.terms = {
				.must_succeed = (call->gfp & __GFP_NOFAIL) &&
						call->state == ZONE_STATE_LOW,
				.min_reclaim = 1,
			},
			.trace = &result->trace,
		},
		.asked = call,
		.result = result,
	};

	result->trace.with = 0;
	result->trace.merge = true;
	if (!gfp_make_call(zs, &observed.call, &result->seen, again))
		return false;
	strscpy(zs->why, "too many attempts to record");
	return !result->trace.missed;
}
