// SPDX-License-Identifier: GPL-2.0
/*
 * The clock that calls are timed by, and what reading it costs.
 *
 * Under QEMU with -icount shift=0 the cycle counter counts instructions, the
 * same number in each run.  That is not taken on trust: a thousand instructions
 * must count as a thousand.
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "gfp_bench.h"
#include "live_machine.h"

#define NOOP_SAMPLES		1001

/* A timer tick may hit a sample, not all of them. */
#define CLOCK_SAMPLES		15

static char *gfp_bench_unit = "ns";
module_param_named(unit, gfp_bench_unit, charp, 0444);
MODULE_PARM_DESC(unit, "what to count: ns, or insn where the cycle counter counts instructions");

bool gfp_bench_exact;
EXPORT_SYMBOL_GPL(gfp_bench_exact);

static struct {
	struct gfp_bench_result result;
	u64 times[NOOP_SAMPLES];
	u64 typical;
	u64 spread;
	u64 smallest;
} noop;

static const struct gfp_bench_point noop_point = {
	.name = "noop", .state = ZONE_STATE_INTACT, .threads = 1,
};

static void do_nothing(struct gfp_call *call)
{
}

static void thousand_instructions(struct gfp_call *call)
{
	asm volatile(".rept 1000\n\tnop\n\t.endr");
}

static u64 quickest(void (*what)(struct gfp_call *call))
{
	struct gfp_call call = { .call = what };
	u64 time = U64_MAX;
	int i;

	for (i = 0; i < CLOCK_SAMPLES; i++)
		time = min(time, gfp_bench_time(&call));
	return time;
}

static int choose_clock(void)
{
	u64 nothing, thousand;

	gfp_bench_exact = !strcmp(gfp_bench_unit, "insn");
	if (!gfp_bench_exact && strcmp(gfp_bench_unit, "ns")) {
		pr_err("no unit %s: there are insn and ns\n", gfp_bench_unit);
		return -EINVAL;
	}
	if (!gfp_bench_exact)
		return 0;
	nothing = quickest(do_nothing);
	thousand = quickest(thousand_instructions);
	if (thousand - nothing == 1000)
		return 0;
	pr_err("unit insn: a thousand instructions count as %lld\n",
	       (s64)(thousand - nothing));
	return -EINVAL;
}

static int compare_times(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/**
 * gfp_bench_sort() - sort times, the shortest first
 * @times: the times
 * @n: how many
 */
void gfp_bench_sort(u64 *times, unsigned int n)
{
	sort(times, n, sizeof(*times), compare_times, NULL);
}

static void time_nothing(void)
{
	struct gfp_call call = { .call = do_nothing };
	u64 *sorted = noop.times;
	int i;

	for (i = 0; i < NOOP_SAMPLES; i++)
		sorted[i] = gfp_bench_time(&call);
	gfp_bench_sort(sorted, NOOP_SAMPLES);
	noop.typical = sorted[NOOP_SAMPLES / 2];
	noop.spread = sorted[NOOP_SAMPLES * 9 / 10] - sorted[NOOP_SAMPLES / 10];
	noop.smallest = U64_MAX;
	noop.result = (struct gfp_bench_result){
		.point = &noop_point, .times = sorted, .n = NOOP_SAMPLES,
	};
}

/**
 * gfp_bench_init() - make ready to measure
 * @suite: the suite
 *
 * Return: 0, -EINVAL if there are no such rows or the clock does not count what it
 * is said to, or why the memory giver could not be started.
 */
int gfp_bench_init(struct kunit_suite *suite)
{
	int err = gfp_bench_check_rows() ?: choose_clock();

	if (err)
		return err;
	time_nothing();
	err = memory_giver_start();
	if (!err)
		live_machine_begin();
	return err;
}
EXPORT_SYMBOL_GPL(gfp_bench_init);

/**
 * gfp_bench_exit() - undo gfp_bench_init(), also one that failed
 * @suite: the suite
 */
void gfp_bench_exit(struct kunit_suite *suite)
{
	live_machine_end();
	memory_giver_stop();
}
EXPORT_SYMBOL_GPL(gfp_bench_exit);

/**
 * gfp_bench_time() - make a call, and time it
 * @call: the call
 *
 * Preemption stays on, since the call may sleep.
 *
 * Return: its time, with the cost of timing.
 */
noinline u64 gfp_bench_time(struct gfp_call *call)
{
	u64 before = gfp_bench_clock();

	call->call(call);
	return gfp_bench_clock() - before;
}
EXPORT_SYMBOL_GPL(gfp_bench_time);

/**
 * gfp_bench_net() - take the cost of timing off
 * @time: from gfp_bench_time()
 *
 * Return: the time less that of a call which does nothing.
 */
u64 gfp_bench_net(u64 time)
{
	return time - min(time, noop.typical);
}
EXPORT_SYMBOL_GPL(gfp_bench_net);

/**
 * gfp_bench_noop() - test case: what timing itself costs
 * @test: the test case
 *
 * Nothing is taken off here.
 */
void gfp_bench_noop(struct kunit *test)
{
	gfp_bench_report(test, &noop.result);
}
EXPORT_SYMBOL_GPL(gfp_bench_noop);

/**
 * gfp_bench_smallest() - note the time of a point
 * @time: its median
 */
void gfp_bench_smallest(u64 time)
{
	noop.smallest = min(noop.smallest, time);
}

/**
 * gfp_bench_cost() - test case, the last one: what timing adds to the results
 * @test: the test case
 *
 * The typical cost has been taken off.  What is left is how far it varies.  That
 * must be less than 1% of the smallest median where instructions are counted; of
 * times, which some clocks tell no better than to a quarter of a microsecond, it is
 * only said.
 */
void gfp_bench_cost(struct kunit *test)
{
	if (noop.smallest == U64_MAX)
		kunit_skip(test, "nothing was measured");
	kunit_info(test, "bench-cost noop=%llu left=%llu smallest=%llu unit=%s\n",
		   noop.typical, noop.spread, noop.smallest, gfp_bench_unit);
	if (!gfp_bench_exact)
		return;
	KUNIT_EXPECT_LT_MSG(test, noop.spread * 100, noop.smallest,
			    "timing alone is off by %llu %s, the smallest median is %llu",
			    noop.spread, gfp_bench_unit, noop.smallest);
}
EXPORT_SYMBOL_GPL(gfp_bench_cost);
