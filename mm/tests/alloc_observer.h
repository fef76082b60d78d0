/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What one attempt to allocate pages did, seen from the allocating task.
 */
#ifndef _MM_TESTS_ALLOC_OBSERVER_H
#define _MM_TESTS_ALLOC_OBSERVER_H

#include <linux/gfp_types.h>
#include <linux/types.h>

/* No direct compaction was entered: no priority either. */
#define GFP_NO_PRIORITY		(-1)

/**
 * struct gfp_effects - what one attempt did
 * @attempts: calls into the page allocator that returned, failed ones
 *	included (mm_page_alloc); 0 means that the attempt was not seen
 * @kswapd_wakes: times the task woke a sleeping kswapd
 *	(mm_vmscan_wakeup_kswapd)
 * @kcompactd_wakes: times the task woke a sleeping kcompactd itself, not
 *	through kswapd (mm_compaction_wakeup_kcompactd)
 * @reclaim_entries: times direct reclaim was entered
 *	(mm_vmscan_direct_reclaim_begin)
 * @compact_entries: times direct compaction was entered, also when it then
 *	was deferred or skipped (mm_compaction_try_to_compact_pages)
 * @first_priority: enum compact_priority of the first such entry, or
 *	%GFP_NO_PRIORITY
 * @drained_pages: blocks that left the per-CPU lists outside of direct reclaim
 *	and direct compaction: drain_all_pages() (mm_page_pcpu_drain).  What those
 *	two put back by themselves does not count.
 * @oom_calls: times the OOM killer was about to choose a victim
 * @warnings: times the task caused a WARNING in the log (console)
 * @block_scanned: how many pages compaction looked at in the same pageblock for
 *	something to migrate, in one compaction of a zone; the most that was seen
 *	(mm_compaction_isolate_migratepages)
 *
 * The observer fills in the counters, whoever made the attempt adds what the
 * caller got:
 *
 * @kswapd_woken: wake-ups that reached the kswapd of the node in question; in an
 *	&struct alloc_step as @kswapd_wakes
 * @kswapd_order: the order kswapd was asked for, 0 if it was not asked; in an
 *	&struct alloc_step as the wake-up says, which is all there is
 * @page: whether a page was returned
 * @rescued: whether memory had to be given back to end an attempt that ran
 *	away, see memory_giver.h
 */
struct gfp_effects {
	unsigned int attempts;
	unsigned int kswapd_wakes;
	unsigned int kcompactd_wakes;
	unsigned int reclaim_entries;
	unsigned int compact_entries;
	int first_priority;
	unsigned int drained_pages;
	unsigned int oom_calls;
	unsigned int warnings;
	unsigned int block_scanned;
	unsigned int kswapd_woken;
	int kswapd_order;
	bool page;
	bool rescued;
};

/* Longer than any ladder of attempts: one for each order, and some again. */
#define ALLOC_TRACE_STEPS	64

/**
 * struct alloc_step - one of several attempts that a caller makes
 * @order: the order
 * @gfp: the mask that reached the allocator: scopes such as
 *	memalloc_nofs_save() have narrowed it
 * @times: how many attempts in a row this was, see @merge of &struct alloc_trace
 * @did: what this attempt did, or these attempts in sum
 */
struct alloc_step {
	unsigned int order;
	gfp_t gfp;
	unsigned int times;
	struct gfp_effects did;
};

/**
 * struct alloc_trace - the attempts that a caller makes, one by one
 * @with: record only attempts whose mask has these bits; callers allocate slab
 *	pages, page tables and the like in between
 * @merge: attempts in a row with the same order and mask that all got a page
 *	make one step; for callers that take hundreds of them
 * @nr: recorded attempts
 * @missed: attempts there was no room for
 * @steps: the attempts, in their order
 */
struct alloc_trace {
	gfp_t with;
	bool merge;
	unsigned int nr;
	unsigned int missed;
	struct alloc_step steps[ALLOC_TRACE_STEPS];
};

/**
 * typedef alloc_observer_notify_t - told of each entry into reclaim or
 *	compaction as it happens
 * @seen: the effects so far
 *
 * Runs inside a tracepoint: must not sleep.
 */
typedef void (*alloc_observer_notify_t)(const struct gfp_effects *seen);

int alloc_observer_register(void);
void alloc_observer_unregister(void);
void alloc_observer_start(alloc_observer_notify_t notify);
void alloc_observer_trace(struct alloc_trace *trace);
bool alloc_observer_stop(struct gfp_effects *seen);
void alloc_observer_count_oom(void);

#endif /* _MM_TESTS_ALLOC_OBSERVER_H */
