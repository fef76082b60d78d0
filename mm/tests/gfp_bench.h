/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Time calls that allocate, each in a proven zone state.
 *
 * A point is measured twice over.  First its calls are made with the observer
 * attached, which shows what they do; then, with no probe in the way, they are
 * timed.  A witness that costs nothing inside the timed part, what the kernel
 * counts anyway, ties the two together.
 */
#ifndef _MM_TESTS_GFP_BENCH_H
#define _MM_TESTS_GFP_BENCH_H

#include <linux/ktime.h>
#include <linux/mmzone.h>
#include <linux/timex.h>
#include <linux/types.h>

#include "gfp_attempt.h"
#include "zone_state.h"

struct kunit;
struct kunit_suite;

/*
 * Timed calls of a point.  Where page cache holds memory apart all of it is built
 * again for each.
 */
#define GFP_BENCH_SAMPLES		101
#define GFP_BENCH_SAMPLES_MOVING	15

/* Observed calls of a point: one task alone makes them. */
#define GFP_BENCH_OBSERVED		4

/**
 * struct gfp_bench_point - what is measured, and where
 * @name: the call, as in results
 * @state: the zone state
 * @free: the largest order that the state leaves free, see zone_state_enter();
 *	no meaning in %ZONE_STATE_INTACT
 * @order: the wanted order
 * @threads: how many tasks make the call at the same time
 */
struct gfp_bench_point {
	const char *name;
	enum zone_state_id state;
	unsigned int free;
	unsigned int order;
	unsigned int threads;
};

/**
 * struct gfp_bench_call - a call to be measured
 * @call: makes it, and frees what it got; its @trace is the harness's to set
 * @with: see &struct alloc_trace
 * @pages: filled in by @call.undo: how many pages the call got
 * @counted: @call.undo also counts the blocks in @orders; else they are taken
 *	from the attempts that were seen
 * @orders: blocks that the call got, by order
 * @samples: how many to time, or 0 for as many as usual
 * @varies: where compaction was deferred by an earlier call, or an earlier attempt
 *	of the same, a call does less; it is not held to what was observed
 * @attempts: how often the call goes to the page allocator where no free block
 *	is large enough and nothing helps, or 0 if that is not promised
 */
struct gfp_bench_call {
	struct gfp_call call;
	gfp_t with;
	unsigned long pages;
	bool counted;
	unsigned long orders[NR_PAGE_ORDERS];
	unsigned int samples;
	bool varies;
	unsigned int attempts;
};

/**
 * struct gfp_bench_api - how to get at memory
 * @name: as in results
 * @sized: the size is part of the name
 * @prepare: make a call of so many bytes ready, for a test case that frees it;
 *	to be used before a zone state is entered; never fails
 */
struct gfp_bench_api {
	const char *name;
	bool sized;
	struct gfp_bench_call *(*prepare)(struct kunit *test,
					  const struct gfp_bench_point *point, size_t size);
};

/**
 * struct gfp_bench_witness - what the kernel counts anyway
 * @kswapd_order: the order kswapd was asked for, 0 if it was not asked
 * @stalls: times direct reclaim was entered (ALLOCSTALL)
 * @compactions: times direct compaction was, and did not skip (COMPACTSTALL)
 * @pages: pages that the call got
 * @scanned: pages that compaction looked at (COMPACTMIGRATE_SCANNED,
 *	COMPACTFREE_SCANNED)
 */
struct gfp_bench_witness {
	long kswapd_order;
	unsigned long stalls;
	unsigned long compactions;
	unsigned long pages;
	unsigned long scanned;
};

/**
 * struct gfp_bench_result - what was measured of a point
 * @point: the point
 * @times: of the good samples, less the cost of timing nothing
 * @n: how many
 * @pages: pages that they got, in sum
 * @scanned: pages that compaction looked at for them, in sum
 * @ticked: how many of them a timer tick hit
 * @discarded: samples whose path was not taken
 * @why: why the first of these was discarded
 * @observed: calls that were observed
 * @effects: what these did, in sum
 * @orders: and which orders they got
 */
struct gfp_bench_result {
	const struct gfp_bench_point *point;
	u64 *times;
	unsigned int n;
	unsigned long pages;
	unsigned long scanned;
	unsigned int ticked;
	unsigned int discarded;
	char why[160];
	unsigned int observed;
	struct gfp_effects effects;
	unsigned long orders[NR_PAGE_ORDERS];
};

/* A time that can be told from that of nothing, of so many measured. */
#define GFP_BENCH_IDLE_SAMPLES		101

extern bool gfp_bench_exact;

/**
 * gfp_bench_clock() - read the clock
 *
 * Return: instructions executed so far where these can be counted, else
 * nanoseconds.
 */
static __always_inline u64 gfp_bench_clock(void)
{
	return gfp_bench_exact ? get_cycles() : ktime_get_ns();
}

int gfp_bench_init(struct kunit_suite *suite);
void gfp_bench_exit(struct kunit_suite *suite);
u64 gfp_bench_time(struct gfp_call *call);
u64 gfp_bench_net(u64 time);
void gfp_bench_sort(u64 *times, unsigned int n);
void gfp_bench_smallest(u64 time);
void gfp_bench_noop(struct kunit *test);
void gfp_bench_cost(struct kunit *test);
void gfp_bench_point(struct kunit *test, const struct gfp_bench_point *point,
		     const struct gfp_bench_api *api, size_t size);
int gfp_bench_check_rows(void);
const void *gfp_bench_next_row(const size_t *sizes, unsigned int nr, const void *prev,
			       char *desc);
void gfp_bench_row(struct kunit *test, const struct gfp_bench_api *api, const size_t *sizes);
u64 gfp_bench_report_times(struct kunit *test, struct gfp_bench_result *result,
			   const char *state, const char *more);
u64 gfp_bench_report(struct kunit *test, struct gfp_bench_result *result);

#endif /* _MM_TESTS_GFP_BENCH_H */
