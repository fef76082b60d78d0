// SPDX-License-Identifier: GPL-2.0
/*
 * The sweep: every call that a rule is about, in one zone state.
 */
#include <kunit/test.h>
#include <linux/gfp.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "gfp_attempt.h"
#include "gfp_suite.h"
#include "gfp_test_compat.h"
#include "vmalloc_call.h"
#include "vmalloc_settle.h"
#include "vmalloc_fallback.h"
#include "zone_fragment.h"

/* From one page to 4 MiB where a page has 4 KiB. */
static const unsigned int sizes[] = { 1, 2, 5, 17, 64, 512, 513, 1024 };
#define LARGEST_SIZE		1024

/* Calls that broke a rule and had to be given memory, before the rest is skipped. */
#define GIVEN_MAX		3

/* Of the block that can be given back, this is left to others. */
#define SPARE_LEFT		(MAX_ORDER_NR_PAGES / 8)

static const gfp_t masks[] = {
	GFP_KERNEL, GFP_NOFS, GFP_NOIO, GFP_NOWAIT,
};

static const gfp_t modifiers[] = {
	0, __GFP_NORETRY, __GFP_RETRY_MAYFAIL, __GFP_NOFAIL,
};

/**
 * struct wakes - how often calls woke kswapd for costly orders
 * @calls: the calls that were judged
 * @costly: attempts of them above PAGE_ALLOC_COSTLY_ORDER
 * @waking: those that woke kswapd
 * @most: the most of these in one call
 * @most_pages: and the size of that call
 */
struct wakes {
	unsigned long calls;
	unsigned long costly;
	unsigned long waking;
	unsigned int most;
	unsigned int most_pages;
};

/**
 * struct vmalloc_sweep - one rule, in one zone state
 * @test: the test case
 * @rule: the rule
 * @promises: its bounds under the two contracts
 * @zs: the state
 * @tally: how it fared
 * @above_min: where memory is low, how many pages there are until the min
 *	watermark is met
 * @given: calls that broke the rule and had to be given memory to end, after
 *	which the state may have to be built from nothing
 * @not_seen: calls that made no attempt of those that are judged
 * @wakes: how often they woke kswapd
 * @result: what the last call did
 */
struct vmalloc_sweep {
	struct kunit *test;
	const struct vmalloc_rule *rule;
	const struct vmalloc_promise *promises[NR_GFP_VERDICTS];
	struct zone_state *zs;
	struct gfp_tally *tally;
	unsigned int above_min;
	unsigned int given;
	unsigned long not_seen;
	struct wakes wakes;
	struct vmalloc_result result;
};

/* How many pages there are until the min watermark is met. */
static unsigned int pages_above_min(struct vmalloc_sweep *sweep)
{
	struct page *page;
	unsigned int nr = 0;
	LIST_HEAD(pages);

	KUNIT_ASSERT_TRUE_MSG(sweep->test, zone_state_prepare(sweep->zs), "%s",
			      sweep->zs->why);
	while ((page = alloc_pages(ZONE_FRAGMENT_GFP, 0))) {
		list_add(&page->lru, &pages);
		nr++;
	}
	zone_state_free_page(sweep->zs, NULL, 0);
	zone_fragment_free_blocks(&pages, 0);
	return nr;
}

/* A size that there is too little memory for until a block is given back. */
static unsigned int short_size(const struct vmalloc_sweep *sweep)
{
	return sweep->above_min + MAX_ORDER_NR_PAGES / 2;
}

/* A call to compare with; fails the test case if it cannot be made. */
static void make_call(struct vmalloc_sweep *sweep, enum vmalloc_api api,
		      unsigned int pages, gfp_t gfp)
{
	const struct vmalloc_call call = {
		.state = sweep->zs->id, .api = api, .pages = pages, .gfp = gfp,
	};

	KUNIT_ASSERT_TRUE_MSG(sweep->test,
			      vmalloc_observe(sweep->zs, &call, &sweep->result,
					      &sweep->tally->again),
			      "%s", sweep->zs->why);
}

/* What no attempt may do, plain alloc_pages() does in this state. */
static void control_work(struct vmalloc_sweep *sweep)
{
	const struct gfp_cell cell = {
		.state = sweep->zs->id, .order = PAGE_ALLOC_COSTLY_ORDER + 1,
		.gfp = GFP_KERNEL,
	};
	const struct gfp_promise none = {};
	struct gfp_effects seen;

	KUNIT_ASSERT_TRUE_MSG(sweep->test,
			      gfp_attempt(sweep->zs, &cell, &none, &seen,
					  &sweep->tally->again),
			      "%s", sweep->zs->why);
	KUNIT_EXPECT_GE(sweep->test, seen.kswapd_wakes, 1);
	KUNIT_EXPECT_GE(sweep->test, seen.compact_entries, 1);
	if (zone_state_hopeless(sweep->zs->id))
		KUNIT_EXPECT_GE(sweep->test, seen.reclaim_entries, 1);
}

