// SPDX-License-Identifier: GPL-2.0
/*
 * The sweep: every cell of a rule, in one zone state.
 */
#include <kunit/test.h>
#include <linux/gfp.h>
#include <linux/ktime.h>

#include "gfp_attempt.h"
#include "gfp_compaction.h"
#include "gfp_rule.h"
#include "gfp_suite.h"

/* Cells of a rule that ran until patience was out, before the rest is skipped. */
#define RESCUED_MAX		3

/**
 * struct sweep - one rule, in one zone state
 * @test: the test case
 * @rule: the rule
 * @promises: its bounds under the two contracts
 * @zs: the state
 * @tally: how it fared
 * @nr: cells of the rule so far, attempted or not
 * @rescued: attempts that ran on until they were given memory
 */
struct sweep {
	struct kunit *test;
	const struct gfp_rule *rule;
	const struct gfp_promise *promises[NR_GFP_VERDICTS];
	struct zone_state *zs;
	struct gfp_tally *tally;
	unsigned long nr;
	unsigned long rescued;
};

static void not_judged(struct sweep *sweep, const struct gfp_cell *cell,
		       const char *why)
{
	char where[160];

	gfp_describe_cell(cell, where, sizeof(where));
	gfp_tally_not_judged(sweep->tally, "%s: %s", where, why);
}

static void hold_to(struct sweep *sweep, enum gfp_verdict_id id,
		    const struct gfp_cell *cell, const struct gfp_effects *seen)
{
	char *text;

	if (gfp_promise_kept(sweep->promises[id], cell, seen)) {
		gfp_tally_kept(sweep->tally, id);
		return;
	}
	text = gfp_tally_broken(sweep->tally, id);
	if (text)
		gfp_describe_breach(sweep->promises[id], cell, seen, text,
				    GFP_BREACH_TEXT);
}

static void judge(struct sweep *sweep, const struct gfp_cell *cell)
{
	struct gfp_effects seen;

	if (sweep->rescued >= RESCUED_MAX) {
		not_judged(sweep, cell, "too many attempts before it ran on");
		return;
	}
	if (!gfp_attempt(sweep->zs, cell, sweep->promises[GFP_CHOSEN], &seen,
			 &sweep->tally->again)) {
		not_judged(sweep, cell, sweep->zs->why);
		return;
	}
	sweep->tally->cells++;
	sweep->rescued += seen.rescued;
	hold_to(sweep, GFP_CHOSEN, cell, &seen);
	hold_to(sweep, GFP_OTHER, cell, &seen);
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
			if (gfp_rule_covers(sweep->rule, &cell) &&
			    gfp_chooses_cell(sweep->nr++))
				judge(sweep, &cell);
		}
	}
	sweep->tally->ms += ktime_ms_delta(ktime_get(), start);
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

/**
 * gfp_sweep_rule() - attempt and judge every cell of a rule in one zone state
 * @test: the test case; its parameter is the state
 * @rule: the rule
 */
void gfp_sweep_rule(struct kunit *test, const struct gfp_rule *rule)
{
	const enum zone_state_id *id = test->param_value;
	struct sweep *sweep = kunit_kzalloc(test, sizeof(*sweep), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, sweep);
	sweep->test = test;
	sweep->rule = rule;
	sweep->tally = gfp_tally_new(test, rule->source, *id);
	for (i = 0; i < NR_GFP_VERDICTS; i++)
		sweep->promises[i] = gfp_rule_promise(rule, gfp_contract_name(i));
	sweep_state(sweep, *id);
	gfp_tally_report(test, sweep->tally);
}
