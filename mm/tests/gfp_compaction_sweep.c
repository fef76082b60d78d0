// SPDX-License-Identifier: GPL-2.0
/*
 * The sweep: every cell of a rule, in one zone state.
 */
#include <kunit/test.h>
#include <linux/gfp.h>
#include <linux/ktime.h>
#include <linux/string.h>

#include "gfp_attempt.h"
#include "gfp_compaction.h"

/* Broken cells that are spelled out, for each rule and state. */
#define SPELLED_OUT_MAX		3

/* Cells of a rule that ran until patience was out, before the rest is skipped. */
#define RESCUED_MAX		3

/**
 * struct verdict - a sweep held to one contract
 * @contract: its name
 * @promise: the bounds of the rule under it
 * @kept: cells whose attempt stayed in the bounds
 * @broken: cells whose attempt did not
 */
struct verdict {
	const char *contract;
	const struct gfp_promise *promise;
	unsigned long kept;
	unsigned long broken;
};

/**
 * struct sweep - one rule, in one zone state
 * @test: the test case
 * @rule: the rule
 * @zs: the state
 * @chosen: held to the contract that decides whether the test case fails
 * @other: held to the other one, which is only reported
 * @cells: cells that belong to the rule
 * @unjudged: those without an attempt on a proven state
 * @again: attempts thrown away because a daemon had been at work
 * @rescued: attempts that ran on until they were given memory
 * @ms: how long the attempts took, in milliseconds
 * @first: the first breach of the chosen contract
 */
struct sweep {
	struct kunit *test;
	const struct gfp_rule *rule;
	struct zone_state *zs;
	struct verdict chosen;
	struct verdict other;
	unsigned long cells;
	unsigned long unjudged;
	unsigned long again;
	unsigned long rescued;
	s64 ms;
	char first[400];
};

static void spell_out(struct sweep *sweep, const struct verdict *verdict,
		      const struct gfp_cell *cell, const struct gfp_effects *seen)
{
	char text[400];

	gfp_describe_breach(verdict->promise, cell, seen, text, sizeof(text));
	kunit_info(sweep->test, "gfp-broken: contract=%s rule=%s %s\n",
		   verdict->contract, sweep->rule->name, text);
	if (verdict == &sweep->chosen && !sweep->first[0])
		strscpy(sweep->first, text);
}

static void not_judged(struct sweep *sweep, const struct gfp_cell *cell)
{
	char text[160];

	if (!sweep->unjudged++) {
		gfp_describe_cell(cell, text, sizeof(text));
		kunit_info(sweep->test, "gfp-unjudged: contract=%s rule=%s %s: %s\n",
			   gfp_contract, sweep->rule->name, text, sweep->zs->why);
	}
}

static void hold_to(struct sweep *sweep, struct verdict *verdict,
		    const struct gfp_cell *cell, const struct gfp_effects *seen)
{
	if (gfp_promise_kept(verdict->promise, cell, seen))
		verdict->kept++;
	else if (verdict->broken++ < SPELLED_OUT_MAX)
		spell_out(sweep, verdict, cell, seen);
}

static void judge(struct sweep *sweep, const struct gfp_cell *cell)
{
	struct gfp_effects seen;

	sweep->cells++;
	if (sweep->rescued >= RESCUED_MAX) {
		strscpy(sweep->zs->why, "too many attempts before it ran on");
		not_judged(sweep, cell);
		return;
	}
	if (!gfp_attempt(sweep->zs, cell, sweep->chosen.promise, &seen,
			 &sweep->again)) {
		not_judged(sweep, cell);
		return;
	}
	sweep->rescued += seen.rescued;
	hold_to(sweep, &sweep->chosen, cell, &seen);
	hold_to(sweep, &sweep->other, cell, &seen);
}