/* A single page never comes from the bulk allocator: it is always seen. */
static void control_mask(struct vmalloc_sweep *sweep)
{
	gfp_t seen = 0;
	int i;

	make_call(sweep, VMALLOC_API_VMALLOC, 1, GFP_KERNEL);
	for (i = 0; i < sweep->result.trace.nr; i++)
		seen |= sweep->result.trace.steps[i].gfp;
	KUNIT_EXPECT_EQ(sweep->test, seen & (__GFP_FS | __GFP_IO), __GFP_FS | __GFP_IO);
}

static void run_control(struct vmalloc_sweep *sweep)
{
	switch (sweep->rule->control) {
	case VMALLOC_CONTROL_WORK:
		control_work(sweep);
		break;
	case VMALLOC_CONTROL_MASK:
		control_mask(sweep);
		break;
	case VMALLOC_CONTROL_AREA:
		make_call(sweep, VMALLOC_API_KVMALLOC, 17, GFP_KERNEL);
		KUNIT_EXPECT_TRUE(sweep->test, sweep->result.area);
		break;
	case VMALLOC_CONTROL_FAILS:
		make_call(sweep, VMALLOC_API_VMALLOC, short_size(sweep),
			  GFP_KERNEL | __GFP_RETRY_MAYFAIL);
		KUNIT_EXPECT_FALSE(sweep->test, sweep->result.seen.page);
		break;
	default:
		break;
	}
}

/* Whether a call did what its rule is about: of no leg, that is to run short. */
static bool leg_seen(const struct vmalloc_sweep *sweep, const struct vmalloc_call *call)
{
	const struct gfp_effects *seen = &sweep->result.seen;
	int i;

	if (!sweep->rule->legs)
		return !seen->page || seen->reclaim_entries;
	for (i = 0; i < sweep->result.trace.nr; i++) {
		if (sweep->rule->legs & BIT(vmalloc_leg_of(call, &sweep->result, i)))
			return true;
	}
	return false;
}

static void count_wakes(struct wakes *wakes, const struct vmalloc_call *call,
			const struct alloc_trace *trace)
{
	unsigned int waking = 0;
	int i;

	for (i = 0; i < trace->nr; i++) {
		if (trace->steps[i].order <= PAGE_ALLOC_COSTLY_ORDER)
			continue;
		wakes->costly++;
		waking += !!trace->steps[i].did.kswapd_wakes;
	}
	wakes->calls++;
	wakes->waking += waking;
	if (waking > wakes->most) {
		wakes->most = waking;
		wakes->most_pages = call->pages;
	}
}

static void not_judged(struct vmalloc_sweep *sweep, const struct vmalloc_call *call,
		       const char *why)
{
	char where[200];

	vmalloc_describe_call(call, where, sizeof(where));
	gfp_tally_not_judged(sweep->tally, "%s: %s", where, why);
}

static void hold_to(struct vmalloc_sweep *sweep, enum gfp_verdict_id id,
		    const struct vmalloc_call *call)
{
	char where[200], breach[300];
	char *text;

	if (vmalloc_promise_kept(sweep->rule, sweep->promises[id], call,
				 &sweep->result, breach, sizeof(breach))) {
		gfp_tally_kept(sweep->tally, id);
		return;
	}
	if (id == GFP_CHOSEN)
		sweep->given += sweep->result.seen.oom_calls || sweep->result.seen.rescued;
	text = gfp_tally_broken(sweep->tally, id);
	if (text) {
		vmalloc_describe_call(call, where, sizeof(where));
		scnprintf(text, GFP_BREACH_TEXT, "%s: %s", where, breach);
	}
}

static void judge(struct vmalloc_sweep *sweep, const struct vmalloc_call *call)
{
	if (sweep->given >= GIVEN_MAX) {
		not_judged(sweep, call, "too many calls before it had to be given memory");
		return;
	}
	if (!vmalloc_observe(sweep->zs, call, &sweep->result, &sweep->tally->again)) {
		not_judged(sweep, call, sweep->zs->why);
		return;
	}
	if (sweep->rule->must_see && !leg_seen(sweep, call)) {
		sweep->not_seen++;
		return;
	}
	sweep->tally->cells++;
	count_wakes(&sweep->wakes, call, &sweep->result.trace);
	hold_to(sweep, GFP_CHOSEN, call);
	hold_to(sweep, GFP_OTHER, call);
}

