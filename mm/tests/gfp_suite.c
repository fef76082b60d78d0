// SPDX-License-Identifier: GPL-2.0
/*
 * What the gfp suites have in common.
 */
#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/hash.h>
#include <linux/math.h>
#include <linux/moduleparam.h>
#include <linux/sprintf.h>
#include <linux/stdarg.h>
#include <linux/string.h>

#include "alloc_fault.h"
#include "alloc_observer.h"
#include "gfp_rule.h"
#include "gfp_suite.h"
#include "live_machine.h"
#include "memory_giver.h"

/* The contract that the kernel is held to: "nodirect" or "documented". */
char *gfp_contract = "nodirect";
EXPORT_SYMBOL_GPL(gfp_contract);
module_param_named(contract, gfp_contract, charp, 0444);
MODULE_PARM_DESC(contract, "what to hold the kernel to: nodirect or documented");

/* Judge one cell in so many. */
static unsigned int gfp_one_in = 1;
module_param_named(one_in, gfp_one_in, uint, 0444);
MODULE_PARM_DESC(one_in, "attempt one cell in so many of a sweep, the same ones each time");

/* For those who want to see what the suites do when memory is short. */
static unsigned int gfp_fail_nth;
module_param_named(fail_nth, gfp_fail_nth, uint, 0444);
MODULE_PARM_DESC(fail_nth, "let every n-th allocation of each test case fail; 0: none");

static const enum zone_state_id zone_state_ids[] = {
	ZONE_STATE_INTACT, ZONE_STATE_UNMOVABLE, ZONE_STATE_MOVABLE, ZONE_STATE_RECLAIMABLE,
	ZONE_STATE_DEFERRED, ZONE_STATE_LOW,
};

/**
 * gfp_suite_init() - make ready to attempt and to judge
 * @suite: the suite
 *
 * Return: 0, -EINVAL if there is no such contract, or why the observer or the
 * giver could not be started.
 */
int gfp_suite_init(struct kunit_suite *suite)
{
	int err;

	if (!gfp_rule_promise(&gfp_rules[0], gfp_contract)) {
		pr_err("no contract %s: there are nodirect and documented\n",
		       gfp_contract);
		return -EINVAL;
	}
	err = alloc_observer_register();
	if (err)
		return err;
	err = memory_giver_start();
	if (err) {
		alloc_observer_unregister();
		return err;
	}
	live_machine_begin();
	return 0;
}
EXPORT_SYMBOL_GPL(gfp_suite_init);

/**
 * gfp_suite_exit() - undo gfp_suite_init(), also one that failed
 * @suite: the suite
 */
void gfp_suite_exit(struct kunit_suite *suite)
{
	live_machine_end();
	memory_giver_stop();
	alloc_observer_unregister();
}
EXPORT_SYMBOL_GPL(gfp_suite_exit);

/**
 * gfp_case_init() - make ready for a test case
 * @test: the test case; skipped if a signal has stopped the suite
 *
 * Return: 0.
 */
int gfp_case_init(struct kunit *test)
{
	int sig = live_machine_signal();

	if (sig)
		kunit_skip(test, "stopped by signal %d", sig);
	if (gfp_fail_nth) {
		alloc_fault_init(test);
		alloc_fault_start(ALLOC_FAULT_ANY, gfp_fail_nth);
	}
	return 0;
}
EXPORT_SYMBOL_GPL(gfp_case_init);

/**
 * gfp_case_exit() - undo gfp_case_init()
 * @test: the test case
 */
void gfp_case_exit(struct kunit *test)
{
	if (gfp_fail_nth)
		kunit_info(test, "gfp-note: %u allocations failed on purpose\n",
			   alloc_fault_stop());
}
EXPORT_SYMBOL_GPL(gfp_case_exit);

/**
 * gfp_contract_name() - the contract behind a verdict
 * @id: which verdict
 *
 * Return: the name.
 */
const char *gfp_contract_name(enum gfp_verdict_id id)
{
	return id == GFP_CHOSEN ? gfp_contract : gfp_contract_other(gfp_contract);
}
EXPORT_SYMBOL_GPL(gfp_contract_name);

/**
 * gfp_is_nodirect() - which of a rule's bounds a verdict is about
 * @id: which verdict
 *
 * Return: true for the contract "nodirect", false for "documented".
 */
bool gfp_is_nodirect(enum gfp_verdict_id id)
{
	return !strcmp(gfp_contract_name(id), "nodirect");
}
EXPORT_SYMBOL_GPL(gfp_is_nodirect);

/**
 * gfp_next_state() - generate zone states as parameters of a KUnit case
 * @states: a set of BIT(enum zone_state_id)
 * @prev: the parameter before, or NULL
 * @desc: where the name of the state goes
 *
 * Return: a pointer to the enum zone_state_id, NULL after the last one.
 */
const void *gfp_next_state(unsigned long states, const void *prev, char *desc)
{
	const enum zone_state_id *id = prev;

	for (id = id ? id + 1 : zone_state_ids;
	     id < zone_state_ids + ARRAY_SIZE(zone_state_ids); id++) {
		if (states & BIT(*id)) {
			strscpy(desc, zone_state_name(*id), KUNIT_PARAM_DESC_SIZE);
			return id;
		}
	}
	return NULL;
}
EXPORT_SYMBOL_GPL(gfp_next_state);

/**
 * gfp_need_large_folios() - skip a test case that cannot be without them
 * @test: the test case
 */
void gfp_need_large_folios(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_TRANSPARENT_HUGEPAGE))
		kunit_skip(test, "no large folios without CONFIG_TRANSPARENT_HUGEPAGE");
}
EXPORT_SYMBOL_GPL(gfp_need_large_folios);

