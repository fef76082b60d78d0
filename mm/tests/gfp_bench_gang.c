// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks that make the same call at the same time.
 *
 * They are there before the zone state is, since a new task takes memory, and
 * wait to be released together.  What is timed is from the release until the
 * last one is done, less the same of tasks that do nothing.
 */
#include <kunit/resource.h>
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include "gfp_bench_gang.h"

static void play(struct gfp_bench_member *member)
{
	struct gfp_call *call = &member->call->call;

	if (member->gang->what == GFP_BENCH_CALL)
		call->call(call);
	if (member->gang->what == GFP_BENCH_UNDO)
		call->undo(call);
}

static int member_main(void *data)
{
	struct gfp_bench_member *member = data;
	struct gfp_bench_gang *gang = member->gang;
	unsigned int round = 0;

	for (;;) {
		wait_event_idle(gang->wait,
				READ_ONCE(gang->round) != round || kthread_should_stop());
		if (kthread_should_stop())
			return 0;
		round = READ_ONCE(gang->round);
		play(member);
		member->end = gfp_bench_clock();
		if (atomic_dec_and_test(&gang->busy))
			complete(&gang->done);
	}
}

static u64 play_round(struct gfp_bench_gang *gang, enum gfp_bench_round what)
{
	u64 begin, end = 0;
	unsigned int i;

	gang->what = what;
	atomic_set(&gang->busy, gang->nr);
	begin = gfp_bench_clock();
	WRITE_ONCE(gang->round, gang->round + 1);
	wake_up_all(&gang->wait);
	wait_for_completion(&gang->done);
	for (i = 0; i < gang->nr; i++)
		end = max(end, gang->members[i].end);
	return end - begin;
}

/* From just after a timer tick, as the calls are. */
static void time_idle_rounds(struct kunit *test, struct gfp_bench_gang *gang)
{
	u64 *times = kunit_kcalloc(test, GFP_BENCH_IDLE_SAMPLES, sizeof(*times), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, times);
	for (i = 0; i < GFP_BENCH_IDLE_SAMPLES; i++) {
		schedule_timeout_uninterruptible(1);
		times[i] = play_round(gang, GFP_BENCH_NOTHING);
	}
	gfp_bench_sort(times, GFP_BENCH_IDLE_SAMPLES);
	gang->idle = times[GFP_BENCH_IDLE_SAMPLES / 2];
}

static void stop_member(void *task)
{
	kthread_stop(task);
}

static void start_member(struct kunit *test, struct gfp_bench_gang *gang, unsigned int i)
{
	struct gfp_bench_member *member = &gang->members[i];

	member->gang = gang;
	member->task = kthread_create(member_main, member, "gfp-bench/%u", i);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(member->task), "no task: %ld",
			       PTR_ERR(member->task));
	kthread_bind(member->task, cpumask_nth(i % num_online_cpus(), cpu_online_mask));
	wake_up_process(member->task);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, stop_member, member->task), 0);
}

/**
 * gfp_bench_gang() - start the tasks of a point
 * @test: the test case; stops them when it ends
 * @point: the point
 * @api: what they call
 * @size: and for how many bytes
 *
 * Return: the tasks, waiting; never NULL.
 */
struct gfp_bench_gang *gfp_bench_gang(struct kunit *test, const struct gfp_bench_point *point,
				      const struct gfp_bench_api *api, size_t size)
{
	struct gfp_bench_gang *gang = kunit_kzalloc(test, sizeof(*gang), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, gang);
	gang->members = kunit_kcalloc(test, point->threads, sizeof(*gang->members), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, gang->members);
	gang->nr = point->threads;
	init_waitqueue_head(&gang->wait);
	init_completion(&gang->done);
	for (i = 0; i < gang->nr; i++)
		gang->members[i].call = api->prepare(test, point, size);
	for (i = 0; i < gang->nr; i++)
		start_member(test, gang, i);
	time_idle_rounds(test, gang);
	return gang;
}

/**
 * gfp_bench_gang_time() - let each task make its call, all at the same time
 * @gang: the tasks
 *
 * Return: the time until the last one was done, without the cost of timing.
 */
u64 gfp_bench_gang_time(struct gfp_bench_gang *gang)
{
	u64 time = play_round(gang, GFP_BENCH_CALL);

	return time - min(time, gang->idle);
}

/**
 * gfp_bench_gang_undo() - free what the tasks got
 * @gang: the tasks
 *
 * Return: how many pages that were, in sum.
 */
unsigned long gfp_bench_gang_undo(struct gfp_bench_gang *gang)
{
	unsigned long pages = 0;
	unsigned int i;

	play_round(gang, GFP_BENCH_UNDO);
	for (i = 0; i < gang->nr; i++)
		pages += gang->members[i].call->pages;
	return pages;
}