/* Only vmalloc() and kvmalloc() serve those who cannot wait, if the kernel does. */
static bool call_legal(const struct vmalloc_call *call)
{
	const gfp_t retry = __GFP_NORETRY | __GFP_RETRY_MAYFAIL | __GFP_NOFAIL;

	return gfpflags_allow_blocking(call->gfp) ||
	       (GFP_COMPAT_VMALLOC_NOWAIT && call->api != VMALLOC_API_HUGE &&
		!(call->gfp & retry));
}

static void sweep_masks(struct vmalloc_sweep *sweep, enum vmalloc_api api,
			unsigned int pages)
{
	struct vmalloc_call call = {
		.state = sweep->zs->id, .api = api, .scope = sweep->rule->scope,
		.pages = pages,
	};
	int i, j;

	for (i = 0; i < ARRAY_SIZE(masks); i++) {
		for (j = 0; j < ARRAY_SIZE(modifiers); j++) {
			call.gfp = masks[i] | modifiers[j];
			if (call_legal(&call) &&
			    vmalloc_rule_covers(sweep->rule, &call))
				judge(sweep, &call);
		}
	}
}

/* Where memory is low, one block can be given back, and no more. */
static bool size_fits(const struct vmalloc_sweep *sweep, unsigned int pages)
{
	return sweep->zs->id != ZONE_STATE_LOW ||
	       pages <= sweep->above_min + MAX_ORDER_NR_PAGES - SPARE_LEFT;
}

static void sweep_calls(struct vmalloc_sweep *sweep)
{
	ktime_t start = ktime_get();
	enum vmalloc_api api;
	int i;

	for (api = 0; api < NR_VMALLOC_APIS; api++) {
		for (i = 0; i < ARRAY_SIZE(sizes); i++) {
			if (size_fits(sweep, sizes[i]))
				sweep_masks(sweep, api, sizes[i]);
		}
		if (sweep->zs->id == ZONE_STATE_LOW)
			sweep_masks(sweep, api, short_size(sweep));
	}
	sweep->tally->ms = ktime_ms_delta(ktime_get(), start);
}

static void report_wakes(struct vmalloc_sweep *sweep)
{
	const struct wakes *wakes = &sweep->wakes;

	kunit_info(sweep->test, "gfp-note: rule=%s state=%s calls=%lu costly=%lu waking=%lu most=%u of-pages=%u not-judged=%lu\n",
		   sweep->rule->name, zone_state_name(sweep->zs->id), wakes->calls,
		   wakes->costly, wakes->waking, wakes->most, wakes->most_pages,
		   sweep->not_seen);
}

static void skip_if_not_there(struct kunit *test, const struct vmalloc_rule *rule)
{
	if (rule->legs == BIT(VMALLOC_LEG_MAPPING) &&
	    !IS_ENABLED(CONFIG_HAVE_ARCH_HUGE_VMALLOC))
		kunit_skip(test, "needs huge mappings in the vmalloc area");
	if ((rule->without & __GFP_DIRECT_RECLAIM) && !GFP_COMPAT_VMALLOC_NOWAIT)
		kunit_skip(test, "needs a kernel whose vmalloc() need not wait");
}

/**
 * vmalloc_sweep_rule() - make and judge every call that a rule is about, in one
 *	zone state
 * @test: the test case; its parameter is the state
 * @rule: the rule
 */
void vmalloc_sweep_rule(struct kunit *test, const struct vmalloc_rule *rule)
{
	const enum zone_state_id *id = test->param_value;
	struct vmalloc_sweep *sweep;
	int i;

	skip_if_not_there(test, rule);
	sweep = kunit_kzalloc(test, sizeof(*sweep), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, sweep);
	sweep->test = test;
	sweep->rule = rule;
	sweep->tally = gfp_tally_new(test, rule->source, *id);
	for (i = 0; i < NR_GFP_VERDICTS; i++)
		sweep->promises[i] = vmalloc_rule_promise(rule, i);
	vmalloc_warm_up(LARGEST_SIZE);
	sweep->zs = zone_state_enter(test, *id, 0);
	if (*id == ZONE_STATE_LOW)
		sweep->above_min = pages_above_min(sweep);
	run_control(sweep);
	sweep_calls(sweep);
	report_wakes(sweep);
	zone_state_leave(test, sweep->zs);
	gfp_tally_report(test, sweep->tally);
}
