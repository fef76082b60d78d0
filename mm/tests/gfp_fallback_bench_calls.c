// SPDX-License-Identifier: GPL-2.0
/*
 * The calls whose fallback is timed.
 */
#include <kunit/resource.h>
#include <kunit/test.h>
#include <linux/container_of.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "gfp_fallback_bench_calls.h"
#include "gfp_suite.h"
#include "test_inode.h"
#include "vmalloc_settle.h"

/* What the page cache marks each attempt above its minimum order with. */
#define ATTEMPT_GFP	(GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN)

/* One attempt. */
struct single_attempt {
	struct gfp_bench_call bench;
	unsigned int order;
	struct page *page;
};

static void attempt(struct gfp_call *call)
{
	struct single_attempt *single = container_of(call, struct single_attempt, bench.call);

	single->page = alloc_pages(ATTEMPT_GFP, single->order);
}

static void free_attempt(struct gfp_call *call)
{
	struct single_attempt *single = container_of(call, struct single_attempt, bench.call);

	single->bench.pages = single->page ? 1UL << single->order : 0;
	single->bench.orders[single->order] = !!single->page;
	if (single->page)
		__free_pages(single->page, single->order);
}

static struct gfp_bench_call *new_attempt(struct kunit *test,
					  const struct gfp_bench_point *point,
					  size_t size)
{
	struct single_attempt *single = kunit_kzalloc(test, sizeof(*single), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, single);
	single->bench.call.call = attempt;
	single->bench.call.undo = free_attempt;
	single->bench.counted = true;
	single->bench.attempts = 1;
	single->order = point->order;
	return &single->bench;
}

const struct gfp_bench_api fallback_alloc_pages = {
	.name = "alloc_pages",
	.prepare = new_attempt,
};

/* A ladder from the wanted order down. */
struct ladder {
	struct gfp_bench_call bench;
	struct test_inode file;
	unsigned int order;
	struct folio *folio;
};

/* Nobody writes to these folios. */
static const struct address_space_operations ladder_aops = {
	.dirty_folio = noop_dirty_folio,
};

static void climb(struct gfp_call *call)
{
	struct ladder *ladder = container_of(call, struct ladder, bench.call);

	ladder->folio = __filemap_get_folio(ladder->file.inode->i_mapping, 0,
					    FGP_LOCK | FGP_CREAT | FGP_WRITE |
					    fgf_set_order(PAGE_SIZE << ladder->order),
					    GFP_HIGHUSER_MOVABLE);
}

static void climb_down(struct gfp_call *call)
{
	struct ladder *ladder = container_of(call, struct ladder, bench.call);

	ladder->bench.pages = 0;
	memset(ladder->bench.orders, 0, sizeof(ladder->bench.orders));
	if (IS_ERR(ladder->folio))
		return;
	ladder->bench.pages = folio_nr_pages(ladder->folio);
	ladder->bench.orders[folio_order(ladder->folio)] = 1;
	folio_unlock(ladder->folio);
	folio_put(ladder->folio);
	truncate_inode_pages(ladder->file.inode->i_mapping, 0);
}

static void free_file(void *data)
{
	test_inode_exit(data);
}

static struct gfp_bench_call *new_ladder(struct kunit *test,
					 const struct gfp_bench_point *point,
					 size_t size)
{
	struct ladder *ladder;

	gfp_need_large_folios(test);
	ladder = kunit_kzalloc(test, sizeof(*ladder), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ladder);
	KUNIT_ASSERT_EQ(test, test_inode_init(&ladder->file, false), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, free_file, &ladder->file), 0);
	ladder->file.inode->i_mapping->a_ops = &ladder_aops;
	mapping_set_large_folios(ladder->file.inode->i_mapping);
	ladder->bench.call.call = climb;
	ladder->bench.call.undo = climb_down;
	ladder->bench.counted = true;
	/* Bits that folios are asked for with, and nodes of the tree are not. */
	ladder->bench.with = __GFP_HARDWALL;
	ladder->order = point->order;
	ladder->bench.attempts = point->order - point->free + 1;
	return &ladder->bench;
}

const struct gfp_bench_api fallback_filemap = {
	.name = "filemap",
	.prepare = new_ladder,
};

/* A buffer. */
struct buffer {
	struct gfp_bench_call bench;
	size_t size;
	void *memory;
};

static void get_vmalloc(struct gfp_call *call)
{
	struct buffer *buffer = container_of(call, struct buffer, bench.call);

	buffer->memory = vmalloc(buffer->size);
}

static void get_kvmalloc(struct gfp_call *call)
{
	struct buffer *buffer = container_of(call, struct buffer, bench.call);

	buffer->memory = kvmalloc(buffer->size, GFP_KERNEL);
}

static void free_buffer(struct gfp_call *call)
{
	struct buffer *buffer = container_of(call, struct buffer, bench.call);
	bool mapped = is_vmalloc_addr(buffer->memory);

	buffer->bench.pages = 0;
	if (!buffer->memory)
		return;
	/* kmalloc() rounds up to a power of two. */
	buffer->bench.pages = mapped ? buffer->size >> PAGE_SHIFT :
				       1UL << get_order(buffer->size);
	kvfree(buffer->memory);
	if (mapped)
		vmalloc_settle();
}

static struct gfp_bench_call *new_buffer(struct kunit *test, size_t size,
					 void (*get)(struct gfp_call *call))
{
	struct buffer *buffer = kunit_kzalloc(test, sizeof(*buffer), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	buffer->bench.call.call = get;
	buffer->bench.call.undo = free_buffer;
	buffer->size = size;
	vmalloc_warm_up(size >> PAGE_SHIFT);
	return &buffer->bench;
}

static struct gfp_bench_call *new_vmalloc(struct kunit *test,
					  const struct gfp_bench_point *point,
					  size_t size)
{
	return new_buffer(test, size, get_vmalloc);
}

const struct gfp_bench_api fallback_vmalloc = {
	.name = "vmalloc",
	.sized = true,
	.prepare = new_vmalloc,
};

static struct gfp_bench_call *new_kvmalloc(struct kunit *test,
					   const struct gfp_bench_point *point,
					   size_t size)
{
	return new_buffer(test, size, get_kvmalloc);
}

const struct gfp_bench_api fallback_kvmalloc = {
	.name = "kvmalloc",
	.sized = true,
	.prepare = new_kvmalloc,
};