static void sweep_cells(struct sweep *sweep, const struct gfp_range *orders)
{
	struct gfp_cell cell = { .state = sweep->zs->id };
	ktime_t start = ktime_get();
	unsigned int n;

	for (n = 0; n < gfp_nr_masks(); n++) {
		cell.gfp = gfp_mask_nth(n);
		if (!gfp_mask_legal(cell.gfp))
			continue;
		for (cell.order = orders->min; cell.order <= orders->max; cell.order++) {
			if (gfp_rule_covers(sweep->rule, &cell))
				judge(sweep, &cell);
		}
	}
	sweep->ms += ktime_ms_delta(ktime_get(), start);
}

static void sweep_orders(struct sweep *sweep, enum zone_state_id id,
			 unsigned int min, unsigned int max)
{
	const struct gfp_range orders = { .min = min, .max = max };

	sweep->zs = zone_state_enter(sweep->test, id, zone_state_order_for(id, min));
	sweep_cells(sweep, &orders);
	zone_state_leave(sweep->test, sweep->zs);
}

/* Costly orders apart from the others, where the state can be had for less then. */
static void sweep_state(struct sweep *sweep, enum zone_state_id id)
{
	const struct gfp_range *orders = &sweep->rule->orders;
	unsigned int costly = PAGE_ALLOC_COSTLY_ORDER + 1;

	if (orders->min >= costly || orders->max < costly ||
	    zone_state_order_for(id, orders->min) == zone_state_order_for(id, costly)) {
		sweep_orders(sweep, id, orders->min, orders->max);
		return;
	}
	sweep_orders(sweep, id, orders->min, costly - 1);
	sweep_orders(sweep, id, costly, orders->max);
}

static void report_verdict(struct sweep *sweep, const struct verdict *verdict)
{
	kunit_info(sweep->test, "gfp-rule: contract=%s rule=%s source=\"%s\"\n",
		   verdict->contract, sweep->rule->name, sweep->rule->source);
	kunit_info(sweep->test, "gfp-cells: contract=%s rule=%s state=%s cells=%lu kept=%lu broken=%lu unjudged=%lu again=%lu ms=%lld\n",
		   verdict->contract, sweep->rule->name,
		   zone_state_name(sweep->zs->id), sweep->cells, verdict->kept,
		   verdict->broken, sweep->unjudged, sweep->again, sweep->ms);
}

static void report(struct sweep *sweep)
{
	struct kunit *test = sweep->test;
	const char *name = sweep->rule->name;

	report_verdict(sweep, &sweep->chosen);
	report_verdict(sweep, &sweep->other);
	KUNIT_EXPECT_NE_MSG(test, sweep->cells, 0, "%s: no cell", name);
	if (sweep->chosen.broken)
		KUNIT_FAIL(test, "%s: %lu of %lu cells broken; %s", name,
			   sweep->chosen.broken, sweep->cells, sweep->first);
	if (sweep->unjudged)
		KUNIT_FAIL(test, "%s: %lu of %lu cells could not be judged; %s",
			   name, sweep->unjudged, sweep->cells, sweep->zs->why);
}

/**
 * gfp_sweep_rule() - attempt and judge every cell of a rule in one zone state
 * @test: the test case; its parameter is the state
 * @rule: the rule
 *
 * The chosen contract decides.  What the same attempts are worth under the
 * other one is reported beside it, so that one run answers for both.
 */
void gfp_sweep_rule(struct kunit *test, const struct gfp_rule *rule)
{
	const enum zone_state_id *id = test->param_value;
	struct sweep *sweep = kunit_kzalloc(test, sizeof(*sweep), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, sweep);
	sweep->test = test;
	sweep->rule = rule;
	sweep->chosen.contract = gfp_contract;
	sweep->other.contract = gfp_contract_other(gfp_contract);
	sweep->chosen.promise = gfp_rule_promise(rule, sweep->chosen.contract);
	sweep->other.promise = gfp_rule_promise(rule, sweep->other.contract);
	sweep_state(sweep, *id);
	report(sweep);
}
