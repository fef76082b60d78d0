// SPDX-License-Identifier: GPL-2.0
/*
 * The sweep: writes of many sizes in one zone state, judged attempt by attempt.
 */
#include <kunit/test.h>
#include <linux/ktime.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "iomap_folio.h"
#include "iomap_folio_rule.h"
#include "iomap_folio_write.h"

/* Where free memory is low, a write of more pages would use it up. */
#define LEN_MAX_LOW		SZ_64K

#define LEN_MAX			SZ_2M

/*
 * Of each write the first %ALLOC_TRACE_STEPS attempts are judged: all of them up
 * to 64 KiB, and beyond that at least those for the first folio.  So each order
 * is somewhere the first that is asked for.
 */
static const struct iomap_test_write writes[] = {
	{ 0, 1 },
	{ SZ_4K - 1, 2 },
	{ 0, SZ_4K },
	{ 0, SZ_8K },
	{ SZ_4K, SZ_16K },
	{ 0, SZ_16K },
	{ SZ_64K, SZ_32K },
	{ 0, SZ_64K },
	{ 12345, SZ_64K - 678 },
	{ SZ_128K, SZ_128K + 1 },
	{ 0, SZ_256K },
	{ SZ_512K, SZ_512K },
	{ 0, SZ_1M },
	{ SZ_1M - 1, SZ_1M },
	{ SZ_4M, SZ_2M },
};

/**
 * struct sweep - one rule, in one zone state
 * @rule: the rule
 * @zs: the state
 * @file: what is written to
 * @buf: room for the longest write
 * @seen: what the last write did
 * @tally: how the rule fared
 */
struct sweep {
	const struct iomap_rule *rule;
	struct zone_state *zs;
	struct iomap_test_file *file;
	void *buf;
	struct iomap_seen seen;
	struct gfp_tally *tally;
};

static void hold_to(struct sweep *sweep, enum gfp_verdict_id id,
		    const struct alloc_step *step)
{
	enum zone_state_id state = sweep->zs->id;
	char *text;

	if (iomap_step_kept(sweep->rule, id, state, step)) {
		gfp_tally_kept(sweep->tally, id);
		return;
	}
	text = gfp_tally_broken(sweep->tally, id);
	if (text)
		iomap_describe_breach(sweep->rule, id, state, step, text,
				      GFP_BREACH_TEXT);
}

/*
 * Where reclaim or compaction can help, the state is no longer the proven one
 * once they had a go, or a page was taken.
 */
static bool ends_proof(const struct zone_state *zs, const struct alloc_step *step)
{
	if (zs->id == ZONE_STATE_INTACT || zone_state_hopeless(zs->id))
		return false;
	return step->did.page || step->did.reclaim_entries ||
	       step->did.compact_entries;
}

static void judge_steps(struct sweep *sweep)
{
	const struct alloc_trace *trace = &sweep->seen.trace;
	const struct iomap_rule *rule = sweep->rule;
	unsigned int i;

	for (i = 0; i < trace->nr; i++) {
		const struct alloc_step *step = &trace->steps[i];

		if (iomap_rule_covers(rule, sweep->zs->id, step->order, rule->nowait)) {
			sweep->tally->cells++;
			hold_to(sweep, GFP_CHOSEN, step);
			hold_to(sweep, GFP_OTHER, step);
		}
		if (ends_proof(sweep->zs, step))
			break;
	}
}

/* Returns false if the write was not made, which counts as a cell not judged. */
static bool observe(struct sweep *sweep, const struct iomap_test_write *write,
		    int flags)
{
	if (iomap_observe(sweep->zs, sweep->file, write, sweep->buf, flags,
			  &sweep->seen, &sweep->tally->again))
		return true;
	gfp_tally_not_judged(sweep->tally, "state %s, %zu bytes at %lld: %s",
			     zone_state_name(sweep->zs->id), write->len, write->pos,
			     sweep->zs->why);
	return false;
}

static bool fits(enum zone_state_id id, const struct iomap_test_write *write)
{
	return id != ZONE_STATE_LOW || write->len <= LEN_MAX_LOW;
}

static struct sweep *sweep_begin(struct kunit *test, const char *source)
{
	const enum zone_state_id *id = test->param_value;
	struct sweep *sweep = kunit_kzalloc(test, sizeof(*sweep), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, sweep);
	sweep->tally = gfp_tally_new(test, source, *id);
	sweep->buf = iomap_test_buffer(test, LEN_MAX);
	sweep->file = iomap_test_file(test);
	sweep->zs = zone_state_enter(test, *id, 0);
	return sweep;
}

/**
 * iomap_sweep_rule() - judge all attempts of a rule in one zone state
 * @test: the test case; its parameter is the state
 * @rule: the rule
 */
void iomap_sweep_rule(struct kunit *test, const struct iomap_rule *rule)
{
	ktime_t start = ktime_get();
	struct sweep *sweep;
	int i;

	if (rule->orders.min)
		iomap_needs_large_folios(test);
	sweep = sweep_begin(test, rule->source);
	sweep->rule = rule;
	for (i = 0; i < ARRAY_SIZE(writes); i++) {
		if (fits(sweep->zs->id, &writes[i]) &&
		    observe(sweep, &writes[i], rule->nowait ? IOCB_NOWAIT : 0))
			judge_steps(sweep);
	}
	sweep->tally->ms = ktime_ms_delta(ktime_get(), start);
	gfp_tally_report(test, sweep->tally);
}

static void sweep_complete(struct kunit *test, const char *source, int flags)
{
	struct sweep *sweep = sweep_begin(test, source);
	int i;

	for (i = 0; i < ARRAY_SIZE(writes); i++) {
		if (!fits(sweep->zs->id, &writes[i]) ||
		    !observe(sweep, &writes[i], flags))
			continue;
		gfp_tally_expect(sweep->tally, sweep->seen.complete,
				 "state %s, %zu bytes at %lld: %s",
				 zone_state_name(sweep->zs->id), writes[i].len,
				 writes[i].pos, sweep->seen.why);
	}
	gfp_tally_report(test, sweep->tally);
}

/* Fragmentation is no reason for a write to fail, or to lose a byte. */
void write_is_complete(struct kunit *test)
{
	sweep_complete(test,
		       "pagemap.h, fgf_set_order(): memory pressure makes folios smaller, and no write fail",
		       0);
}

/* Nor is it a reason to block where a single page will do. */
void nowait_write_is_complete(struct kunit *test)
{
	sweep_complete(test,
		       "pagemap.h, fgf_set_order(): a folio smaller than suggested will do, also for IOMAP_NOWAIT",
		       IOCB_NOWAIT);
}

/* Every attempt that a write can make has exactly one rule. */
void attempt_has_one_rule(struct kunit *test)
{
	unsigned int state, order, nowait;
	int i, rules;

	for (state = 0; state < NR_ZONE_STATES; state++) {
		for (order = 0; order <= MAX_PAGE_ORDER; order++) {
			for (nowait = 0; nowait < 2; nowait++) {
				rules = 0;
				for (i = 0; i < NR_IOMAP_RULES; i++)
					rules += iomap_rule_covers(&iomap_rules[i], state,
								   order, nowait);
				KUNIT_EXPECT_EQ_MSG(test, rules, 1,
						    "state %s, order %u, nowait %u",
						    zone_state_name(state), order, nowait);
			}
		}
	}
}
