// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit benchmark of the way from a large block down to single pages.
 *
 * Each call is a test case, run once for each row: a size in a zone state.  A
 * row ends in one line of results, or fails.
 */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sizes.h>

#include "gfp_bench.h"
#include "gfp_fallback_bench_calls.h"
#include "gfp_test_compat.h"

/* Up to a huge page of x86_64. */
static const size_t order_sizes[] = {
	PAGE_SIZE << 1, PAGE_SIZE << 2, PAGE_SIZE << 3, PAGE_SIZE << 4, PAGE_SIZE << 5,
	PAGE_SIZE << 6, PAGE_SIZE << 7, PAGE_SIZE << 8, PAGE_SIZE << 9,
};

static const size_t buffer_sizes[] = { SZ_64K, 200 * SZ_1K, SZ_2M };

static const void *next_order_row(GFP_COMPAT_GEN_PARAMS_ARGS)
{
	return gfp_bench_next_row(order_sizes, ARRAY_SIZE(order_sizes), prev, desc);
}

static const void *next_buffer_row(GFP_COMPAT_GEN_PARAMS_ARGS)
{
	return gfp_bench_next_row(buffer_sizes, ARRAY_SIZE(buffer_sizes), prev, desc);
}

static void alloc_pages_attempt(struct kunit *test)
{
	gfp_bench_row(test, &fallback_alloc_pages, order_sizes);
}

static void filemap_ladder(struct kunit *test)
{
	gfp_bench_row(test, &fallback_filemap, order_sizes);
}

static void vmalloc_size(struct kunit *test)
{
	gfp_bench_row(test, &fallback_vmalloc, buffer_sizes);
}

static void kvmalloc_size(struct kunit *test)
{
	gfp_bench_row(test, &fallback_kvmalloc, buffer_sizes);
}

static struct kunit_case gfp_fallback_bench_cases[] = {
	KUNIT_CASE_SLOW(gfp_bench_noop),
	KUNIT_CASE_PARAM_ATTR(alloc_pages_attempt, next_order_row, { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE_PARAM_ATTR(filemap_ladder, next_order_row, { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE_PARAM_ATTR(vmalloc_size, next_buffer_row, { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE_PARAM_ATTR(kvmalloc_size, next_buffer_row, { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE_SLOW(gfp_bench_cost),
	{}
};

static struct kunit_suite gfp_fallback_bench_suite = {
	.name = "gfp_fallback_bench",
	.suite_init = gfp_bench_init,
	.suite_exit = gfp_bench_exit,
	.test_cases = gfp_fallback_bench_cases,
};

kunit_test_suite(gfp_fallback_bench_suite);

MODULE_DESCRIPTION("KUnit benchmark of the fallback to smaller blocks");
MODULE_LICENSE("GPL");
