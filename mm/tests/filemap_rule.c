// SPDX-License-Identifier: GPL-2.0
/*
 * Hold a ladder to a rule.
 */
#include <linux/bits.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "filemap_rule.h"
#include "folio_order.h"
#include "gfp_test_compat.h"

static const struct alloc_step *ladder_last(const struct ladder *ladder)
{
	return &ladder->trace.steps[ladder->trace.nr - 1];
}

static const char *ladder_starts(const struct ladder *ladder)
{
	const struct ladder_call *call = &ladder->call;
	unsigned int first = folio_first_order(call->index, call->wanted, call->min,
					       call->max);

	return ladder->trace.steps[0].order == first ? NULL : "starts at another order";
}

static const char *ladder_descends(const struct ladder *ladder)
{
	int i;

	for (i = 1; i < ladder->trace.nr; i++) {
		if (ladder->trace.steps[i].order != ladder->trace.steps[i - 1].order - 1)
			return "does not go down by one";
	}
	return NULL;
}

static const char *ladder_in_range(const struct ladder *ladder)
{
	int i;

	for (i = 0; i < ladder->trace.nr; i++) {
		if (ladder->trace.steps[i].order < ladder->call.min)
			return "goes below the minimum order";
		if (ladder->trace.steps[i].order > ladder->call.max)
			return "goes above the maximum order";
	}
	return NULL;
}

static const char *ladder_ends(const struct ladder *ladder)
{
	int i;

	for (i = 0; i < ladder->trace.nr - 1; i++) {
		if (ladder->trace.steps[i].did.page)
			return "goes on although it has a folio";
	}
	if (!ladder_last(ladder)->did.page &&
	    ladder_last(ladder)->order != ladder->call.min)
		return "gives up above the minimum order";
	return NULL;
}

static const char *ladder_folio(const struct ladder *ladder)
{
	const struct alloc_step *last = ladder_last(ladder);
	pgoff_t start = ladder->call.index & ~((1UL << ladder->call.min) - 1);

	if (ladder->err)
		return last->did.page ? "fails although it got memory" : NULL;
	if (!last->did.page)
		return "returns a folio out of nowhere";
	if (ladder->order != last->order)
		return "returns a folio of another order";
	if (ladder->index != start)
		return "returns a folio at another index";
	return NULL;
}

static const char *ladder_locked(const struct ladder *ladder)
{
	bool locked = !(ladder->call.fgp & FGP_FOR_MMAP);

	if (ladder->err || ladder->locked == locked)
		return NULL;
	return locked ? "not locked" : "locked";
}

static const char *ladder_marked(const struct ladder *ladder)
{
	if (ladder->err)
		return NULL;
	if (ladder->referenced != !!(ladder->call.fgp & FGP_ACCESSED))
		return ladder->referenced ? "marked accessed" : "not marked accessed";
	if (ladder->dropbehind != !!(ladder->call.fgp & GFP_COMPAT_FGP_DONTCACHE))
		return ladder->dropbehind ? "to be dropped" : "not to be dropped";
	return NULL;
}

static const char *ladder_eagain(const struct ladder *ladder)
{
	return !ladder->err || ladder->err == -EAGAIN ? NULL : "fails, but not with -EAGAIN";
}

static const char *ladder_enomem(const struct ladder *ladder)
{
	return !ladder->err || ladder->err == -ENOMEM ? NULL : "fails, but not with -ENOMEM";
}

static const char *ladder_ahead(const struct ladder *ladder)
{
	const struct alloc_step *step = ladder_last(ladder);

	if (ladder->trace.nr != 1)
		return "asks more than once";
	if (step->order != ladder->call.min)
		return "asks for another order";
	if (step->did.page != !ladder->err)
		return step->did.page ? "drops the folio" : "finds a folio out of nowhere";
	if (!ladder->err && ladder->index != ladder->call.index)
		return "adds the folio at another index";
	return NULL;
}

