// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of what a gfp mask promises: who is woken, whether direct reclaim
 * and direct compaction are entered, and whether a page comes back.
 *
 * Every legal mask, at every order, in every zone state, is attempted for real
 * and judged by its rule in gfp_contract.h.  Each rule is a test case, run once
 * for each zone state that it is about.
 */
#include <kunit/test.h>
#include <linux/module.h>

#include "gfp_compaction.h"
#include "gfp_rule.h"
#include "gfp_suite.h"
#include "gfp_test_compat.h"
#include "zone_state.h"

static const void *every_state(GFP_COMPAT_GEN_PARAMS_ARGS)
{
	return gfp_next_state(ZONE_STATES_ALL, prev, desc);
}

/* Where nothing that an attempt does changes the state for the next one. */
static const void *hopeless_states(GFP_COMPAT_GEN_PARAMS_ARGS)
{
	return gfp_next_state(BIT(ZONE_STATE_UNMOVABLE) | BIT(ZONE_STATE_LOW), prev, desc);
}

/* For each rule, a test case of its name and a generator of its states. */
#define GFP_RULE(_name, ...)						\
static void _name(struct kunit *test)					\
{									\
	gfp_sweep_rule(test, &gfp_rules[GFP_RULE_##_name]);			\
}									\
static const void *_name##_states(GFP_COMPAT_GEN_PARAMS_ARGS)		\
{									\
	return gfp_next_state(gfp_rules[GFP_RULE_##_name].states, prev, desc); \
}

#include "gfp_contract.h"
#undef GFP_RULE

static struct kunit_case gfp_compaction_cases[] = {
	KUNIT_CASE(partition),
	KUNIT_CASE(observer_sees_every_effect),
	KUNIT_CASE(observer_sees_scans),
	KUNIT_CASE(observer_sees_kcompactd),
	KUNIT_CASE(observer_ignores_other_tasks),
	KUNIT_CASE(fragment_leaves_the_order),
	KUNIT_CASE_PARAM(state_is_entered_and_left, every_state),
	KUNIT_CASE_PARAM(state_is_undone_by_cleanup, every_state),
	KUNIT_CASE(state_not_proven_is_refused),

	KUNIT_CASE(named_page_cache_falls_back_quietly),
	KUNIT_CASE(named_plain_costly_tries_once),
	KUNIT_CASE(named_thisnode_compacts_once),
	KUNIT_CASE(named_nofail_never_fails),
	KUNIT_CASE(named_nofail_goes_on),
	KUNIT_CASE(named_small_noretry_reclaims),
	KUNIT_CASE(named_atomic_only_wakes_kswapd),
	KUNIT_CASE(named_no_kswapd_bit_no_wakeup),
	KUNIT_CASE(named_nofs_compacts_noio_does_not),
	KUNIT_CASE(named_noio_mayfail_ends),
	KUNIT_CASE(named_mayfail_gets_its_page),

	KUNIT_CASE_PARAM(scope_nofs, hopeless_states),
	KUNIT_CASE_PARAM(scope_noio, hopeless_states),
	KUNIT_CASE_PARAM(scope_noreclaim, hopeless_states),

#define GFP_RULE(_name, ...)						\
	KUNIT_CASE_PARAM_ATTR(_name, _name##_states, { .speed = KUNIT_SPEED_SLOW }),
#include "gfp_contract.h"
#undef GFP_RULE
	{}
};

static struct kunit_suite gfp_compaction_suite = {
	.name = "gfp_compaction",
	.suite_init = gfp_suite_init,
	.suite_exit = gfp_suite_exit,
	.init = gfp_case_init,
	.exit = gfp_case_exit,
	.test_cases = gfp_compaction_cases,
};

kunit_test_suites(&gfp_compaction_suite, &gfp_nodes_suite);

MODULE_DESCRIPTION("KUnit tests of what gfp masks promise");
MODULE_LICENSE("GPL");
