// SPDX-License-Identifier: GPL-2.0
/*
 * One attempt to allocate, in a proven state, observed and undisturbed.
 */
#include <linux/export.h>
#include <linux/gfp.h>
#include <linux/string.h>

#include "alloc_observer.h"
#include "gfp_attempt.h"
#include "memory_giver.h"

/* Attempts disturbed by kswapd or kcompactd are made again, this often. */
#define DISTURBED_MAX		64

/* Returns false if somebody else was at work meanwhile. */
static bool attempt_once(struct zone_state *zs, const struct gfp_cell *cell,
			 const struct gfp_promise *promise,
			 struct gfp_effects *seen)
{
	const struct memory_giver_terms terms = {
		.must_succeed = (cell->gfp & __GFP_NOFAIL) && zs->spare,
		.min_reclaim = promise->reclaim.min,
		.min_compact = promise->compact.min,
	};
	struct page *page;
	bool alone, rescued;

	memory_giver_arm(zs, &terms);
	alloc_observer_start(memory_giver_notify);
	page = alloc_pages(cell->gfp | __GFP_NOWARN, cell->order);
	alone = alloc_observer_stop(seen);
	rescued = memory_giver_disarm();
	seen->rescued = rescued;
	seen->page = page;
	seen->kswapd_order = READ_ONCE(zs->pgdat->kswapd_order);
	zone_state_free_page(zs, page, cell->order);
	return alone;
}

/**
 * gfp_attempt() - prepare the state, try to allocate, and see what happens
 * @zs: the state
 * @cell: order and mask; __GFP_NOWARN is added
 * @promise: the bounds that it will be held to: a request that never fails is
 *	given memory when it has reached the lower ones
 * @seen: what the attempt did
 * @again: counts attempts that were thrown away because kswapd, kcompactd or
 *	another task had been at work
 *
 * The page, if any, is freed again.
 *
 * Return: false if there was no attempt to judge: the state could not be
 * proven, or none stayed undisturbed, or none was seen.  @zs->why says which.
 */
bool gfp_attempt(struct zone_state *zs, const struct gfp_cell *cell,
		 const struct gfp_promise *promise, struct gfp_effects *seen,
		 unsigned long *again)
{
	int i;

	for (i = 0; i < DISTURBED_MAX; i++) {
		if (!zone_state_prepare(zs))
			return false;
		if (attempt_once(zs, cell, promise, seen)) {
			strscpy(zs->why, "the attempt was not seen");
			return seen->attempts;
		}
		++*again;
	}
	strscpy(zs->why, "disturbed by kswapd or kcompactd");
	return false;
}
EXPORT_SYMBOL_GPL(gfp_attempt);