/**
 * gfp_tally_kept() - an attempt kept a contract
 * @tally: the tally
 * @id: which contract
 */
void gfp_tally_kept(struct gfp_tally *tally, enum gfp_verdict_id id)
{
	tally->verdicts[id].kept++;
}
EXPORT_SYMBOL_GPL(gfp_tally_kept);

/**
 * gfp_tally_broken() - an attempt broke a contract
 * @tally: the tally
 * @id: which contract
 *
 * Return: where the caller is to spell the breach out, %GFP_BREACH_TEXT bytes;
 * NULL if enough have been.
 */
char *gfp_tally_broken(struct gfp_tally *tally, enum gfp_verdict_id id)
{
	struct gfp_verdict *verdict = &tally->verdicts[id];
	unsigned long nth = verdict->broken++;

	return nth < GFP_SPELLED_OUT ? verdict->texts[nth] : NULL;
}
EXPORT_SYMBOL_GPL(gfp_tally_broken);

/**
 * gfp_tally_not_judged() - count a cell without an attempt to judge
 * @tally: the tally
 * @fmt: which cell, and why, for people; the first one is reported
 */
void gfp_tally_not_judged(struct gfp_tally *tally, const char *fmt, ...)
{
	va_list args;

	tally->cells++;
	if (tally->unjudged++)
		return;
	va_start(args, fmt);
	vscnprintf(tally->why, GFP_BREACH_TEXT, fmt, args);
	va_end(args);
}
EXPORT_SYMBOL_GPL(gfp_tally_not_judged);

/**
 * gfp_chooses_cell() - whether a cell is one of those that are to be attempted
 * @n: the number of the cell in its sweep
 *
 * Return: true if it is; always where the parameter one_in is 1.
 */
bool gfp_chooses_cell(unsigned long n)
{
	/* Not each n-th, which may always be of the same order. */
	return gfp_one_in <= 1 || !reciprocal_scale(hash_32(n, 32), gfp_one_in);
}
EXPORT_SYMBOL_GPL(gfp_chooses_cell);

/**
 * gfp_tally_new() - begin to tally a promise that both contracts share
 * @test: the test case; it gives the promise its name
 * @source: where the promise is written
 * @state: the zone state
 *
 * Return: the tally, for gfp_tally_expect() and gfp_tally_report(); never fails.
 */
struct gfp_tally *gfp_tally_new(struct kunit *test, const char *source,
				enum zone_state_id state)
{
	struct gfp_tally *tally = kunit_kzalloc(test, sizeof(*tally), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, tally);
	tally->rule = test->name;
	tally->source = source;
	tally->state = state;
	return tally;
}
EXPORT_SYMBOL_GPL(gfp_tally_new);

/**
 * gfp_tally_expect() - judge one cell of a promise that both contracts share
 * @tally: the tally
 * @kept: whether the promise was kept
 * @fmt: what was seen and what was promised, for people
 */
void gfp_tally_expect(struct gfp_tally *tally, bool kept, const char *fmt, ...)
{
	va_list args;
	char *text;
	int i;

	tally->cells++;
	for (i = 0; i < NR_GFP_VERDICTS; i++) {
		if (kept) {
			gfp_tally_kept(tally, i);
			continue;
		}
		text = gfp_tally_broken(tally, i);
		if (!text)
			continue;
		va_start(args, fmt);
		vscnprintf(text, GFP_BREACH_TEXT, fmt, args);
		va_end(args);
	}
}
EXPORT_SYMBOL_GPL(gfp_tally_expect);

static void report_verdict(struct kunit *test, const struct gfp_tally *tally,
			   enum gfp_verdict_id id)
{
	const struct gfp_verdict *verdict = &tally->verdicts[id];
	const char *contract = gfp_contract_name(id);
	int i;

	for (i = 0; i < GFP_SPELLED_OUT && verdict->texts[i][0]; i++)
		kunit_info(test, "gfp-broken: contract=%s rule=%s %s\n",
			   contract, tally->rule, verdict->texts[i]);
	kunit_info(test, "gfp-rule: contract=%s rule=%s source=\"%s\"\n",
		   contract, tally->rule, tally->source);
	kunit_info(test, "gfp-cells: contract=%s rule=%s state=%s cells=%lu kept=%lu broken=%lu unjudged=%lu again=%lu ms=%lld\n",
		   contract, tally->rule, zone_state_name(tally->state),
		   tally->cells, verdict->kept, verdict->broken,
		   tally->unjudged, tally->again, tally->ms);
}

/**
 * gfp_tally_report() - report a tally, and fail the test case if it must
 * @test: the test case
 * @tally: the tally
 *
 * The chosen contract decides.  What the same attempts are worth under the
 * other one is reported beside it, so that one run answers for both.
 */
void gfp_tally_report(struct kunit *test, const struct gfp_tally *tally)
{
	const struct gfp_verdict *chosen = &tally->verdicts[GFP_CHOSEN];

	if (tally->unjudged)
		kunit_info(test, "gfp-unjudged: contract=%s rule=%s %s\n",
			   gfp_contract, tally->rule, tally->why);
	report_verdict(test, tally, GFP_CHOSEN);
	report_verdict(test, tally, GFP_OTHER);
	KUNIT_EXPECT_NE_MSG(test, tally->cells, 0, "%s: no cell", tally->rule);
	if (chosen->broken)
		KUNIT_FAIL(test, "%s: %lu of %lu cells broken; %s", tally->rule,
			   chosen->broken, tally->cells, chosen->texts[0]);
	if (tally->unjudged)
		KUNIT_FAIL(test, "%s: %lu of %lu cells could not be judged; %s",
			   tally->rule, tally->unjudged, tally->cells, tally->why);
}
EXPORT_SYMBOL_GPL(gfp_tally_report);
