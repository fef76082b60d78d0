// SPDX-License-Identifier: GPL-2.0
/*
 * Folios that there is memory for, and no place: filemap_add_folio() fails.
 */
#include <kunit/test.h>
#include <linux/container_of.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/pagemap.h>

#include "alloc_fault.h"
#include "filemap_fallback.h"
#include "filemap_ladder.h"
#include "gfp_attempt.h"
#include "gfp_suite.h"

static struct alloc_trace *new_trace(struct kunit *test)
{
	struct alloc_trace *trace = kunit_kzalloc(test, sizeof(*trace), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, trace);
	trace->with = __GFP_HARDWALL;
	return trace;
}

/* Add a folio of order 0, and leave it there with one reference of ours. */
static struct folio *add_single_page(struct kunit *test, struct address_space *mapping,
				     pgoff_t index)
{
	struct folio *folio = __filemap_get_folio(mapping, index, FGP_LOCK | FGP_CREAT,
						  GFP_USER);

	KUNIT_ASSERT_FALSE(test, IS_ERR(folio));
	KUNIT_EXPECT_EQ(test, folio_order(folio), 0);
	folio_unlock(folio);
	return folio;
}

/**
 * struct look_up - a look-up at index 0, in a state that is proven or nearly so
 * @call: how it is made; its trace is the caller's
 * @mapping: in this mapping
 * @wanted: for a folio of this order
 * @folio: what it returned, to be compared only
 * @order: the order of that
 * @locked: whether it was locked
 * @refused: slab allocations that failed on purpose meanwhile
 */
struct look_up {
	struct gfp_call call;
	struct address_space *mapping;
	unsigned int wanted;
	struct folio *folio;
	unsigned int order;
	bool locked;
	unsigned int refused;
};

static void look_up(struct gfp_call *call)
{
	struct look_up *look = container_of(call, struct look_up, call);

	look->folio = __filemap_get_folio(look->mapping, 0, FGP_LOCK | FGP_CREAT |
					  fgf_set_order(PAGE_SIZE << look->wanted),
					  GFP_HIGHUSER_MOVABLE);
}

static void put_back(struct gfp_call *call)
{
	struct look_up *look = container_of(call, struct look_up, call);

	if (IS_ERR(look->folio))
		return;
	look->order = folio_order(look->folio);
	look->locked = folio_test_locked(look->folio);
	if (look->locked)
		folio_unlock(look->folio);
	folio_put(look->folio);
}

/* From the largest order down to the one that has room, one attempt each. */
static bool went_down_to(const struct look_up *look, unsigned int order)
{
	const struct alloc_trace *trace = look->call.trace;
	unsigned int i;

	if (IS_ERR(look->folio) || look->order != order ||
	    trace->nr != MAX_PAGECACHE_ORDER - order + 1)
		return false;
	for (i = 0; i < trace->nr; i++) {
		if (trace->steps[i].order != MAX_PAGECACHE_ORDER - i ||
		    !trace->steps[i].did.page)
			return false;
	}
	return true;
}

/*
 * A folio must not cover one that is there already.  Orders that would are given
 * up one by one, and what they had allocated is free again: the state is proven
 * anew for each neighbour, and its memory is counted in the end.
 */
void neighbour_limits_the_folio(struct kunit *test)
{
	struct look_up look = { .call = { .call = look_up, .undo = put_back } };
	struct gfp_effects seen;
	struct gfp_tally *tally;
	struct folio *neighbour;
	struct zone_state *zs;
	pgoff_t at;

	gfp_need_large_folios(test);
	tally = gfp_tally_new(test,
			      "mm/filemap.c: a smaller folio is tried where a larger one has no room",
			      ZONE_STATE_INTACT);
	look.call.trace = new_trace(test);
	look.mapping = filemap_open_files(test)->plain.inode->i_mapping;
	look.wanted = MAX_PAGECACHE_ORDER;
	mapping_set_folio_order_range(look.mapping, 0, MAX_PAGECACHE_ORDER);
	zs = zone_state_enter(test, ZONE_STATE_INTACT, 0);
	for (at = 1; at < 1UL << MAX_PAGECACHE_ORDER; at += at / 2 + 1) {
		KUNIT_ASSERT_TRUE_MSG(test, zone_state_prepare(zs), "%s", zs->why);
		neighbour = add_single_page(test, look.mapping, at);
		gfp_make_call_unproven(zs, &look.call, &seen);
		gfp_tally_expect(tally, went_down_to(&look, ilog2(at)),
				 "a folio of order 0 at index %lu: %u attempts, order %d; contract: one attempt each from order %u to %d",
				 at, look.call.trace->nr,
				 IS_ERR(look.folio) ? -1 : (int)look.order,
				 look.wanted, ilog2(at));
		folio_put(neighbour);
		truncate_inode_pages(look.mapping, 0);
	}
	gfp_tally_report(test, tally);
}

/* A small order, which nobody gives up before having reclaimed for it. */
#define SMALL_ORDER		2

/* A folio that another task adds, and where. */
static struct {
	struct address_space *mapping;
	struct folio *folio;
	int err;
} racer;

