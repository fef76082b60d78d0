// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of how __filemap_get_folio() falls back to smaller folios: which
 * attempts it makes, with which masks, what they do, and what comes back.
 *
 * In each zone state all ladders are climbed once, and each is held to every
 * rule of filemap_contract.h.  Each rule is a test case, run once for each zone
 * state that it is about; it reports how the rule fared.
 */
#include <kunit/test.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "filemap_fallback.h"
#include "filemap_rule.h"
#include "gfp_suite.h"
#include "gfp_test_compat.h"

/* The maximum order of mappings that leave it to the page cache. */
#define LARGEST			UINT_MAX

/* Orders of a mapping's folios.  The first one is used with all flags. */
static const struct {
	unsigned int min;
	unsigned int max;
} mappings[] = {
	{ 0, LARGEST },
	{ 0, 0 },
	{ 0, 3 },
	{ 2, LARGEST },
	{ 3, 3 },
	{ 4, LARGEST },
	{ 5, 6 },
};

/* Naturally aligned at every order, and at some of the lower ones only. */
static const pgoff_t indices[] = {
	0, 1, 2, 3, 4, 6, 8, 16, 24, 32, 64, 96, 128, 256, 512, 544, 1UL << 20,
};

/* How callers ask. */
static const gfp_t masks[] = {
	GFP_HIGHUSER_MOVABLE,
	GFP_USER,
	GFP_HIGHUSER_MOVABLE & ~__GFP_FS,
	GFP_HIGHUSER_MOVABLE | __GFP_NORETRY | __GFP_NOWARN,
};

static const fgf_t flags[] = {
	FGP_WRITE, FGP_NOFS, FGP_NOWAIT, FGP_ACCESSED, FGP_STABLE,
	GFP_COMPAT_FGP_DONTCACHE,
};

static const fgf_t locks[] = { FGP_LOCK, FGP_FOR_MMAP };

/**
 * struct state_results - what the ladders of one zone state came to
 * @climbed: whether they have been climbed
 * @tallies: how each rule fared
 */
struct state_results {
	bool climbed;
	struct gfp_tally tallies[NR_LADDER_RULES];
};

/* One for each zone state; kept from the first test case that needs it. */
static struct state_results *results;

/**
 * struct ascent - ladders being climbed in one zone state
 * @zs: the state
 * @files: the files
 * @results: where the results go
 * @nr: ladders so far, climbed or not
 * @ladder: the ladder that is being climbed
 */
struct ascent {
	struct zone_state *zs;
	struct ladder_files *files;
	struct state_results *results;
	unsigned long nr;
	struct ladder ladder;
};

static void hold_to(struct ascent *ascent, enum ladder_rule_id rule,
		    enum gfp_verdict_id id)
{
	struct gfp_tally *tally = &ascent->results->tallies[rule];
	char why[GFP_BREACH_TEXT], *text;
	int len;

	if (ladder_rule_kept(&ladder_rules[rule], id, &ascent->ladder, why, sizeof(why))) {
		gfp_tally_kept(tally, id);
		return;
	}
	text = gfp_tally_broken(tally, id);
	if (!text)
		return;
	ladder_describe(&ascent->ladder.call, text, GFP_BREACH_TEXT);
	len = strlen(text);
	scnprintf(text + len, GFP_BREACH_TEXT - len, ": %s", why);
}

static void judge(struct ascent *ascent)
{
	int rule;

	for (rule = 0; rule < NR_LADDER_RULES; rule++) {
		if (!ladder_rule_covers(&ladder_rules[rule], &ascent->ladder))
			continue;
		ascent->results->tallies[rule].cells++;
		hold_to(ascent, rule, GFP_CHOSEN);
		hold_to(ascent, rule, GFP_OTHER);
	}
}

