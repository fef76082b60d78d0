/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the gfp suites have in common: the contract that was chosen, the
 * observer and the giver, zone states as parameters, and how a rule fared.
 */
#ifndef _MM_TESTS_GFP_SUITE_H
#define _MM_TESTS_GFP_SUITE_H

#include <linux/types.h>

#include "zone_state.h"

struct kunit;
struct kunit_suite;

/* Breaches that are spelled out, for each rule, state and contract. */
#define GFP_SPELLED_OUT		3

/* Length of the text of a breach. */
#define GFP_BREACH_TEXT		400

/**
 * enum gfp_verdict_id - the two contracts that each attempt is held to
 * @GFP_CHOSEN: the one that decides whether a test case fails
 * @GFP_OTHER: the other one, which is only reported
 * @NR_GFP_VERDICTS: how many there are
 */
enum gfp_verdict_id {
	GFP_CHOSEN,
	GFP_OTHER,
	NR_GFP_VERDICTS,
};

/**
 * struct gfp_verdict - a rule in one zone state under one contract
 * @kept: cells whose attempt stayed in the bounds
 * @broken: cells whose attempt did not
 * @texts: the first of these
 */
struct gfp_verdict {
	unsigned long kept;
	unsigned long broken;
	char texts[GFP_SPELLED_OUT][GFP_BREACH_TEXT];
};

/**
 * struct gfp_tally - how a rule fared in one zone state
 * @rule: its name
 * @source: where its promise is written
 * @state: the zone state
 * @cells: cells that belong to the rule
 * @unjudged: those without an attempt on a proven state
 * @again: attempts thrown away because a daemon had been at work
 * @ms: how long the attempts took, in milliseconds
 * @why: why the first unjudged cell was not judged
 * @verdicts: under each contract
 */
struct gfp_tally {
	const char *rule;
	const char *source;
	enum zone_state_id state;
	unsigned long cells;
	unsigned long unjudged;
	unsigned long again;
	s64 ms;
	char why[GFP_BREACH_TEXT];
	struct gfp_verdict verdicts[NR_GFP_VERDICTS];
};

extern char *gfp_contract;

int gfp_suite_init(struct kunit_suite *suite);
void gfp_suite_exit(struct kunit_suite *suite);
int gfp_case_init(struct kunit *test);
void gfp_case_exit(struct kunit *test);
const char *gfp_contract_name(enum gfp_verdict_id id);
bool gfp_is_nodirect(enum gfp_verdict_id id);
const void *gfp_next_state(unsigned long states, const void *prev, char *desc);
void gfp_need_large_folios(struct kunit *test);
bool gfp_chooses_cell(unsigned long n);
struct gfp_tally *gfp_tally_new(struct kunit *test, const char *source,
				enum zone_state_id state);
__printf(3, 4)
void gfp_tally_expect(struct gfp_tally *tally, bool kept, const char *fmt, ...);
void gfp_tally_kept(struct gfp_tally *tally, enum gfp_verdict_id id);
char *gfp_tally_broken(struct gfp_tally *tally, enum gfp_verdict_id id);
__printf(2, 3)
void gfp_tally_not_judged(struct gfp_tally *tally, const char *fmt, ...);
void gfp_tally_report(struct kunit *test, const struct gfp_tally *tally);

#endif /* _MM_TESTS_GFP_SUITE_H */