const struct ladder_rule ladder_rules[NR_LADDER_RULES] = {
#define FILEMAP_RULE(_name, ...)						\
	[LADDER_RULE_##_name] = { .name = #_name, __VA_ARGS__ },
#include "filemap_contract.h"
#undef FILEMAP_RULE
};

static bool step_covered(const struct ladder_rule *rule, const struct ladder *ladder,
			 int i)
{
	unsigned int order = ladder->trace.steps[i].order;
	unsigned int where = order > ladder->call.min ? STEP_ABOVE_MIN : STEP_AT_MIN;

	if (!i)
		where |= STEP_FIRST;
	return (rule->steps & where) && order >= rule->orders.min &&
	       order <= rule->orders.max;
}

/**
 * ladder_rule_covers() - whether a rule is about a ladder, or a step of it
 * @rule: the rule
 * @ladder: the ladder, climbed
 *
 * Return: true if it is.
 */
bool ladder_rule_covers(const struct ladder_rule *rule, const struct ladder *ladder)
{
	const struct ladder_call *call = &ladder->call;
	bool ahead = rule->files == FILES_READAHEAD;
	int i;

	if (call->readahead != ahead ||
	    !(rule->states & BIT(call->state)) ||
	    (call->fgp & rule->with) != rule->with || (call->fgp & rule->without) ||
	    (call->gfp & rule->gfp_without) ||
	    (rule->files == FILES_WRITEBACK && !call->writeback) ||
	    (rule->files == FILES_PLAIN && call->writeback))
		return false;
	if (!rule->steps)
		return true;
	for (i = 0; i < ladder->trace.nr; i++) {
		if (step_covered(rule, ladder, i))
			return true;
	}
	return false;
}

static bool mask_kept(const struct ladder_promise *promise, gfp_t asked, gfp_t gfp,
		      char *why, size_t size)
{
	gfp_t wrong = (promise->set & ~gfp) | (promise->clear & gfp) |
		      (promise->keep & (gfp ^ asked));
	gfp_t missing, extra;

	if (promise->light && (gfp & __GFP_DIRECT_RECLAIM))
		wrong |= __GFP_NORETRY & ~gfp;
	missing = wrong & ~gfp;
	extra = wrong & gfp;
	if (missing)
		scnprintf(why, size, "without %pGg", &missing);
	else if (extra)
		scnprintf(why, size, "with %pGg", &extra);
	return !wrong;
}

static bool step_kept(const struct ladder_promise *promise, const struct ladder *ladder,
		      int i, char *why, size_t size)
{
	const struct alloc_step *step = &ladder->trace.steps[i];
	const struct gfp_cell cell = {
		.state = ladder->call.state, .order = step->order, .gfp = step->gfp,
	};
	int len = scnprintf(why, size, "attempt %d, order %u: ", i + 1, step->order);

	if (!mask_kept(promise, ladder->call.gfp, step->gfp, why + len, size - len))
		return false;
	if (!promise->effects || gfp_promise_kept(promise->effects, &cell, &step->did))
		return true;
	len = scnprintf(why, size, "attempt %d, ", i + 1);
	gfp_describe_breach(promise->effects, &cell, &step->did, why + len, size - len);
	return false;
}

/**
 * ladder_rule_kept() - hold a ladder to a rule that covers it
 * @rule: the rule
 * @id: under which contract
 * @ladder: the ladder, climbed
 * @why: where the text goes if it is not kept
 * @size: size of @why
 *
 * Return: true if the rule is kept.
 */
bool ladder_rule_kept(const struct ladder_rule *rule, enum gfp_verdict_id id,
		      const struct ladder *ladder, char *why, size_t size)
{
	const struct ladder_promise *promise =
		gfp_is_nodirect(id) ? &rule->nodirect : &rule->documented;
	const char *wrong = promise->shape ? promise->shape(ladder) : NULL;
	int i;

	if (wrong) {
		strscpy(why, wrong, size);
		return false;
	}
	for (i = 0; i < ladder->trace.nr; i++) {
		if (step_covered(rule, ladder, i) &&
		    !step_kept(promise, ladder, i, why, size))
			return false;
	}
	return true;
}
