/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the vmalloc_fallback suite.
 */
#ifndef _MM_TESTS_VMALLOC_FALLBACK_H
#define _MM_TESTS_VMALLOC_FALLBACK_H

struct kunit;
struct vmalloc_rule;

void vmalloc_sweep_rule(struct kunit *test, const struct vmalloc_rule *rule);

/* Test cases of the tests themselves, see vmalloc_fallback_selftest.c */
void single_pages_are_seen(struct kunit *test);
void rising_order_is_seen(struct kunit *test);
void every_rule_has_calls(struct kunit *test);

#endif /* _MM_TESTS_VMALLOC_FALLBACK_H */
