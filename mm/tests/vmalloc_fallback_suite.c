// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of what vmalloc() and kvmalloc() do on their way from large blocks
 * down to single pages: what they ask the page allocator for, what that costs,
 * and whether memory comes back.
 *
 * Each rule in vmalloc_contract.h is a test case, run once for each zone state
 * that it is about.
 */
#include <kunit/test.h>
#include <linux/module.h>

#include "gfp_suite.h"
#include "gfp_test_compat.h"
#include "vmalloc_fallback.h"
#include "vmalloc_rule.h"

/* For each rule, a test case of its name and a generator of its states. */
#define VMALLOC_RULE(_name, ...)					\
static void _name(struct kunit *test)					\
{									\
	vmalloc_sweep_rule(test, &vmalloc_rules[VMALLOC_RULE_##_name]);	\
}									\
static const void *_name##_states(GFP_COMPAT_GEN_PARAMS_ARGS)		\
{									\
	return gfp_next_state(vmalloc_rules[VMALLOC_RULE_##_name].states, \
			      prev, desc);				\
}

#include "vmalloc_contract.h"
#undef VMALLOC_RULE

static struct kunit_case vmalloc_fallback_cases[] = {
	KUNIT_CASE(every_rule_has_calls),
	KUNIT_CASE(rising_order_is_seen),
	KUNIT_CASE(single_pages_are_seen),

#define VMALLOC_RULE(_name, ...)					\
	KUNIT_CASE_PARAM_ATTR(_name, _name##_states, { .speed = KUNIT_SPEED_SLOW }),
#include "vmalloc_contract.h"
#undef VMALLOC_RULE
	{}
};

static struct kunit_suite vmalloc_fallback_suite = {
	.name = "vmalloc_fallback",
	.suite_init = gfp_suite_init,
	.suite_exit = gfp_suite_exit,
	.init = gfp_case_init,
	.exit = gfp_case_exit,
	.test_cases = vmalloc_fallback_cases,
};

kunit_test_suite(vmalloc_fallback_suite);

MODULE_DESCRIPTION("KUnit tests of how vmalloc and kvmalloc fall back to single pages");
MODULE_LICENSE("GPL");
