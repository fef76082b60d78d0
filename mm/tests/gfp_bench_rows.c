// SPDX-License-Identifier: GPL-2.0
/*
 * The rows that a call is measured in: each size, in each memory, by so many
 * tasks.
 */
#include <kunit/test.h>
#include <linux/export.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/sprintf.h>

#include "gfp_bench.h"

static const struct {
	enum zone_state_id state;
	unsigned int free;
} memories[] = {
	{ ZONE_STATE_INTACT },
	{ ZONE_STATE_UNMOVABLE, 0 },
	{ ZONE_STATE_UNMOVABLE, 3 },
	{ ZONE_STATE_MOVABLE, 0 },
	{ ZONE_STATE_RECLAIMABLE, 0 },
};

static const unsigned int threads[] = { 1 };

#define ROWS_OF_A_SIZE	(ARRAY_SIZE(memories) * ARRAY_SIZE(threads))

/* A parameter is the number of its row, from 1. */
static size_t point_of(const size_t *sizes, const void *param, struct gfp_bench_point *point)
{
	unsigned long row = (unsigned long)param - 1;
	unsigned long in_size = row % ROWS_OF_A_SIZE;
	size_t size = sizes[row / ROWS_OF_A_SIZE];

	point->state = memories[in_size % ARRAY_SIZE(memories)].state;
	point->free = memories[in_size % ARRAY_SIZE(memories)].free;
	point->threads = threads[in_size / ARRAY_SIZE(memories)];
	point->order = ilog2(size >> PAGE_SHIFT);
	return size;
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
	const void *param = prev + 1;
	struct gfp_bench_point point;
	size_t size;

	if ((unsigned long)param > nr * ROWS_OF_A_SIZE)
		return NULL;
	size = point_of(sizes, param, &point);
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
	size_t size = point_of(sizes, test->param_value, &point);
	char name[32];

	if (api->sized) {
		snprintf(name, sizeof(name), "%s-%zuk", api->name, size / SZ_1K);
		point.name = name;
	}
	gfp_bench_point(test, &point, api->prepare(test, &point, size));
}
EXPORT_SYMBOL_GPL(gfp_bench_row);