/* Called while the look-up waits for memory: another task has no better moment. */
static void race(const struct gfp_effects *seen)
{
	memory_giver_notify(seen);
	if (racer.err != -EAGAIN)
		return;
	racer.err = filemap_add_folio(racer.mapping, racer.folio, 0, GFP_NOWAIT);
	if (!racer.err)
		folio_unlock(racer.folio);
}

/*
 * Another task is quicker.  What was allocated meanwhile is freed again, and the
 * folio that is there is returned.
 */
void racing_folio_is_found(struct kunit *test)
{
	struct look_up look = {
		.call = { .call = look_up, .undo = put_back, .notify = race },
	};
	struct alloc_trace *trace;
	struct gfp_effects seen;
	struct gfp_tally *tally;
	struct zone_state *zs;

	gfp_need_large_folios(test);
	tally = gfp_tally_new(test,
			      "mm/filemap.c: the folio of whoever was quicker is looked up again",
			      ZONE_STATE_UNMOVABLE);
	trace = new_trace(test);
	look.call.trace = trace;
	look.mapping = filemap_open_files(test)->plain.inode->i_mapping;
	mapping_set_folio_order_range(look.mapping, SMALL_ORDER, MAX_PAGECACHE_ORDER);
	racer.mapping = look.mapping;
	racer.err = -EAGAIN;
	racer.folio = folio_alloc(GFP_USER, SMALL_ORDER);
	KUNIT_ASSERT_NOT_NULL(test, racer.folio);

	zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);
	KUNIT_ASSERT_TRUE_MSG(test, zone_state_prepare(zs), "%s", zs->why);
	gfp_make_call_unproven(zs, &look.call, &seen);
	KUNIT_EXPECT_EQ_MSG(test, racer.err, 0, "the racing folio was not added");
	gfp_tally_expect(tally, look.folio == racer.folio && look.locked &&
			 trace->nr == 1 && trace->steps[0].did.page,
			 "%s, %u attempts; contract: the racing folio, locked, 1 attempt",
			 look.folio == racer.folio ? "the racing folio" : "another result",
			 trace->nr);
	/* What was allocated in vain is back by now; the racing folio is not. */
	zone_state_leave(test, zs);
	folio_put(racer.folio);
	truncate_inode_pages(racer.mapping, 0);
	gfp_tally_report(test, tally);
}

static void look_up_without_slab(struct gfp_call *call)
{
	struct look_up *look = container_of(call, struct look_up, call);

	alloc_fault_start(ALLOC_FAULT_SLAB, 1);
	look_up(call);
	look->refused = alloc_fault_stop();
}

/*
 * Look up the largest folio where the page cache can get no node for its tree,
 * which an empty file needs for every folio but one of a single page.
 */
static void look_up_without_nodes(struct kunit *test, struct look_up *look,
				  unsigned int min)
{
	struct gfp_effects seen;
	struct zone_state *zs;

	gfp_need_large_folios(test);
	alloc_fault_init(test);
	look->call.call = look_up_without_slab;
	look->call.undo = put_back;
	look->call.trace = new_trace(test);
	look->mapping = filemap_open_files(test)->plain.inode->i_mapping;
	look->wanted = MAX_PAGECACHE_ORDER;
	mapping_set_folio_order_range(look->mapping, min, MAX_PAGECACHE_ORDER);
	zs = zone_state_enter(test, ZONE_STATE_INTACT, 0);
	KUNIT_ASSERT_TRUE_MSG(test, zone_state_prepare(zs), "%s", zs->why);
	gfp_make_call_unproven(zs, &look->call, &seen);
	truncate_inode_pages(look->mapping, 0);
	/* What was allocated in vain is back by now. */
	zone_state_leave(test, zs);
	KUNIT_EXPECT_GE_MSG(test, look->refused, look->wanted - min,
			    "slab allocations were not refused");
}

/* No room for a node of the tree: a smaller folio may do without one. */
void missing_nodes_limit_the_folio(struct kunit *test)
{
	struct look_up look = {};
	struct gfp_tally *tally;

	look_up_without_nodes(test, &look, 0);
	tally = gfp_tally_new(test,
			      "mm/filemap.c: a smaller folio is tried where a larger one cannot be added",
			      ZONE_STATE_INTACT);
	gfp_tally_expect(tally, went_down_to(&look, 0),
			 "%u attempts, order %d; contract: one attempt each from order %u to 0",
			 look.call.trace->nr, IS_ERR(look.folio) ? -1 : (int)look.order,
			 look.wanted);
	gfp_tally_report(test, tally);
}

/* At the minimum order there is nothing left to try. */
void missing_nodes_fail_at_the_minimum(struct kunit *test)
{
	struct look_up look = {};
	struct gfp_tally *tally;

	look_up_without_nodes(test, &look, SMALL_ORDER);
	tally = gfp_tally_new(test,
			      "mm/filemap.c: -ENOMEM where not even the minimum order can be added",
			      ZONE_STATE_INTACT);
	gfp_tally_expect(tally, look.folio == ERR_PTR(-ENOMEM) &&
			 look.call.trace->nr == look.wanted - SMALL_ORDER + 1,
			 "%u attempts, %pe; contract: %u attempts, -ENOMEM",
			 look.call.trace->nr, look.folio, look.wanted - SMALL_ORDER + 1);
	gfp_tally_report(test, tally);
}
