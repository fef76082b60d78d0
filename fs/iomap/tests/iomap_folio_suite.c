// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of buffered writes through iomap on memory that is fragmented on
 * purpose: which folios are asked for and how, whether direct reclaim and direct
 * compaction are entered for them, and that no byte is lost.
 *
 * Each attempt of each write is judged by its rule in iomap_folio_contract.h.
 * Each rule is a test case, run once for each zone state that it is about.
 */
#include <kunit/test.h>
#include <linux/module.h>

#include "gfp_suite.h"
#include "gfp_test_compat.h"
#include "iomap_folio.h"
#include "iomap_folio_rule.h"

static const void *every_state(GFP_COMPAT_GEN_PARAMS_ARGS)
{
	return gfp_next_state(ZONE_STATES_ALL, prev, desc);
}

static const void *hopeless_states(GFP_COMPAT_GEN_PARAMS_ARGS)
{
	return gfp_next_state(BIT(ZONE_STATE_UNMOVABLE) | BIT(ZONE_STATE_DEFERRED) |
			      BIT(ZONE_STATE_LOW), prev, desc);
}

/* For each rule, a test case of its name and a generator of its states. */
#define IOMAP_RULE(_name, ...)						\
static void _name(struct kunit *test)					\
{									\
	iomap_sweep_rule(test, &iomap_rules[IOMAP_RULE_##_name]);	\
}									\
static const void *_name##_states(GFP_COMPAT_GEN_PARAMS_ARGS)		\
{									\
	return gfp_next_state(iomap_rules[IOMAP_RULE_##_name].states,	\
			      prev, desc);				\
}

#include "iomap_folio_contract.h"
#undef IOMAP_RULE

static struct kunit_case iomap_folio_cases[] = {
	KUNIT_CASE(attempt_has_one_rule),

	KUNIT_CASE(order_follows_length),
	KUNIT_CASE(order_within_mapping),
	KUNIT_CASE_PARAM(order_by_order_down, hopeless_states),

#define IOMAP_RULE(_name, ...)						\
	KUNIT_CASE_PARAM_ATTR(_name, _name##_states, { .speed = KUNIT_SPEED_SLOW }),
#include "iomap_folio_contract.h"
#undef IOMAP_RULE

	KUNIT_CASE_PARAM_ATTR(write_is_complete, every_state,
			      { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE_PARAM_ATTR(nowait_write_is_complete, every_state,
			      { .speed = KUNIT_SPEED_SLOW }),

	KUNIT_CASE(zeroes_around_the_write),
	KUNIT_CASE(reads_around_the_write),
	KUNIT_CASE(read_error_is_returned),
	KUNIT_CASE(inline_data_is_written),
	KUNIT_CASE(extents_are_committed),
	KUNIT_CASE(dontcache_is_marked),
	KUNIT_CASE(nowait_does_not_read),
	KUNIT_CASE(nowait_without_memory),

	KUNIT_CASE(segments_are_joined),
	KUNIT_CASE(fault_ends_the_write),
	KUNIT_CASE(short_copy_ends_the_write),
	KUNIT_CASE(short_copy_is_made_again),
	{}
};

static struct kunit_suite iomap_folio_suite = {
	.name = "iomap_folio",
	.suite_init = gfp_suite_init,
	.suite_exit = gfp_suite_exit,
	.init = gfp_case_init,
	.exit = gfp_case_exit,
	.test_cases = iomap_folio_cases,
};

kunit_test_suite(iomap_folio_suite);

MODULE_DESCRIPTION("KUnit tests of folios for buffered writes through iomap");
MODULE_LICENSE("GPL");
