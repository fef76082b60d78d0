// SPDX-License-Identifier: GPL-2.0
/*
 * One call that allocates, in a proven state, observed and undisturbed.
 */
#include <linux/container_of.h>
#include <linux/export.h>
#include <linux/gfp.h>
#include <linux/string.h>

#include "alloc_fault.h"
#include "gfp_attempt.h"

/* Calls that were disturbed are made again, this often. */
#define DISTURBED_MAX		64

/**
 * gfp_make_call_unproven() - make a call, and see what happens
 * @zs: the state, prepared, which the test may have changed since on purpose
 * @call: what to do
 * @seen: what it did; whether it got a page is the caller's to say
 *
 * Return: false if somebody else was at work meanwhile, or an allocation failed on
 * purpose.
 */
bool gfp_make_call_unproven(struct zone_state *zs, struct gfp_call *call,
			    struct gfp_effects *seen)
{
	struct memory_giver_terms terms = call->terms;
	unsigned int failures = alloc_fault_failures();
	bool alone, rescued;

	terms.must_succeed &= !!zs->spare;
	memory_giver_arm(zs, &terms);
	if (call->trace)
		alloc_observer_trace(call->trace);
	alloc_observer_start(call->notify ?: memory_giver_notify);
	call->call(call);
	alone = alloc_observer_stop(seen);
	rescued = memory_giver_disarm();
	seen->rescued = rescued;
	/* The tracepoint says that kswapd is about to be woken. */
	seen->kswapd_woken = READ_ONCE(zs->daemons.kswapd_woken);
	seen->kswapd_order = READ_ONCE(zs->pgdat->kswapd_order);
	zone_state_free_page(zs, NULL, 0);
	call->undo(call);
	return alone && failures == alloc_fault_failures();
}
EXPORT_SYMBOL_GPL(gfp_make_call_unproven);

/**
 * gfp_make_call() - prepare the state, make a call, and see what happens
 * @zs: the state
 * @call: what to do
 * @seen: what it did; whether it got a page is the caller's to say
 * @again: counts calls that were made again because kswapd, kcompactd or
 *	another task had been at work, or an allocation had failed on purpose
 *
 * Return: false if there was no call to judge: the state could not be proven, or
 * none stayed undisturbed.  @zs->why says which.
 */
bool gfp_make_call(struct zone_state *zs, struct gfp_call *call,
		   struct gfp_effects *seen, unsigned long *again)
{
	int i;

	for (i = 0; i < DISTURBED_MAX; i++) {
		if (!zone_state_prepare(zs))
			return false;
		if (gfp_make_call_unproven(zs, call, seen))
			return true;
		++*again;
	}
	strscpy(zs->why, "disturbed each time");
	return false;
}
EXPORT_SYMBOL_GPL(gfp_make_call);

/* A single attempt with alloc_pages(). */
struct attempt {
	struct gfp_call call;
	const struct gfp_cell *cell;
	enum gfp_scope scope;
	struct page *page;
	bool got_page;
};

static void attempt_alloc(struct gfp_call *call)
{
	struct attempt *attempt = container_of(call, struct attempt, call);
	unsigned int flags = gfp_scope_enter(attempt->scope);

	attempt->page = alloc_pages(attempt->cell->gfp | __GFP_NOWARN,
				    attempt->cell->order);
	gfp_scope_leave(attempt->scope, flags);
}

static void attempt_free(struct gfp_call *call)
{
	struct attempt *attempt = container_of(call, struct attempt, call);

	attempt->got_page = attempt->page;
	if (attempt->page)
		__free_pages(attempt->page, attempt->cell->order);
}

/**
 * gfp_attempt_in_scope() - prepare the state, try to allocate in a scope, and see
 * @zs: the state
 * @cell: order and mask; __GFP_NOWARN is added
 * @scope: the scope
 * @promise: the bounds that it will be held to: a request that never fails is
 *	given memory when it has reached the lower ones
 * @trace: where the attempt is recorded, or NULL
 * @seen: what the attempt did
 * @again: see gfp_make_call()
 *
 * The page, if any, is freed again.
 *
 * Return: false if there was no attempt to judge, see gfp_make_call(), or it did
 * not reach the allocator.
 */
bool gfp_attempt_in_scope(struct zone_state *zs, const struct gfp_cell *cell,
			  enum gfp_scope scope, const struct gfp_promise *promise,
			  struct alloc_trace *trace, struct gfp_effects *seen,
			  unsigned long *again)
{
	struct attempt attempt = {
		.call = {
			.call = attempt_alloc,
			.undo = attempt_free,
			.terms = {
				.must_succeed = cell->gfp & __GFP_NOFAIL,
				.min_reclaim = promise->reclaim.min,
				.min_compact = promise->compact.min,
			},
			.trace = trace,
		},
		.cell = cell,
		.scope = scope,
	};

	if (!gfp_make_call(zs, &attempt.call, seen, again))
		return false;
	seen->page = attempt.got_page;
	strscpy(zs->why, "the attempt was not seen");
	return seen->attempts;
}
EXPORT_SYMBOL_GPL(gfp_attempt_in_scope);

/**
 * gfp_attempt() - prepare the state, try to allocate, and see what happens
 * @zs: the state
 * @cell: see gfp_attempt_in_scope(), which this is without a scope
 * @promise: see there
 * @seen: what the attempt did
 * @again: see gfp_make_call()
 *
 * Return: false if there was no attempt to judge.
 */
bool gfp_attempt(struct zone_state *zs, const struct gfp_cell *cell,
		 const struct gfp_promise *promise, struct gfp_effects *seen,
		 unsigned long *again)
{
	return gfp_attempt_in_scope(zs, cell, GFP_SCOPE_NONE, promise, NULL, seen, again);
}
EXPORT_SYMBOL_GPL(gfp_attempt);
