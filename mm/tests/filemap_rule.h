/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules about ladders.  The rules themselves are in filemap_contract.h.
 */
#ifndef _MM_TESTS_FILEMAP_RULE_H
#define _MM_TESTS_FILEMAP_RULE_H

#include "filemap_ladder.h"
#include "gfp_rule.h"
#include "gfp_suite.h"

/* Steps of a ladder, a set of these bits. */
#define STEP_FIRST		BIT(0)	/* the first attempt */
#define STEP_ABOVE_MIN		BIT(1)	/* above the mapping's minimum order */
#define STEP_AT_MIN		BIT(2)	/* at the mapping's minimum order */

/**
 * enum ladder_files_id - the mappings that a rule is about
 * @FILES_ALL: every one
 * @FILES_WRITEBACK: with writeback
 * @FILES_PLAIN: without
 * @FILES_READAHEAD: no matter which, but what is asked for is readahead, which the
 *	other rules are not about
 */
enum ladder_files_id {
	FILES_ALL,
	FILES_WRITEBACK,
	FILES_PLAIN,
	FILES_READAHEAD,
};

/**
 * struct ladder_promise - what holds
 * @shape: for the ladder as a whole: returns what is wrong in words, or NULL
 * @set: bits that the mask of a step has
 * @clear: bits that it has not
 * @keep: bits in which it is the caller's
 * @light: it has __GFP_NORETRY, or not even __GFP_DIRECT_RECLAIM
 * @effects: what the step does stays in these bounds
 */
struct ladder_promise {
	const char *(*shape)(const struct ladder *ladder);
	gfp_t set;
	gfp_t clear;
	gfp_t keep;
	bool light;
	const struct gfp_promise *effects;
};

/**
 * struct ladder_rule - one promise, about some ladders or some of their steps
 * @name: also the name of its KUnit case
 * @source: where the promise is written
 * @states: the zone states, a set of BIT(enum zone_state_id)
 * @files: the mappings
 * @with: flags of the call, all of these
 * @without: flags of the call, none of these
 * @gfp_without: bits that the caller's mask has not
 * @steps: the steps, those with any of these bits; 0 for the ladder as a whole
 * @orders: the orders of the steps
 * @documented: what holds under the contract "documented"
 * @nodirect: what holds under the contract "nodirect"
 */
struct ladder_rule {
	const char *name;
	const char *source;
	unsigned long states;
	enum ladder_files_id files;
	fgf_t with;
	fgf_t without;
	gfp_t gfp_without;
	unsigned int steps;
	struct gfp_range orders;
	struct ladder_promise documented;
	struct ladder_promise nodirect;
};

/* The vocabulary of filemap_contract.h, on top of that of gfp_rule.h. */
#define EFFECTS(...)		(&(const struct gfp_promise){ __VA_ARGS__ })
#define MASK(...)		.orders = ORDERS_ALL, BOTH(__VA_ARGS__)

/* One for each rule, in the order of filemap_contract.h. */
enum ladder_rule_id {
#define FILEMAP_RULE(_name, ...)	LADDER_RULE_##_name,
#include "filemap_contract.h"
#undef FILEMAP_RULE
	NR_LADDER_RULES,
};

extern const struct ladder_rule ladder_rules[NR_LADDER_RULES];

bool ladder_rule_covers(const struct ladder_rule *rule, const struct ladder *ladder);
bool ladder_rule_kept(const struct ladder_rule *rule, enum gfp_verdict_id id,
		      const struct ladder *ladder, char *why, size_t size);

#endif /* _MM_TESTS_FILEMAP_RULE_H */
