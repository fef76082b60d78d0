// SPDX-License-Identifier: GPL-2.0
/*
 * Which rule a cell belongs to, and whether it was kept.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/pageblock-flags.h>
#include <linux/string.h>

#include "gfp_rule.h"
#include "gfp_test_compat.h"

const struct gfp_rule gfp_rules[NR_GFP_RULES] = {
#define GFP_RULE(_name, ...)						\
	[GFP_RULE_##_name] = { .name = #_name, __VA_ARGS__ },
#include "gfp_contract.h"
#undef GFP_RULE
};
EXPORT_SYMBOL_GPL(gfp_rules);

/* The bits that an attempt's behaviour may depend on. */
static const gfp_t gfp_swept_bits[] = {
	__GFP_DIRECT_RECLAIM,
	__GFP_KSWAPD_RECLAIM,
	__GFP_IO,
	__GFP_FS,
	__GFP_NORETRY,
	__GFP_RETRY_MAYFAIL,
	__GFP_NOFAIL,
	__GFP_THISNODE,
	__GFP_MOVABLE,
	__GFP_RECLAIMABLE,
	__GFP_HIGH,
	__GFP_NOMEMALLOC,
	__GFP_WRITE,
	__GFP_HARDWALL,
};

/**
 * gfp_nr_masks() - how many masks gfp_mask_nth() knows
 *
 * Return: their number, legal or not.
 */
unsigned int gfp_nr_masks(void)
{
	return 1U << ARRAY_SIZE(gfp_swept_bits);
}
EXPORT_SYMBOL_GPL(gfp_nr_masks);

/**
 * gfp_mask_nth() - enumerate the masks
 * @n: 0 to gfp_nr_masks() - 1
 *
 * Return: a mask of the swept bits; every combination has its number.
 */
gfp_t gfp_mask_nth(unsigned int n)
{
	gfp_t gfp = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(gfp_swept_bits); i++) {
		if (n & BIT(i))
			gfp |= gfp_swept_bits[i];
	}
	return gfp;
}
EXPORT_SYMBOL_GPL(gfp_mask_nth);

/**
 * gfp_mask_legal() - whether a caller may use a mask
 * @gfp: the mask
 *
 * Return: false for the masks that are left out:
 *
 * * __GFP_NORETRY with __GFP_RETRY_MAYFAIL contradict each other;
 * * __GFP_NOFAIL without __GFP_DIRECT_RECLAIM: the kernel warns and fails;
 * * __GFP_MOVABLE with __GFP_RECLAIMABLE is no migratetype: the kernel warns.
 */
bool gfp_mask_legal(gfp_t gfp)
{
	if ((gfp & __GFP_NORETRY) && (gfp & __GFP_RETRY_MAYFAIL))
		return false;
	if ((gfp & __GFP_NOFAIL) && !(gfp & __GFP_DIRECT_RECLAIM))
		return false;
	if ((gfp & __GFP_MOVABLE) && (gfp & __GFP_RECLAIMABLE))
		return false;
	return true;
}
EXPORT_SYMBOL_GPL(gfp_mask_legal);

/**
 * gfp_rule_promise() - the bounds of a rule under a contract
 * @rule: the rule
 * @contract: "documented" or "nodirect"
 *
 * Return: the bounds, NULL if there is no such contract.
 */
const struct gfp_promise *gfp_rule_promise(const struct gfp_rule *rule,
					   const char *contract)
{
	if (!strcmp(contract, "documented"))
		return &rule->documented;
	if (!strcmp(contract, "nodirect"))
		return &rule->nodirect;
	return NULL;
}
EXPORT_SYMBOL_GPL(gfp_rule_promise);

/**
 * gfp_contract_other() - the contract that was not chosen
 * @contract: "documented" or "nodirect"
 *
 * Return: the name of the other one.
 */
const char *gfp_contract_other(const char *contract)
{
	return strcmp(contract, "documented") ? "documented" : "nodirect";
}
EXPORT_SYMBOL_GPL(gfp_contract_other);

static bool within(unsigned int value, const struct gfp_range *range)
{
	return value >= range->min &&
	       (value <= range->max || range->max == U16_MAX);
}

/**
 * gfp_rule_covers() - whether a cell belongs to a rule
 * @rule: the rule
 * @cell: the cell
 *
 * Return: true if it does.
 */
