// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit benchmark of buffered writes: what falling back to small folios costs.
 */
#include <kunit/test.h>
#include <linux/container_of.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "gfp_bench.h"
#include "gfp_suite.h"
#include "gfp_test_compat.h"
#include "iomap_folio_file.h"

/*
 * Where no large folio is to be had a write asks for one again at each page: a
 * hundred million instructions for one call.
 */
#define WRITE_SAMPLES		7

static const size_t write_sizes[] = { SZ_64K, SZ_1M };

/* A write to an empty file. */
struct timed_write {
	struct gfp_bench_call bench;
	struct iomap_test_file *file;
	struct iomap_test_write write;
	void *buf;
	ssize_t ret;
};

static void make_write(struct gfp_call *call)
{
	struct timed_write *timed = container_of(call, struct timed_write, bench.call);

	timed->ret = iomap_test_write(timed->file, &timed->write, timed->buf, 0);
}

static void count_folios(struct timed_write *timed)
{
	struct address_space *mapping = iomap_test_inode(timed->file)->i_mapping;
	struct folio_batch batch;
	pgoff_t index = 0;
	unsigned int i;

	folio_batch_init(&batch);
	while (filemap_get_folios(mapping, &index, ULONG_MAX, &batch)) {
		for (i = 0; i < folio_batch_count(&batch); i++)
			timed->bench.orders[folio_order(batch.folios[i])]++;
		folio_batch_release(&batch);
	}
}

static void undo_write(struct gfp_call *call)
{
	struct timed_write *timed = container_of(call, struct timed_write, bench.call);

	memset(timed->bench.orders, 0, sizeof(timed->bench.orders));
	count_folios(timed);
	timed->bench.pages = max(timed->ret, 0) >> PAGE_SHIFT;
	iomap_test_truncate(timed->file);
}

/* A write makes hundreds of attempts; that they are many says nothing. */
static void no_notice(const struct gfp_effects *seen)
{
}

static struct gfp_bench_call *new_write(struct kunit *test,
					const struct gfp_bench_point *point,
					size_t size)
{
	struct timed_write *timed;

	gfp_need_large_folios(test);
	timed = kunit_kzalloc(test, sizeof(*timed), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, timed);
	timed->file = iomap_test_file(test);
	timed->write.len = size;
	timed->buf = iomap_test_buffer(test, size);
	iomap_test_fill(timed->buf, 0, size);
	timed->bench = (struct gfp_bench_call){
		.call = { .call = make_write, .undo = undo_write, .notify = no_notice },
		.with = __GFP_HARDWALL | __GFP_MOVABLE,
		.counted = true,
		.samples = WRITE_SAMPLES,
		.varies = true,
	};
	return &timed->bench;
}

static const struct gfp_bench_api iomap_write = {
	.name = "iomap",
	.sized = true,
	.prepare = new_write,
};

static const void *next_write_row(GFP_COMPAT_GEN_PARAMS_ARGS)
{
	return gfp_bench_next_row(write_sizes, ARRAY_SIZE(write_sizes), prev, desc);
}

static void buffered_write(struct kunit *test)
{
	gfp_bench_row(test, &iomap_write, write_sizes);
}

static struct kunit_case iomap_fallback_bench_cases[] = {
	KUNIT_CASE_PARAM_ATTR(buffered_write, next_write_row, { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE_SLOW(gfp_bench_cost),
	{}
};

static struct kunit_suite iomap_fallback_bench_suite = {
	.name = "iomap_fallback_bench",
	.suite_init = gfp_bench_init,
	.suite_exit = gfp_bench_exit,
	.test_cases = iomap_fallback_bench_cases,
};

kunit_test_suite(iomap_fallback_bench_suite);

MODULE_DESCRIPTION("KUnit benchmark of buffered writes on fragmented memory");
MODULE_LICENSE("GPL");
