// SPDX-License-Identifier: GPL-2.0
/*
 * A few promises by name, as documentation that runs.  The sweep makes the same
 * attempts, and many more.
 *
 * Each "must not" has a neighbour in the same zone state that must.
 */
#include <kunit/test.h>
#include <linux/gfp.h>

#include "gfp_attempt.h"
#include "gfp_compaction.h"
#include "gfp_suite.h"

/* Report what one attempt is worth under a contract; the chosen one decides. */
static void report_attempt(struct kunit *test, const struct gfp_rule *rule,
			   const struct gfp_cell *cell, const struct gfp_effects *seen,
			   enum gfp_verdict_id id)
{
	const char *contract = gfp_contract_name(id);
	const struct gfp_promise *promise = gfp_rule_promise(rule, contract);
	char text[GFP_BREACH_TEXT];

	if (gfp_promise_kept(promise, cell, seen)) {
		kunit_info(test, "gfp-kept: contract=%s rule=%s\n", contract, rule->name);
		return;
	}
	gfp_describe_breach(promise, cell, seen, text, sizeof(text));
	kunit_info(test, "gfp-broken: contract=%s rule=%s %s\n", contract, rule->name, text);
	if (id == GFP_CHOSEN)
		KUNIT_FAIL(test, "%s: %s", rule->name, text);
}

/*
 * Hold one attempt to the rule that covers it.  If it does not end by itself, it
 * is given memory after so many entries into reclaim and compaction, at least.
 */
static void expect_kept_after(struct kunit *test, struct zone_state *zs,
			      unsigned int order, gfp_t gfp, unsigned int entries)
{
	const struct gfp_cell cell = {
		.state = zs->id, .order = order, .gfp = gfp,
	};
	const struct gfp_rule *rule = gfp_rule_of(&cell);
	struct gfp_promise terms;
	struct gfp_effects seen;
	unsigned long again = 0;

	KUNIT_ASSERT_NOT_NULL_MSG(test, rule, "order %u, %pGg", order, &gfp);
	terms = *gfp_rule_promise(rule, gfp_contract);
	terms.reclaim.min = max(terms.reclaim.min, entries);
	terms.compact.min = max(terms.compact.min, entries);
	KUNIT_ASSERT_TRUE_MSG(test, gfp_attempt(zs, &cell, &terms, &seen, &again),
			      "%s", zs->why);
	report_attempt(test, rule, &cell, &seen, GFP_CHOSEN);
	report_attempt(test, rule, &cell, &seen, GFP_OTHER);
}

static void expect_kept(struct kunit *test, struct zone_state *zs,
			unsigned int order, gfp_t gfp)
{
	expect_kept_after(test, zs, order, gfp, 0);
}

/* A buffered write that can live with small folios does not wait for large ones. */
void named_page_cache_falls_back_quietly(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);
	int order;

	for (order = MAX_PAGE_ORDER; order > 0; order--)
		expect_kept(test, zs, order, GFP_LARGE_FOLIO);
	expect_kept(test, zs, 0, GFP_KERNEL);
	expect_kept(test, zs, MAX_PAGE_ORDER, GFP_KERNEL);
}

void named_plain_costly_tries_once(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);

	expect_kept(test, zs, 4, GFP_KERNEL);
	expect_kept(test, zs, 4, GFP_NOWAIT);
}

/* A huge page from this node: compact for it, do not reclaim for it. */
void named_thisnode_compacts_once(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);

	expect_kept(test, zs, 9, GFP_LOCAL_HUGE);
	expect_kept(test, zs, 9, GFP_LOCAL_HUGE & ~__GFP_NORETRY);
}

void named_nofail_never_fails(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);

	expect_kept(test, zs, 1, GFP_KERNEL | __GFP_NOFAIL);
	expect_kept(test, zs, 4, GFP_KERNEL | __GFP_NOFAIL);
	expect_kept(test, zs, 4, GFP_KERNEL | __GFP_NOFAIL | __GFP_NORETRY);
	expect_kept(test, zs, 4, GFP_NOFS | __GFP_NOFAIL);
	expect_kept(test, zs, 4, GFP_NOIO | __GFP_NOFAIL);
}

/*
 * Never means never: go on for longer than any bounded retry before memory comes.
 * Small requests have the OOM killer as a last resort, and do not wait that long.
 */
void named_nofail_goes_on(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);

	expect_kept_after(test, zs, 4, GFP_KERNEL | __GFP_NOFAIL, RETRIES_MAX);
	expect_kept_after(test, zs, 4, GFP_KERNEL | __GFP_NOFAIL | __GFP_NORETRY,
			  RETRIES_MAX);
}

/* Opportunistic means costly orders: up to order 3, some work is worth it. */
void named_small_noretry_reclaims(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);
	int order;

	for (order = 1; order <= PAGE_ALLOC_COSTLY_ORDER; order++)
		expect_kept(test, zs, order, GFP_LARGE_FOLIO);
}

void named_atomic_only_wakes_kswapd(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);

	expect_kept(test, zs, 3, GFP_ATOMIC);
	expect_kept(test, zs, 3, GFP_KERNEL);
}

void named_no_kswapd_bit_no_wakeup(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);

	expect_kept(test, zs, 3, GFP_KERNEL & ~__GFP_RECLAIM);
	expect_kept(test, zs, 3, GFP_KERNEL & ~__GFP_KSWAPD_RECLAIM);
	expect_kept(test, zs, 3, GFP_KERNEL);
}

void named_nofs_compacts_noio_does_not(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);

	expect_kept(test, zs, 2, GFP_NOFS | __GFP_NORETRY);
	expect_kept(test, zs, 2, GFP_NOIO | __GFP_NORETRY);
}

/* It cannot compact, so there is nothing to retry for. */
void named_noio_mayfail_ends(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);

	expect_kept(test, zs, 5, GFP_NOIO | __GFP_RETRY_MAYFAIL);
	expect_kept(test, zs, 5, GFP_KERNEL | __GFP_RETRY_MAYFAIL);
}

void named_mayfail_gets_its_page(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_MOVABLE, 0);
	int order;

	for (order = PAGE_ALLOC_COSTLY_ORDER + 1; order <= MAX_PAGE_ORDER; order++)
		expect_kept(test, zs, order, GFP_KERNEL | __GFP_RETRY_MAYFAIL);
}
