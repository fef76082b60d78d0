// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit benchmark of vmalloc() in two patterns.
 *
 * A buffer that is freed at once leaves its pages on the per-CPU lists, for the
 * next one to take from there; buffers that are all kept until the last one is
 * there have to come off the buddy lists.  Which of them a pattern measures is
 * not taken on trust: beside each time stands how many pages left the buddy
 * lists for it, and how many came back.
 *
 * Memory is as it was after boot.  Nothing is held apart, nobody is held asleep.
 */
#include <kunit/resource.h>
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/container_of.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/numa.h>
#include <linux/sprintf.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "gfp_bench.h"
#include "gfp_test_compat.h"
#include "vmalloc_settle.h"
#include "zone_memory.h"

/* Of the free memory, what buffers may take: reclaim is not to set in. */
#define ROOM_PERCENT	75

static unsigned int iterations[4] = { 1000, 20000 };
static unsigned int nr_iterations = 2;
module_param_array(iterations, uint, &nr_iterations, 0444);
MODULE_PARM_DESC(iterations, "how many buffers to allocate; fewer where memory ends");

static const unsigned int buffer_pages[] = { 1, 4, 16, 64, 256, 512 };

/**
 * struct pattern - a row
 * @pages: the size of a buffer
 * @huge: vmalloc_huge(), not vmalloc()
 * @keep: all buffers are allocated before the first is freed
 * @iterations: how many buffers
 */
struct pattern {
	unsigned int pages;
	bool huge;
	bool keep;
	unsigned int iterations;
};

/**
 * struct pattern_run - a row being measured
 * @row: the row
 * @pgdat: the node whose memory is looked at
 * @call: allocates or frees @memory
 * @memory: the buffer
 * @kept: the buffers, in the order of allocation
 * @times: for each, the time to allocate and to free it, in sum
 * @n: how many buffers there are
 * @failed: vmalloc() returned none
 * @taken: pages that left the buddy lists while buffers were allocated
 * @returned: pages that came back while they were freed
 */
struct pattern_run {
	struct pattern row;
	pg_data_t *pgdat;
	struct gfp_call call;
	void *memory;
	void **kept;
	u64 *times;
	unsigned int n;
	bool failed;
	long taken;
	long returned;
};

static struct pattern_run *run_of(struct gfp_call *call)
{
	return container_of(call, struct pattern_run, call);
}

static void get_small(struct gfp_call *call)
{
	struct pattern_run *run = run_of(call);

	run->memory = vmalloc((unsigned long)run->row.pages << PAGE_SHIFT);
}

static void get_huge(struct gfp_call *call)
{
	struct pattern_run *run = run_of(call);

	run->memory = vmalloc_huge((unsigned long)run->row.pages << PAGE_SHIFT, GFP_KERNEL);
}

static void put(struct gfp_call *call)
{
	vfree(run_of(call)->memory);
}

/* Returns how many pages left the buddy lists meanwhile. */
static long timed(struct pattern_run *run, void (*what)(struct gfp_call *call), u64 *time)
{
	long free = zone_memory_free(run->pgdat);

	run->call.call = what;
	*time += gfp_bench_net(gfp_bench_time(&run->call));
	return free - zone_memory_free(run->pgdat);
}

static void get_buffer(struct pattern_run *run, unsigned int i)
{
	run->taken += timed(run, run->row.huge ? get_huge : get_small, &run->times[i]);
	run->kept[i] = run->memory;
	run->failed |= !run->memory;
}

static void put_buffer(struct pattern_run *run, unsigned int i)
{
	run->memory = run->kept[i];
	run->returned -= timed(run, put, &run->times[i]);
}

/* Nothing asserts here, so that every buffer is freed. */
static void run_pattern(struct pattern_run *run)
{
	unsigned int i;

	for (i = 0; i < run->n; i++) {
		get_buffer(run, i);
		if (!run->row.keep)
			put_buffer(run, i);
	}
	for (i = 0; i < run->n && run->row.keep; i++)
		put_buffer(run, i);
}

static void free_array(void *array)
{
	vfree(array);
	vmalloc_settle();
}

