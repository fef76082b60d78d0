// SPDX-License-Identifier: GPL-2.0
/*
 * The rows that a call is measured in: each size, in each memory, by so many
 * tasks.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sizes.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "gfp_bench.h"

/* More tasks than there are CPUs to be had say nothing new. */
#define THREADS_MAX	64

/* The states, and the largest free orders that each is measured with if not told. */
static const struct {
	enum zone_state_id state;
	unsigned long frees;
} memories[] = {
	{ ZONE_STATE_INTACT, BIT(0) },
	{ ZONE_STATE_UNMOVABLE, BIT(0) | BIT(3) },
	{ ZONE_STATE_MOVABLE, BIT(0) },
	{ ZONE_STATE_RECLAIMABLE, BIT(0) },
};

static unsigned int orders[NR_PAGE_ORDERS];
static unsigned int nr_orders;
module_param_array(orders, uint, &nr_orders, 0444);
MODULE_PARM_DESC(orders, "wanted orders to measure; all if not given");

static char *states[ARRAY_SIZE(memories)];
static unsigned int nr_states;
module_param_array(states, charp, &nr_states, 0444);
MODULE_PARM_DESC(states, "zone states to measure in; all if not given");

static unsigned int frees[NR_PAGE_ORDERS];
static unsigned int nr_frees;
module_param_array(frees, uint, &nr_frees, 0444);
MODULE_PARM_DESC(frees, "largest free orders of fragmented states; a few if not given");

static unsigned int threads[8] = { 1 };
static unsigned int nr_threads = 1;
module_param_array(threads, uint, &nr_threads, 0444);
MODULE_PARM_DESC(threads, "how many tasks make the call at the same time; 1 if not given");

static bool among(const unsigned int *list, unsigned int nr, unsigned int wanted)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (list[i] == wanted)
			return true;
	}
	return false;
}

static bool state_wanted(const char *name)
{
	unsigned int i;

	for (i = 0; i < nr_states; i++) {
		if (!strcmp(states[i], name))
			return true;
	}
	return !nr_states;
}

static bool state_exists(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(memories); i++) {
		if (!strcmp(zone_state_name(memories[i].state), name))
			return true;
	}
	return false;
}

/**
 * gfp_bench_check_rows() - see whether the rows that are asked for exist
 *
 * Return: 0, or -EINVAL after naming in the log what does not.
 */
int gfp_bench_check_rows(void)
{
	unsigned int i;

	for (i = 0; i < nr_states; i++) {
		if (!state_exists(states[i])) {
			pr_err("no state %s to measure in\n", states[i]);
			return -EINVAL;
		}
	}
	for (i = 0; i < nr_threads; i++) {
		if (!threads[i] || threads[i] > THREADS_MAX) {
			pr_err("threads: %u, and not 1 to %u\n", threads[i], THREADS_MAX);
			return -EINVAL;
		}
	}
	return 0;
}

#define MEMORIES	(ARRAY_SIZE(memories) * NR_PAGE_ORDERS)

/* A parameter is the number of its row, from 1; not all rows are wanted. */
static bool point_of(const size_t *sizes, const void *param, struct gfp_bench_point *point,
		     size_t *size)
{
	unsigned long row = (unsigned long)param - 1;
	unsigned long memory = row % MEMORIES;
	unsigned long usual = memories[memory / NR_PAGE_ORDERS].frees;

	*size = sizes[row / MEMORIES / nr_threads];
	point->state = memories[memory / NR_PAGE_ORDERS].state;
	point->free = memory % NR_PAGE_ORDERS;
	point->threads = threads[row / MEMORIES % nr_threads];
	point->order = ilog2(*size >> PAGE_SHIFT);
	if (!state_wanted(zone_state_name(point->state)) ||
	    (nr_orders && !among(orders, nr_orders, point->order)))
		return false;
	if (nr_frees && point->state != ZONE_STATE_INTACT)
		return point->free < MAX_PAGE_ORDER && among(frees, nr_frees, point->free);
	return usual & BIT(point->free);
}

/**
 * gfp_bench_next_row() - generate rows as parameters of a KUnit case
 * @sizes: the sizes in bytes, each of more than a page
 * @nr: how many
 * @prev: the parameter before, or NULL
 * @desc: where the description of the row goes
 *
 * Return: the parameter, for gfp_bench_row(); NULL after the last one.
 */
const void *gfp_bench_next_row(const size_t *sizes, unsigned int nr, const void *prev,
			       char *desc)
{
	unsigned long last = nr * nr_threads * MEMORIES;
	const void *param = prev + 1;
	struct gfp_bench_point point;
	size_t size;

	while ((unsigned long)param <= last && !point_of(sizes, param, &point, &size))
		param++;
	if ((unsigned long)param > last)
		return NULL;
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%zu KiB, %s, order %u free, %u threads",
		 size / SZ_1K, zone_state_name(point.state), point.free, point.threads);
	return param;
}
EXPORT_SYMBOL_GPL(gfp_bench_next_row);

/**
 * gfp_bench_row() - measure a call in one row
 * @test: the test case, with a parameter of gfp_bench_next_row()
 * @api: the call
 * @sizes: the sizes in bytes
 */
void gfp_bench_row(struct kunit *test, const struct gfp_bench_api *api, const size_t *sizes)
{
	struct gfp_bench_point point = { .name = api->name };
	char name[32];
	size_t size;

	point_of(sizes, test->param_value, &point, &size);
	if (api->sized) {
		snprintf(name, sizeof(name), "%s-%zuk", api->name, size / SZ_1K);
		point.name = name;
	}
	gfp_bench_point(test, &point, api, size);
}
EXPORT_SYMBOL_GPL(gfp_bench_row);