bool gfp_rule_covers(const struct gfp_rule *rule, const struct gfp_cell *cell)
{
	return (rule->states & BIT(cell->state)) &&
	       within(cell->order, &rule->orders) &&
	       (cell->gfp & rule->with) == rule->with &&
	       !(cell->gfp & rule->without);
}
EXPORT_SYMBOL_GPL(gfp_rule_covers);

/**
 * gfp_rule_of() - the rule that a cell belongs to
 * @cell: the cell
 *
 * Return: the rule, NULL if no rule covers the cell.
 */
const struct gfp_rule *gfp_rule_of(const struct gfp_cell *cell)
{
	int i;

	for (i = 0; i < NR_GFP_RULES; i++) {
		if (gfp_rule_covers(&gfp_rules[i], cell))
			return &gfp_rules[i];
	}
	return NULL;
}
EXPORT_SYMBOL_GPL(gfp_rule_of);

/*
 * An attempt that succeeded by itself need not have done everything; one that
 * failed must have, and so must one that was served from memory given back.
 */
static bool count_kept(unsigned int count, const struct gfp_range *range,
		       const struct gfp_cell *cell, const struct gfp_effects *seen)
{
	struct gfp_range bounds = *range;

	if (seen->page && !zone_state_hopeless(cell->state))
		bounds.min = 0;
	return within(count, &bounds);
}

static bool kswapd_expected(const struct gfp_promise *promise, const struct gfp_cell *cell)
{
	return promise->kswapd == GFP_WAKE_IF_ASKED && (cell->gfp & __GFP_KSWAPD_RECLAIM);
}

static bool kswapd_kept(const struct gfp_promise *promise,
			const struct gfp_cell *cell,
			const struct gfp_effects *seen)
{
	bool asked = cell->gfp & __GFP_KSWAPD_RECLAIM;

	if (kswapd_expected(promise, cell))
		return seen->kswapd_wakes && seen->kswapd_woken &&
		       seen->kswapd_order >= (int)cell->order;
	if (promise->kswapd == GFP_WAKE_ALLOWED && asked)
		return true;
	return !seen->kswapd_wakes && !seen->kswapd_order;
}

static bool kcompactd_kept(const struct gfp_promise *promise,
			   const struct gfp_cell *cell,
			   const struct gfp_effects *seen)
{
	return !seen->kcompactd_wakes ||
	       (promise->kswapd != GFP_WAKE_NEVER &&
		(cell->gfp & __GFP_KSWAPD_RECLAIM));
}

/*
 * Compaction takes a few pages of a pageblock at a time, and comes back for the next
 * ones until it has seen them all.  It may come back to the whole of it, to finish a
 * block that it could not empty, or led there by the free list; stock kernels have
 * been seen to look at one three times.
 */
static const struct gfp_range block_scans = { .max = 8 };

static unsigned int block_scans_of(const struct gfp_effects *seen)
{
	return DIV_ROUND_UP(seen->block_scanned, pageblock_nr_pages);
}

static bool priority_kept(const struct gfp_promise *promise,
			  const struct gfp_effects *seen)
{
	return !promise->async_first ||
	       seen->first_priority == GFP_NO_PRIORITY ||
	       seen->first_priority == COMPACT_PRIO_ASYNC;
}

/**
 * gfp_promise_kept() - judge an attempt
 * @promise: the bounds
 * @cell: what was attempted
 * @seen: what it did
 *
 * Return: true if all effects stayed in their bounds.
 */
bool gfp_promise_kept(const struct gfp_promise *promise,
		      const struct gfp_cell *cell,
		      const struct gfp_effects *seen)
{
	return count_kept(seen->compact_entries, &promise->compact, cell, seen) &&
	       count_kept(seen->reclaim_entries, &promise->reclaim, cell, seen) &&
	       count_kept(seen->drained_pages, &promise->drain, cell, seen) &&
	       count_kept(seen->oom_calls, &promise->oom, cell, seen) &&
	       count_kept(seen->warnings, &promise->warn, cell, seen) &&
	       within(block_scans_of(seen), &block_scans) &&
	       priority_kept(promise, seen) &&
	       kswapd_kept(promise, cell, seen) &&
	       kcompactd_kept(promise, cell, seen) &&
	       (seen->page || !promise->page) &&
	       !seen->rescued;
}
EXPORT_SYMBOL_GPL(gfp_promise_kept);

