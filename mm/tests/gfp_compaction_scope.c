// SPDX-License-Identifier: GPL-2.0
/*
 * Scopes: what a task says about all that it allocates for a while.  A mask in a
 * scope behaves as the narrower one that the scope makes of it.
 *
 * Which of the two contracts is kept does not depend on scopes, so what is made
 * of a mask is held to the one that every supported kernel keeps.
 */
#include <kunit/test.h>
#include <linux/gfp.h>
#include <linux/sprintf.h>

#include "gfp_attempt.h"
#include "gfp_compaction.h"
#include "gfp_suite.h"

/**
 * struct scope - a scope, and what it makes of masks
 * @id: the scope
 * @takes: bits that are as good as not there in every mask
 * @mask: whether they are taken from the mask that reaches the allocator, too
 * @source: where that is written
 */
struct scope {
	enum gfp_scope id;
	gfp_t takes;
	bool mask;
	const char *source;
};

static bool mask_narrowed(const struct scope *scope, const struct alloc_trace *trace)
{
	return !scope->mask || (trace->nr && !(trace->steps[0].gfp & scope->takes));
}

static void judge(struct zone_state *zs, const struct scope *scope,
		  const struct gfp_cell *cell, struct alloc_trace *trace,
		  struct gfp_tally *tally)
{
	struct gfp_cell narrow = *cell;
	const struct gfp_promise *promise;
	char text[GFP_BREACH_TEXT] = "";
	struct gfp_effects seen;
	bool kept;

	narrow.gfp &= ~scope->takes;
	promise = gfp_rule_promise(gfp_rule_of(&narrow), "documented");
	if (!gfp_attempt_in_scope(zs, cell, scope->id, promise, trace, &seen,
				  &tally->again)) {
		gfp_tally_not_judged(tally, "%s", zs->why);
		return;
	}
	kept = gfp_promise_kept(promise, &narrow, &seen);
	if (!kept)
		gfp_describe_breach(promise, &narrow, &seen, text, sizeof(text));
	else if (!mask_narrowed(scope, trace))
		scnprintf(text, sizeof(text), "%pGg reaches the allocator; contract: without %pGg",
			  &trace->steps[0].gfp, &scope->takes);
	gfp_tally_expect(tally, kept && mask_narrowed(scope, trace), "in a scope, %s", text);
}

/*
 * Every mask that the scope changes, but for those that never fail or keep to one
 * node, at one order of each kind.
 */
static void sweep_scope(struct kunit *test, const struct scope *scope)
{
	static const unsigned int orders[] = {
		0, 1, PAGE_ALLOC_COSTLY_ORDER, PAGE_ALLOC_COSTLY_ORDER + 1, MAX_PAGE_ORDER,
	};
	const enum zone_state_id *id = test->param_value;
	struct gfp_tally *tally = gfp_tally_new(test, scope->source, *id);
	struct alloc_trace *trace = kunit_kzalloc(test, sizeof(*trace), GFP_KERNEL);
	struct gfp_cell cell = { .state = *id };
	struct zone_state *zs;
	unsigned int n, i;

	KUNIT_ASSERT_NOT_NULL(test, trace);
	zs = zone_state_enter(test, *id, 0);
	for (n = 0; n < gfp_nr_masks(); n++) {
		cell.gfp = gfp_mask_nth(n);
		if (!gfp_mask_legal(cell.gfp) || !(cell.gfp & scope->takes) ||
		    (cell.gfp & (__GFP_NOFAIL | __GFP_THISNODE)))
			continue;
		for (i = 0; i < ARRAY_SIZE(orders); i++) {
			cell.order = orders[i];
			judge(zs, scope, &cell, trace, tally);
		}
	}
	zone_state_leave(test, zs);
	gfp_tally_report(test, tally);
}

void scope_nofs(struct kunit *test)
{
	static const struct scope scope = {
		.id = GFP_SCOPE_NOFS,
		.takes = __GFP_FS,
		.mask = true,
		.source = "sched/mm.h, memalloc_nofs_save(): implicit GFP_NOFS",
	};

	sweep_scope(test, &scope);
}

void scope_noio(struct kunit *test)
{
	static const struct scope scope = {
		.id = GFP_SCOPE_NOIO,
		.takes = __GFP_IO | __GFP_FS,
		.mask = true,
		.source = "sched/mm.h, memalloc_noio_save(): implicit GFP_NOIO",
	};

	sweep_scope(test, &scope);
}

void scope_noreclaim(struct kunit *test)
{
	static const struct scope scope = {
		.id = GFP_SCOPE_NORECLAIM,
		.takes = __GFP_DIRECT_RECLAIM,
		.source = "sched/mm.h, memalloc_noreclaim_save(): implicit PF_MEMALLOC",
	};

	sweep_scope(test, &scope);
}