/* Whatever rule it would have been about, nobody can say that it was kept. */
static void not_judged(struct ascent *ascent, const char *why)
{
	char where[200];
	int rule;

	ladder_describe(&ascent->ladder.call, where, sizeof(where));
	for (rule = 0; rule < NR_LADDER_RULES; rule++)
		gfp_tally_not_judged(&ascent->results->tallies[rule], "%s: %s", where, why);
}

static void climb(struct ascent *ascent, const struct ladder_call *call)
{
	unsigned long again = 0;
	int rule;

	if (!gfp_chooses_cell(ascent->nr++))
		return;
	ascent->ladder.call = *call;
	if (!ladder_climb(ascent->zs, ascent->files, &ascent->ladder, &again))
		not_judged(ascent, ascent->zs->why);
	else if (!ascent->ladder.trace.nr || ascent->ladder.trace.missed)
		not_judged(ascent, "its attempts were not seen");
	else if (ascent->ladder.seen.rescued)
		not_judged(ascent, "it ran on until memory was given back");
	else
		judge(ascent);
	for (rule = 0; rule < NR_LADDER_RULES; rule++)
		ascent->results->tallies[rule].again += again;
}

static unsigned int largest_order(unsigned int mapping)
{
	return min_t(unsigned int, mappings[mapping].max, MAX_PAGECACHE_ORDER);
}

/*
 * Where an attempt moves or reclaims pages for real it takes a thousand times as
 * long, so every third wanted order has to do: the ladders pass the others.
 */
static unsigned int orders_apart(const struct ascent *ascent)
{
	enum zone_state_id id = ascent->zs->id;

	return id == ZONE_STATE_INTACT || zone_state_hopeless(id) ? 1 : 3;
}

/* Every combination of flags, at every wanted order. */
static void climb_with_flags(struct ascent *ascent)
{
	unsigned int apart = orders_apart(ascent);
	struct ladder_call call = {
		.state = ascent->zs->id,
		.min = mappings[0].min,
		.max = largest_order(0),
	};
	unsigned int set, lock, i;

	for (set = 0; set < BIT(ARRAY_SIZE(flags) + 1); set++) {
		lock = set & 1;
		call.fgp = locks[lock];
		for (i = 0; i < ARRAY_SIZE(flags); i++)
			call.fgp |= set & BIT(i + 1) ? flags[i] : 0;
		for (call.wanted = 0; call.wanted <= call.max; call.wanted += apart) {
			call.gfp = masks[(set + call.wanted) % ARRAY_SIZE(masks)];
			call.writeback = false;
			climb(ascent, &call);
			call.writeback = true;
			climb(ascent, &call);
		}
	}
}

/* Every mapping and index, at every wanted order and one above. */
static void climb_everywhere(struct ascent *ascent)
{
	struct ladder_call call = {
		.state = ascent->zs->id, .gfp = masks[0],
	};
	unsigned int apart = orders_apart(ascent);
	unsigned int mapping, index;

	for (mapping = 0; mapping < ARRAY_SIZE(mappings); mapping++) {
		call.min = mappings[mapping].min;
		call.max = largest_order(mapping);
		for (index = 0; index < ARRAY_SIZE(indices); index++) {
			call.index = indices[index];
			for (call.wanted = 0; call.wanted <= MAX_PAGECACHE_ORDER + 1;
			     call.wanted += apart) {
				call.fgp = FGP_LOCK;
				climb(ascent, &call);
				call.fgp = FGP_LOCK | FGP_NOWAIT;
				climb(ascent, &call);
			}
		}
	}
}

/* Every minimum order, with every mask that mappings have. */
static void climb_ahead(struct ascent *ascent)
{
	struct ladder_call call = {
		.state = ascent->zs->id, .max = MAX_PAGECACHE_ORDER, .readahead = true,
	};
	unsigned int mask;

	for (call.min = 0; call.min <= call.max; call.min++) {
		call.wanted = call.min;
		for (mask = 0; mask < ARRAY_SIZE(masks); mask++) {
			call.gfp = masks[mask];
			call.index = 0;
			climb(ascent, &call);
			call.index = 1UL << call.min;
			climb(ascent, &call);
		}
	}
}