/**
 * gfp_describe_cell() - spell a cell out
 * @cell: the cell
 * @buf: where the text goes
 * @size: size of @buf
 */
void gfp_describe_cell(const struct gfp_cell *cell, char *buf, size_t size)
{
	gfp_t gfp = cell->gfp;

	if (gfp)
		scnprintf(buf, size, "state %s, order %u, %pGg",
			  zone_state_name(cell->state), cell->order, &gfp);
	else
		scnprintf(buf, size, "state %s, order %u, no flags",
			  zone_state_name(cell->state), cell->order);
}
EXPORT_SYMBOL_GPL(gfp_describe_cell);

static size_t print_range(char *buf, size_t size, const char *what,
			  const struct gfp_range *range)
{
	if (range->min == range->max)
		return scnprintf(buf, size, ", %s %u", what, range->min);
	if (range->max == U16_MAX)
		return scnprintf(buf, size, ", %s at least %u", what, range->min);
	return scnprintf(buf, size, ", %s %u to %u", what, range->min, range->max);
}

/* One broken bound: what was seen, and what was promised. */
struct breach {
	char seen[120];
	char want[120];
	size_t nr_seen;
	size_t nr_want;
};

static void breach_count(struct breach *b, const char *what, unsigned int count,
			 const struct gfp_range *range,
			 const struct gfp_cell *cell,
			 const struct gfp_effects *seen)
{
	if (count_kept(count, range, cell, seen))
		return;
	b->nr_seen += scnprintf(b->seen + b->nr_seen, sizeof(b->seen) - b->nr_seen,
				", %s %u", what, count);
	b->nr_want += print_range(b->want + b->nr_want,
				  sizeof(b->want) - b->nr_want, what, range);
}

static void breach_text(struct breach *b, bool kept, const char *seen,
			const char *want)
{
	if (kept)
		return;
	b->nr_seen += scnprintf(b->seen + b->nr_seen, sizeof(b->seen) - b->nr_seen,
				", %s", seen);
	b->nr_want += scnprintf(b->want + b->nr_want, sizeof(b->want) - b->nr_want,
				", %s", want);
}

static const char *kswapd_text(const struct gfp_effects *seen)
{
	if (seen->kswapd_wakes && !seen->kswapd_woken)
		return "kswapd traced, not woken";
	if (seen->kswapd_wakes || seen->kswapd_order)
		return "kswapd asked";
	return "kswapd not woken";
}

/**
 * gfp_describe_breach() - say in one line what an attempt broke
 * @promise: the bounds
 * @cell: what was attempted
 * @seen: what it did
 * @buf: where the text goes
 * @size: size of @buf
 */
void gfp_describe_breach(const struct gfp_promise *promise,
			 const struct gfp_cell *cell,
			 const struct gfp_effects *seen, char *buf, size_t size)
{
	struct breach b = {};
	char where[160];

	breach_count(&b, "compact", seen->compact_entries, &promise->compact,
		     cell, seen);
	breach_count(&b, "reclaim", seen->reclaim_entries, &promise->reclaim,
		     cell, seen);
	breach_count(&b, "drained", seen->drained_pages, &promise->drain,
		     cell, seen);
	breach_count(&b, "oom", seen->oom_calls, &promise->oom, cell, seen);
	breach_count(&b, "warnings", seen->warnings, &promise->warn, cell, seen);
	breach_count(&b, "scans of a pageblock", block_scans_of(seen), &block_scans, cell, seen);
	breach_text(&b, priority_kept(promise, seen),
		    "first compaction synchronous", "asynchronous");
	breach_text(&b, kswapd_kept(promise, cell, seen), kswapd_text(seen),
		    kswapd_expected(promise, cell) ? "kswapd woken" : "kswapd not woken");
	breach_text(&b, kcompactd_kept(promise, cell, seen),
		    "kcompactd woken", "kcompactd not woken");
	breach_text(&b, seen->page || !promise->page, "no page", "a page");
	breach_text(&b, !seen->rescued, "ran on until memory was given back",
		    "ends by itself");
	gfp_describe_cell(cell, where, sizeof(where));
	scnprintf(buf, size, "%s: %s; contract: %s", where, b.seen + 2, b.want + 2);
}
EXPORT_SYMBOL_GPL(gfp_describe_breach);
