// SPDX-License-Identifier: GPL-2.0
/*
 * Which orders a folio is asked for with, and in which sequence.
 *
 * The model is iomap_first_order(); it knows what fgf_set_order() and a mapping
 * promise, and nothing of how they keep it.
 */
#include <kunit/test.h>
#include <linux/pagemap.h>
#include <linux/sizes.h>

#include "iomap_folio.h"
#include "iomap_folio_rule.h"
#include "iomap_folio_write.h"

#define SOURCE	"pagemap.h, fgf_set_order(): the size of a new folio is the suggested one, but for alignment"

/* Positions: aligned to each order from the largest down, and to nothing. */
static const loff_t positions[] = {
	0, SZ_4M, SZ_2M, SZ_1M, SZ_512K, SZ_256K, SZ_128K, SZ_64K, SZ_32K, SZ_16K,
	SZ_8K, SZ_4K, 1, SZ_4K - 1, SZ_64K + 1, SZ_1M - SZ_4K, SZ_2M - 1,
	SZ_2M + SZ_64K + 12345, (loff_t)SZ_2G * 3 + SZ_128K,
};

/**
 * struct order_test - folios are looked up one by one
 * @file: in this file
 * @zs: with large blocks free
 * @tally: how the promise fared
 * @trace: the attempts of the last look-up
 * @min: the smallest order of the file's mapping
 * @max: the largest
 */
struct order_test {
	struct iomap_test_file *file;
	struct zone_state *zs;
	struct gfp_tally *tally;
	struct alloc_trace trace;
	unsigned int min;
	unsigned int max;
};

static struct folio *get_folio(struct order_test *ot, loff_t pos, size_t len)
{
	struct iomap_iter iter = {
		.inode = iomap_test_inode(ot->file),
		.pos = pos,
		.len = len,
		.flags = IOMAP_WRITE,
	};
	struct gfp_effects seen;
	struct folio *folio;

	ot->trace.with = __GFP_HARDWALL | __GFP_MOVABLE;
	alloc_observer_trace(&ot->trace);
	alloc_observer_start(NULL);
	folio = iomap_get_folio(&iter, pos, len);
	alloc_observer_stop(&seen);
	return folio;
}

static bool as_modelled(const struct order_test *ot, struct folio *folio,
			loff_t pos, unsigned int order)
{
	return ot->trace.nr == 1 && ot->trace.steps[0].order == order &&
	       folio_order(folio) == order && folio_test_locked(folio) &&
	       folio->index == round_down(pos >> PAGE_SHIFT, 1UL << order);
}

static void judge_folio(struct order_test *ot, loff_t pos, size_t len)
{
	unsigned int order = iomap_first_order(pos >> PAGE_SHIFT, len, ot->min, ot->max);
	struct folio *folio = get_folio(ot, pos, len);

	if (IS_ERR(folio)) {
		gfp_tally_expect(ot->tally, false, "%zu bytes at %lld: error %ld",
				 len, pos, PTR_ERR(folio));
		return;
	}
	gfp_tally_expect(ot->tally, as_modelled(ot, folio, pos, order),
			 "%zu bytes at %lld, mapping %u to %u: %u attempts, first order %u, folio of order %u at index %lu; contract: one attempt of order %u",
			 len, pos, ot->min, ot->max, ot->trace.nr, ot->trace.steps[0].order,
			 folio_order(folio), folio->index, order);
	folio_unlock(folio);
	folio_put(folio);
	iomap_test_truncate(ot->file);
}

/* Powers of two from 1 byte to 4 MiB, and their neighbours. */
static void judge_lengths(struct order_test *ot, loff_t pos)
{
	size_t len;

	for (len = 1; len <= SZ_4M; len *= 2) {
		if (len > 2)
			judge_folio(ot, pos, len - 1);
		judge_folio(ot, pos, len);
		if (len > 1)
			judge_folio(ot, pos, len + 1);
	}
}

static void judge_positions(struct kunit *test, struct order_test *ot)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(positions); i++) {
		/* Proves that blocks of all orders are free, also after the last row. */
		KUNIT_ASSERT_TRUE_MSG(test, zone_state_prepare(ot->zs), "%s", ot->zs->why);
		judge_lengths(ot, positions[i]);
		zone_state_free_page(ot->zs, NULL, 0);
	}
}