static void close_files(void *data)
{
	ladder_files_exit(data);
}

/**
 * filemap_open_files() - make files that are gone when the test case ends
 * @test: the test case; fails if they cannot be made
 *
 * Return: the files; never fails.
 */
struct ladder_files *filemap_open_files(struct kunit *test)
{
	struct ladder_files *files = kunit_kzalloc(test, sizeof(*files), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, files);
	KUNIT_ASSERT_EQ(test, ladder_files_init(files), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, close_files, files), 0);
	return files;
}

static void climb_all(struct kunit *test, enum zone_state_id id)
{
	struct ascent *ascent = kunit_kzalloc(test, sizeof(*ascent), GFP_KERNEL);
	ktime_t start;
	int rule;

	KUNIT_ASSERT_NOT_NULL(test, ascent);
	ascent->files = filemap_open_files(test);
	ascent->results = &results[id];
	for (rule = 0; rule < NR_LADDER_RULES; rule++)
		ascent->results->tallies[rule] = (struct gfp_tally){
			.rule = ladder_rules[rule].name,
			.source = ladder_rules[rule].source,
			.state = id,
		};
	ascent->zs = zone_state_enter(test, id, 0);
	start = ktime_get();
	climb_with_flags(ascent);
	climb_everywhere(ascent);
	climb_ahead(ascent);
	kunit_info(test, "%s: all ladders climbed in %lld ms\n", zone_state_name(id),
		   ktime_ms_delta(ktime_get(), start));
	zone_state_leave(test, ascent->zs);
	ascent->results->climbed = true;
}

static void report_rule(struct kunit *test, enum ladder_rule_id rule)
{
	const enum zone_state_id *id = test->param_value;

	gfp_need_large_folios(test);
	if (!results[*id].climbed)
		climb_all(test, *id);
	gfp_tally_report(test, &results[*id].tallies[rule]);
}

/* For each rule, a test case of its name and a generator of its states. */
#define FILEMAP_RULE(_name, ...)					\
static void _name(struct kunit *test)					\
{									\
	report_rule(test, LADDER_RULE_##_name);				\
}									\
static const void *_name##_states(GFP_COMPAT_GEN_PARAMS_ARGS)		\
{									\
	return gfp_next_state(ladder_rules[LADDER_RULE_##_name].states,	\
			      prev, desc);				\
}

#include "filemap_contract.h"
#undef FILEMAP_RULE

static struct kunit_case filemap_fallback_cases[] = {
	KUNIT_CASE(neighbour_limits_the_folio),
	KUNIT_CASE(racing_folio_is_found),
	KUNIT_CASE(missing_nodes_limit_the_folio),
	KUNIT_CASE(missing_nodes_fail_at_the_minimum),

#define FILEMAP_RULE(_name, ...)					\
	KUNIT_CASE_PARAM_ATTR(_name, _name##_states, { .speed = KUNIT_SPEED_SLOW }),
#include "filemap_contract.h"
#undef FILEMAP_RULE
	{}
};

static int filemap_fallback_init_suite(struct kunit_suite *suite)
{
	results = kvcalloc(NR_ZONE_STATES, sizeof(*results), GFP_KERNEL);
	if (!results)
		return -ENOMEM;
	return gfp_suite_init(suite);
}

static void filemap_fallback_exit_suite(struct kunit_suite *suite)
{
	gfp_suite_exit(suite);
	kvfree(results);
	results = NULL;
}

static struct kunit_suite filemap_fallback_suite = {
	.name = "filemap_fallback",
	.suite_init = filemap_fallback_init_suite,
	.suite_exit = filemap_fallback_exit_suite,
	.init = gfp_case_init,
	.exit = gfp_case_exit,
	.test_cases = filemap_fallback_cases,
};

kunit_test_suite(filemap_fallback_suite);

MODULE_DESCRIPTION("KUnit tests of how the page cache falls back to smaller folios");
MODULE_LICENSE("GPL");
