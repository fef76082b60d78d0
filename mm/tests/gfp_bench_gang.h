/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks that make the same call at the same time.
 */
#ifndef _MM_TESTS_GFP_BENCH_GANG_H
#define _MM_TESTS_GFP_BENCH_GANG_H

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "gfp_bench.h"

struct gfp_bench_gang;

/**
 * enum gfp_bench_round - what the tasks do together
 * @GFP_BENCH_NOTHING: nothing
 * @GFP_BENCH_CALL: each makes its call
 * @GFP_BENCH_UNDO: each frees what it got, on the CPU where it got it
 */
enum gfp_bench_round {
	GFP_BENCH_NOTHING,
	GFP_BENCH_CALL,
	GFP_BENCH_UNDO,
};

/**
 * struct gfp_bench_member - one of the tasks
 * @gang: the gang
 * @task: the task
 * @call: the call that it makes, its own
 * @end: when the call ended, see gfp_bench_clock()
 */
struct gfp_bench_member {
	struct gfp_bench_gang *gang;
	struct task_struct *task;
	struct gfp_bench_call *call;
	u64 end;
};

/**
 * struct gfp_bench_gang - tasks that make the same call at the same time
 * @nr: how many
 * @members: the tasks, each bound to a CPU, one after another
 * @wait: where they wait for the next round
 * @round: its number
 * @what: what they do in it
 * @busy: how many are not done with it
 * @done: the last one is
 * @idle: the time of a round in which they do nothing
 */
struct gfp_bench_gang {
	unsigned int nr;
	struct gfp_bench_member *members;
	wait_queue_head_t wait;
	unsigned int round;
	enum gfp_bench_round what;
	atomic_t busy;
	struct completion done;
	u64 idle;
};

struct gfp_bench_gang *gfp_bench_gang(struct kunit *test, const struct gfp_bench_point *point,
				      const struct gfp_bench_api *api, size_t size);
u64 gfp_bench_gang_time(struct gfp_bench_gang *gang);
unsigned long gfp_bench_gang_undo(struct gfp_bench_gang *gang);

#endif /* _MM_TESTS_GFP_BENCH_GANG_H */
