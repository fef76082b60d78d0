// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the tests: that attempts are seen and told apart.
 */
#include <kunit/test.h>
#include <linux/gfp.h>

#include "vmalloc_call.h"
#include "vmalloc_settle.h"
#include "vmalloc_fallback.h"

/* Every rule has a state, a function, a size and a leg that can be. */
void every_rule_has_calls(struct kunit *test)
{
	int i;

	for (i = 0; i < NR_VMALLOC_RULES; i++) {
		const struct vmalloc_rule *rule = &vmalloc_rules[i];

		KUNIT_EXPECT_NE_MSG(test, rule->states & ZONE_STATES_ALL, 0, "%s", rule->name);
		KUNIT_EXPECT_NE_MSG(test, rule->apis & VMALLOC_APIS_ALL, 0, "%s", rule->name);
		KUNIT_EXPECT_LE_MSG(test, rule->pages.min, rule->pages.max, "%s", rule->name);
		KUNIT_EXPECT_FALSE_MSG(test, rule->with & rule->without, "%s", rule->name);
	}
}

/* An order that is asked for again after it has failed breaks a promise. */
void rising_order_is_seen(struct kunit *test)
{
	const struct vmalloc_rule *rule =
		&vmalloc_rules[VMALLOC_RULE_vmalloc_large_orders_fall];
	const struct vmalloc_call call = {
		.state = ZONE_STATE_UNMOVABLE, .pages = 64, .gfp = GFP_KERNEL,
	};
	struct vmalloc_result *result = kunit_kzalloc(test, sizeof(*result), GFP_KERNEL);
	struct alloc_step *steps;
	char breach[300];

	KUNIT_ASSERT_NOT_NULL(test, result);
	steps = result->trace.steps;
	result->trace.nr = 2;
	steps[0].gfp = GFP_NOWAIT | __GFP_HIGHMEM;
	steps[1].gfp = GFP_NOWAIT | __GFP_HIGHMEM;
	steps[0].order = 6;
	steps[1].order = 5;
	KUNIT_EXPECT_TRUE(test, vmalloc_promise_kept(rule, &rule->documented, &call,
						     result, breach, sizeof(breach)));
	steps[1].order = 6;
	KUNIT_EXPECT_FALSE(test, vmalloc_promise_kept(rule, &rule->documented, &call,
						      result, breach, sizeof(breach)));
}

/*
 * The bulk allocator has no tracepoint, but does not serve where memory is low:
 * there each page of the memory is an attempt of its own, and every one is seen.
 */
void single_pages_are_seen(struct kunit *test)
{
	const struct vmalloc_call call = {
		.state = ZONE_STATE_LOW, .pages = 17, .gfp = GFP_KERNEL,
	};
	struct vmalloc_result *result = kunit_kzalloc(test, sizeof(*result), GFP_KERNEL);
	struct zone_state *zs;
	unsigned long again = 0;
	unsigned int pages = 0;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, result);
	vmalloc_warm_up(call.pages);
	zs = zone_state_enter(test, ZONE_STATE_LOW, 0);
	KUNIT_ASSERT_TRUE_MSG(test, vmalloc_observe(zs, &call, result, &again),
			      "%s", zs->why);
	for (i = 0; i < result->trace.nr; i++) {
		if (vmalloc_leg_of(&call, result, i) == VMALLOC_LEG_PAGE)
			pages += result->trace.steps[i].times;
	}
	KUNIT_EXPECT_TRUE(test, result->seen.page);
	KUNIT_EXPECT_TRUE(test, result->area);
	KUNIT_EXPECT_EQ(test, pages, call.pages);
}
