// SPDX-License-Identifier: GPL-2.0
/*
 * Measure one point: observe some calls, then time many.
 */
#include <kunit/resource.h>
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/vmstat.h>

#include "alloc_observer.h"
#include "gfp_bench.h"
#include "gfp_bench_alike.h"
#include "gfp_bench_gang.h"

static unsigned int gfp_bench_samples;
module_param_named(samples, gfp_bench_samples, uint, 0444);
MODULE_PARM_DESC(samples, "how many calls of a point are timed at most; 0: as many as usual");

/* One point being measured; @gang makes the timed calls if there is one, else @call. */
struct measurement {
	struct kunit *test;
	const struct gfp_bench_point *point;
	struct gfp_bench_call *call;
	struct gfp_bench_gang *gang;
	struct zone_state *zs;
	struct gfp_bench_alike alike;
	struct gfp_bench_result result;
	struct gfp_bench_witness observed[GFP_BENCH_OBSERVED];
	struct gfp_bench_witness before;
	struct alloc_trace trace;
	unsigned long events[NR_VM_EVENT_ITEMS];
};

static void witness_begin(struct measurement *m)
{
	int zid;

	all_vm_events(m->events);
	m->before = (struct gfp_bench_witness){};
	for (zid = 0; zid < MAX_NR_ZONES; zid++)
		m->before.stalls += m->events[ALLOCSTALL_NORMAL - ZONE_NORMAL + zid];
#ifdef CONFIG_COMPACTION
	m->before.compactions = m->events[COMPACTSTALL];
	m->before.scanned = m->events[COMPACTMIGRATE_SCANNED] + m->events[COMPACTFREE_SCANNED];
#endif
}

static struct gfp_bench_witness witness_end(struct measurement *m)
{
	struct gfp_bench_witness before = m->before;

	witness_begin(m);
	return (struct gfp_bench_witness){
		.stalls = m->before.stalls - before.stalls,
		.compactions = m->before.compactions - before.compactions,
		.scanned = m->before.scanned - before.scanned,
		.kswapd_order = READ_ONCE(m->zs->pgdat->kswapd_order),
	};
}

/* Whether the free list has what is wanted. */
static bool point_is_served(const struct gfp_bench_point *point)
{
	return point->state == ZONE_STATE_INTACT || point->order <= point->free;
}

/* Note why a sample is not good; the first time in words. */
static bool discard(struct measurement *m, const char *why,
		    const struct gfp_bench_witness *saw)
{
	if (!m->result.discarded++)
		scnprintf(m->result.why, sizeof(m->result.why),
			  "%s: kswapd asked for order %ld, %lu stalls, %lu compactions, %lu pages",
			  why, saw->kswapd_order, saw->stalls, saw->compactions, saw->pages);
	return false;
}

/* The free list was missed exactly where it had to be. */
static bool path_was_taken(struct measurement *m, const struct gfp_bench_witness *saw)
{
	bool missed = saw->kswapd_order || saw->stalls || saw->compactions;

	if (missed != point_is_served(m->point))
		return true;
	return discard(m, missed ? "not from the free list" : "from the free list", saw);
}

/*
 * Whether @tasks calls together did what @one did.  How much there is to scan
 * depends on what kernel pages there are meanwhile; and where compaction failed
 * for one task it may be deferred for the next.
 */
static bool same_path(const struct gfp_bench_witness *saw, const struct gfp_bench_witness *one,
		      unsigned int tasks)
{
	return saw->kswapd_order == one->kswapd_order && saw->stalls == tasks * one->stalls &&
	       saw->pages == tasks * one->pages &&
	       (saw->compactions == one->compactions ||
		(tasks > 1 && saw->compactions <= tasks * one->compactions));
}

/* Where nothing changes the memory, each timed call does what one observed did. */
static bool same_as_observed(struct measurement *m, const struct gfp_bench_witness *saw)
{
	unsigned int i;

	if (gfp_bench_moves(m->point->state) || m->call->varies)
		return true;
	for (i = 0; i < m->result.observed; i++) {
		if (same_path(saw, &m->observed[i], m->point->threads))
			return true;
	}
	return discard(m, "not as observed", saw);
}

static void add_traced_orders(struct measurement *m)
{
	unsigned long bulk = m->call->pages;
	int i;

	for (i = 0; i < m->trace.nr; i++) {
		const struct alloc_step *step = &m->trace.steps[i];
		unsigned long pages = (unsigned long)step->times << step->order;

		if (!step->did.page)
			continue;
		m->result.orders[step->order] += step->times;
		bulk -= min(bulk, pages);
	}
	/* Single pages by the hundred come without a trace. */
	m->result.orders[0] += bulk;
}

static void add_orders(struct measurement *m)
{
	unsigned int order;

	if (!m->call->counted) {
		add_traced_orders(m);
		return;
	}
	for (order = 0; order < NR_PAGE_ORDERS; order++)
		m->result.orders[order] += m->call->orders[order];
}

static void add_effects(struct gfp_effects *sum, const struct gfp_effects *more)
{
	sum->attempts += more->attempts;
	sum->kswapd_wakes += more->kswapd_wakes;
	sum->kcompactd_wakes += more->kcompactd_wakes;
	sum->reclaim_entries += more->reclaim_entries;
	sum->compact_entries += more->compact_entries;
	sum->drained_pages += more->drained_pages;
}

/* One attempt where it is served, all of them where nothing helps. */
static bool attempts_are_right(struct measurement *m, const struct gfp_bench_witness *saw)
{
	bool served = point_is_served(m->point);

	if (m->trace.missed && !m->call->counted)
		return discard(m, "too many attempts to record", saw);
	if (!m->call->attempts || (!served && gfp_bench_moves(m->point->state)))
		return true;
	if (m->trace.nr == (served ? 1 : m->call->attempts))
		return true;
	return discard(m, "too few attempts, or too many", saw);
}