static void *new_array(struct kunit *test, unsigned int n, size_t size)
{
	void *array = vzalloc(array_size(n, size));

	KUNIT_ASSERT_NOT_NULL(test, array);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, free_array, array), 0);
	return array;
}

static void report(struct kunit *test, struct pattern_run *run)
{
	const struct pattern *row = &run->row;
	char name[64], more[96];
	const struct gfp_bench_point point = {
		.name = name, .order = ilog2(row->pages), .threads = 1,
	};
	struct gfp_bench_result result = {
		.point = &point, .times = run->times, .n = run->n,
		.pages = (unsigned long)run->n * row->pages,
	};

	snprintf(name, sizeof(name), "vmalloc%s-%up-%s-%u", row->huge ? "_huge" : "", row->pages,
		 row->keep ? "all" : "once", row->iterations);
	snprintf(more, sizeof(more), "iterations=%u pages=%lu taken=%ld returned=%ld",
		 row->iterations, result.pages, run->taken, run->returned);
	gfp_bench_smallest(gfp_bench_report_times(test, &result, "booted", more));
}

static void vmalloc_pattern(struct kunit *test)
{
	struct pattern_run *run = kunit_kzalloc(test, sizeof(*run), GFP_KERNEL);
	unsigned long room;

	KUNIT_ASSERT_NOT_NULL(test, run);
	run->row = *(const struct pattern *)test->param_value;
	run->pgdat = NODE_DATA(numa_node_id());
	run->kept = new_array(test, run->row.iterations, sizeof(*run->kept));
	run->times = new_array(test, run->row.iterations, sizeof(*run->times));
	vmalloc_warm_up(run->row.pages);
	room = nr_free_pages() / 100 * ROOM_PERCENT / run->row.pages;
	run->n = run->row.keep ? min(run->row.iterations, room) : run->row.iterations;
	KUNIT_ASSERT_GT_MSG(test, run->n, 0, "no room for a buffer of %u pages", run->row.pages);
	run_pattern(run);
	KUNIT_ASSERT_FALSE_MSG(test, run->failed, "vmalloc() of %u pages failed", run->row.pages);
	report(test, run);
}

/* A parameter is a row; the rows of a size stand side by side. */
static const void *next_pattern(GFP_COMPAT_GEN_PARAMS_ARGS)
{
	static struct pattern row;
	static unsigned int nr;
	unsigned int rest;

	nr = prev ? nr + 1 : 0;
	rest = nr;
	row.huge = rest % 2;
	rest /= 2;
	row.keep = rest % 2;
	rest /= 2;
	row.iterations = iterations[rest % nr_iterations];
	rest /= nr_iterations;
	if (rest >= ARRAY_SIZE(buffer_pages))
		return NULL;
	row.pages = buffer_pages[rest];
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%u pages%s, %s, %u times", row.pages,
		 row.huge ? ", huge" : "", row.keep ? "kept" : "freed at once", row.iterations);
	return &row;
}

static int vmalloc_pattern_init(struct kunit_suite *suite)
{
	unsigned int i;

	for (i = 0; i < nr_iterations; i++) {
		if (!iterations[i]) {
			pr_err("iterations: 0 buffers cannot be timed\n");
			return -EINVAL;
		}
	}
	return gfp_bench_init(suite);
}

static struct kunit_case vmalloc_pattern_bench_cases[] = {
	KUNIT_CASE_SLOW(gfp_bench_noop),
	KUNIT_CASE_PARAM_ATTR(vmalloc_pattern, next_pattern, { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE_SLOW(gfp_bench_cost),
	{}
};

static struct kunit_suite vmalloc_pattern_bench_suite = {
	.name = "vmalloc_pattern_bench",
	.suite_init = vmalloc_pattern_init,
	.suite_exit = gfp_bench_exit,
	.test_cases = vmalloc_pattern_bench_cases,
};

kunit_test_suite(vmalloc_pattern_bench_suite);

MODULE_DESCRIPTION("KUnit benchmark of vmalloc() from the per-CPU and the buddy lists");
MODULE_LICENSE("GPL");
