// SPDX-License-Identifier: GPL-2.0
/*
 * One line of KTAP for each point.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/export.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sprintf.h>

#include "gfp_bench.h"

static char *gfp_bench_variant = "none";
module_param_named(variant, gfp_bench_variant, charp, 0444);
MODULE_PARM_DESC(variant, "name of the kernel's variant, to stand in the results");

/* The nearest rank: a time that was measured. */
static u64 percentile(const struct gfp_bench_result *result, unsigned int percent)
{
	return result->times[DIV_ROUND_UP(result->n * percent, 100) - 1];
}

static u64 sum_of(const struct gfp_bench_result *result)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < result->n; i++)
		sum += result->times[i];
	return sum;
}

static void print_orders(const struct gfp_bench_result *result, char *buf, size_t size)
{
	size_t len = 0;
	int order;

	for (order = MAX_PAGE_ORDER; order >= 0; order--) {
		if (result->orders[order])
			len += scnprintf(buf + len, size - len, "%s%d:%lu", len ? "," : "",
					 order, result->orders[order]);
	}
	if (!len)
		scnprintf(buf, size, "none");
}

/* Three decimals of a quotient. */
static void print_mean(u64 sum, unsigned long of, char *buf, size_t size)
{
	u64 thousandths = of ? div64_ul(sum * 1000, of) : 0;

	if (of)
		scnprintf(buf, size, "%llu.%03u", div_u64(thousandths, 1000),
			  (unsigned int)(thousandths % 1000));
	else
		scnprintf(buf, size, "none");
}

static void report_times(const struct gfp_bench_result *result, char *buf, size_t size)
{
	u64 sum = sum_of(result);
	char mean[32], per_page[32];
	size_t len;

	print_mean(sum, result->n, mean, sizeof(mean));
	print_mean(sum, result->pages, per_page, sizeof(per_page));
	len = scnprintf(buf, size, "n=%u min=%llu p50=%llu p90=%llu p99=%llu max=%llu",
			result->n, result->times[0], percentile(result, 50),
			percentile(result, 90), percentile(result, 99),
			result->times[result->n - 1]);
	scnprintf(buf + len, size - len, " mean=%s per_page=%s ticked=%u discarded=%u",
		  mean, per_page, result->ticked, result->discarded);
}

static void report_effects(const struct gfp_bench_result *result, char *buf, size_t size)
{
	const struct gfp_effects *did = &result->effects;
	const struct {
		const char *name;
		unsigned int sum;
	} effects[] = {
		{ "attempts", did->attempts },
		{ "kswapd", did->kswapd_wakes },
		{ "kcompactd", did->kcompactd_wakes },
		{ "reclaim", did->reclaim_entries },
		{ "compact", did->compact_entries },
		{ "drain", did->drained_pages },
	};
	char orders[NR_PAGE_ORDERS * 16], mean[32];
	size_t len;
	int i;

	print_orders(result, orders, sizeof(orders));
	print_mean(result->scanned, result->n, mean, sizeof(mean));
	len = scnprintf(buf, size, "scanned=%s observed=%u orders=%s", mean, result->observed,
			orders);
	for (i = 0; i < ARRAY_SIZE(effects); i++) {
		print_mean(effects[i].sum, result->observed, mean, sizeof(mean));
		len += scnprintf(buf + len, size - len, " %s=%s", effects[i].name, mean);
	}
}

/**
 * gfp_bench_report_times() - report a point, whatever else there is to say of it
 * @test: the test case
 * @result: what was measured of it; its times are sorted
 * @state: the memory that it was measured in
 * @more: the rest of the line: NAME=VALUE, and a space between two of them
 *
 * Return: the median.
 */
u64 gfp_bench_report_times(struct kunit *test, struct gfp_bench_result *result,
			   const char *state, const char *more)
{
	const struct gfp_bench_point *point = result->point;
	char times[280];

	gfp_bench_sort(result->times, result->n);
	report_times(result, times, sizeof(times));
	kunit_info(test, "bench name=%s variant=%s state=%s free=%u order=%u threads=%u %s %s unit=%s\n",
		   point->name, gfp_bench_variant, state, point->free, point->order,
		   point->threads, times, more, gfp_bench_exact ? "insn" : "ns");
	return percentile(result, 50);
}
EXPORT_SYMBOL_GPL(gfp_bench_report_times);

/**
 * gfp_bench_report() - report a point that was measured in a zone state
 * @test: the test case
 * @result: what was measured of it; its times are sorted
 *
 * Effects are means of the observed calls, orders their sum.
 *
 * Return: the median.
 */
u64 gfp_bench_report(struct kunit *test, struct gfp_bench_result *result)
{
	char effects[440];

	report_effects(result, effects, sizeof(effects));
	return gfp_bench_report_times(test, result, zone_state_name(result->point->state),
				      effects);
}
EXPORT_SYMBOL_GPL(gfp_bench_report);