/* Returns false where the state cannot be proven, which ends the measurement. */
static bool observe_call(struct measurement *m)
{
	struct gfp_bench_witness saw;
	struct gfp_effects seen;
	unsigned long again = 0;

	m->trace.with = m->call->with;
	m->trace.merge = true;
	gfp_bench_alike_sample(&m->alike);
	witness_begin(m);
	if (!gfp_make_call(m->zs, &m->call->call, &seen, &again))
		return false;
	saw = witness_end(m);
	saw.kswapd_order = seen.kswapd_order;
	saw.pages = m->call->pages;
	if (!path_was_taken(m, &saw) || !attempts_are_right(m, &saw))
		return true;
	m->observed[m->result.observed++] = saw;
	add_effects(&m->result.effects, &seen);
	add_orders(m);
	return true;
}

/*
 * A timer tick in a call costs two thousand instructions and more.  Begin just
 * after one, so that none shorter than a tick is hit by another.
 */
static bool prepare_after_tick(struct measurement *m)
{
	gfp_bench_alike_sample(&m->alike);
	if (!zone_state_prepare(m->zs))
		return false;
	if (m->gang)
		gfp_bench_alike_others(&m->alike);
	schedule_timeout_uninterruptible(1);
	return zone_state_prepare(m->zs);
}

static u64 net_time(struct measurement *m)
{
	return m->gang ? gfp_bench_gang_time(m->gang) :
			 gfp_bench_net(gfp_bench_time(&m->call->call));
}

static unsigned long undo(struct measurement *m)
{
	if (m->gang)
		return gfp_bench_gang_undo(m->gang);
	m->call->call.undo(&m->call->call);
	return m->call->pages;
}

/* As observe_call(), with nothing attached. */
static bool time_call(struct measurement *m)
{
	struct gfp_bench_witness saw;
	unsigned long tick;
	u64 time;

	if (!prepare_after_tick(m))
		return false;
	witness_begin(m);
	gfp_bench_alike_call(&m->alike);
	tick = jiffies;
	time = net_time(m);
	tick = jiffies - tick;
	saw = witness_end(m);
	zone_state_free_page(m->zs, NULL, 0);
	saw.pages = undo(m);
	if (!path_was_taken(m, &saw) || !same_as_observed(m, &saw))
		return true;
	m->result.times[m->result.n++] = time;
	m->result.pages += saw.pages;
	m->result.scanned += saw.scanned;
	m->result.ticked += !!tick;
	return true;
}

static unsigned int samples_of(const struct gfp_bench_point *point,
			       const struct gfp_bench_call *call)
{
	unsigned int samples = call->samples ?:
		gfp_bench_moves(point->state) ? GFP_BENCH_SAMPLES_MOVING : GFP_BENCH_SAMPLES;

	return min(samples, gfp_bench_samples ?: samples);
}

static void unregister_observer(void *unused)
{
	alloc_observer_unregister();
}

static void end_alike(void *alike)
{
	gfp_bench_alike_end(alike);
}

static struct measurement *begin(struct kunit *test, const struct gfp_bench_point *point,
				 const struct gfp_bench_api *api, size_t size)
{
	struct measurement *m = kunit_kzalloc(test, sizeof(*m), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, m);
	/* A test case is a task of its own: nobody is left on this CPU after it. */
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(0)), 0);
	m->call = api->prepare(test, point, size);
	if (point->threads > 1)
		m->gang = gfp_bench_gang(test, point, api, size);
	m->result.times = kunit_kcalloc(test, samples_of(point, m->call), sizeof(u64),
					GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, m->result.times);
	m->test = test;
	m->point = point;
	m->result.point = point;
	m->call->call.trace = &m->trace;
	KUNIT_ASSERT_EQ(test, alloc_observer_register(), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, unregister_observer, NULL), 0);
	m->zs = zone_state_enter(test, point->state, point->free);
	gfp_bench_alike_begin(&m->alike, m->zs);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, end_alike, &m->alike), 0);
	return m;
}

static void repeat(struct measurement *m, bool (*make)(struct measurement *m),
		   unsigned int times)
{
	unsigned int i;

	for (i = 0; i < times; i++)
		KUNIT_ASSERT_TRUE_MSG(m->test, make(m), "state %s: %s",
				      zone_state_name(m->point->state), m->zs->why);
}

/**
 * gfp_bench_point() - measure a point, and report it
 * @test: the test case; fails if too few samples are good
 * @point: the point
 * @api: what to call
 * @size: for how many bytes
 */
void gfp_bench_point(struct kunit *test, const struct gfp_bench_point *point,
		     const struct gfp_bench_api *api, size_t size)
{
	struct measurement *m = begin(test, point, api, size);
	unsigned int samples = samples_of(point, m->call);
	u64 typical;

	repeat(m, observe_call, GFP_BENCH_OBSERVED);
	KUNIT_ASSERT_GT_MSG(test, m->result.observed, GFP_BENCH_OBSERVED / 2,
			    "%u of %u observed calls took the path; %s",
			    m->result.observed, GFP_BENCH_OBSERVED, m->result.why);
	kunit_release_action(test, unregister_observer, NULL);
	repeat(m, time_call, samples);
	kunit_release_action(test, end_alike, &m->alike);
	zone_state_leave(test, m->zs);
	KUNIT_ASSERT_GT_MSG(test, m->result.n, samples / 2,
			    "%u of %u timed calls took the path; %s",
			    m->result.n, samples, m->result.why);
	typical = gfp_bench_report(test, &m->result);
	gfp_bench_smallest(typical);
}
EXPORT_SYMBOL_GPL(gfp_bench_point);