static struct order_test *order_test(struct kunit *test)
{
	struct order_test *ot = kunit_kzalloc(test, sizeof(*ot), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ot);
	ot->tally = gfp_tally_new(test, SOURCE, ZONE_STATE_INTACT);
	ot->file = iomap_test_file(test);
	ot->max = mapping_max_folio_order(iomap_test_inode(ot->file)->i_mapping);
	ot->zs = zone_state_enter(test, ZONE_STATE_INTACT, 0);
	return ot;
}

/* As large as suggested, where that is aligned; free memory gives it at once. */
void order_follows_length(struct kunit *test)
{
	struct order_test *ot;

	iomap_needs_large_folios(test);
	ot = order_test(test);
	judge_positions(test, ot);
	gfp_tally_report(test, ot->tally);
}

/* A mapping's own limits count for more than what is suggested. */
void order_within_mapping(struct kunit *test)
{
	static const struct gfp_range limits[] = {
		{ 0, 0 }, { 0, 1 }, { 0, 3 }, { 0, 4 }, { 2, 2 }, { 2, 5 }, { 4, 9 },
	};
	struct address_space *mapping;
	struct order_test *ot;
	int i;

	iomap_needs_large_folios(test);
	ot = order_test(test);
	mapping = iomap_test_inode(ot->file)->i_mapping;
	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		mapping_set_folio_order_range(mapping, limits[i].min, limits[i].max);
		ot->min = limits[i].min;
		ot->max = min_t(unsigned int, limits[i].max, MAX_PAGECACHE_ORDER);
		judge_positions(test, ot);
	}
	gfp_tally_report(test, ot->tally);
}

/*
 * The attempts of a whole write where only order 0 is free: for each page from
 * the order that fits what is left down to 0, one by one.
 */
static bool descends(const struct alloc_trace *trace,
		     const struct iomap_test_write *write, unsigned int max,
		     unsigned int *at, unsigned int *want)
{
	pgoff_t last = (write->pos + write->len - 1) >> PAGE_SHIFT;
	pgoff_t index = write->pos >> PAGE_SHIFT;
	loff_t pos = write->pos;
	int order;

	*at = 0;
	for (; index <= last; index++) {
		size_t left = write->pos + write->len - pos;

		for (order = iomap_first_order(index, left, 0, max); order >= 0; order--) {
			*want = order;
			if (*at == ALLOC_TRACE_STEPS)
				return true;
			if (*at == trace->nr || trace->steps[*at].order != order)
				return false;
			++*at;
		}
		pos = (loff_t)(index + 1) << PAGE_SHIFT;
	}
	*want = 0;
	return *at == trace->nr && !trace->missed;
}

/* No order is left out on the way down, and none is tried twice. */
void order_by_order_down(struct kunit *test)
{
	static const struct iomap_test_write writes[] = {
		{ 0, SZ_4K }, { 0, SZ_32K }, { 0, SZ_64K }, { SZ_64K, SZ_64K - 1 },
		{ 777, SZ_64K }, { SZ_1M - SZ_16K, SZ_64K }, { SZ_2M, SZ_2M },
	};
	const enum zone_state_id *id = test->param_value;
	struct iomap_test_file *file;
	struct gfp_tally *tally;
	unsigned int i, at, want, max;
	struct iomap_seen *seen;
	struct zone_state *zs;
	void *buf;

	iomap_needs_large_folios(test);
	seen = kunit_kzalloc(test, sizeof(*seen), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, seen);
	tally = gfp_tally_new(test,
			      "pagemap.h, fgf_set_order(): under memory pressure a folio is smaller than suggested",
			      *id);
	buf = iomap_test_buffer(test, SZ_2M);
	file = iomap_test_file(test);
	max = mapping_max_folio_order(iomap_test_inode(file)->i_mapping);
	zs = zone_state_enter(test, *id, 0);
	for (i = 0; i < ARRAY_SIZE(writes); i++) {
		bool kept;

		/* More pages than are free where memory is low. */
		if (*id == ZONE_STATE_LOW && writes[i].len > SZ_64K)
			continue;
		KUNIT_ASSERT_TRUE_MSG(test, iomap_observe(zs, file, &writes[i], buf, 0,
							  seen, &tally->again),
				      "%s", zs->why);
		kept = descends(&seen->trace, &writes[i], max, &at, &want);
		gfp_tally_expect(tally, kept,
				 "%zu bytes at %lld: attempt %u of %u has order %u; contract: order %u",
				 writes[i].len, writes[i].pos, at, seen->trace.nr,
				 at < seen->trace.nr ? seen->trace.steps[at].order : 0, want);
	}
	gfp_tally_report(test, tally);
}
