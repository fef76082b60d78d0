// SPDX-License-Identifier: GPL-2.0
/*
 * What the type of an extent and the flags of a write mean for the page cache.
 *
 * The zone state is intact, but for the last test: that all memory comes back is
 * what it is for here.
 */
#include <kunit/test.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sizes.h>

#include "gfp_test_compat.h"
#include "iomap_folio.h"
#include "iomap_folio_rule.h"
#include "iomap_folio_write.h"
#include "zone_fragment.h"

/* From the middle of one block to the middle of another, whatever their size. */
static const struct iomap_test_write inside = { 3 * SZ_4K + 100, SZ_64K + 200 };

#define INSIDE_END		(3 * SZ_4K + 100 + SZ_64K + 200)

/* Larger than any of the writes. */
#define FILE_SIZE		SZ_1M

/**
 * struct types_test - writes to one file
 * @file: the file
 * @inode: its inode
 * @buf: room for @inside
 * @tally: how the promise fared
 */
struct types_test {
	struct iomap_test_file *file;
	struct inode *inode;
	void *buf;
	struct gfp_tally *tally;
};

static struct types_test *types_test(struct kunit *test, const char *source)
{
	struct types_test *tt = kunit_kzalloc(test, sizeof(*tt), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, tt);
	tt->tally = gfp_tally_new(test, source, ZONE_STATE_INTACT);
	tt->buf = iomap_test_buffer(test, SZ_128K);
	tt->file = iomap_test_file(test);
	tt->inode = iomap_test_inode(tt->file);
	iomap_test_fill(tt->buf, inside.pos, inside.len);
	return tt;
}

/* The size of a block may change only while no folio has any. */
static void set_block_size(struct types_test *tt, unsigned int blkbits)
{
	iomap_test_truncate(tt->file);
	tt->inode->i_blkbits = blkbits;
}

/* Into a file that has nothing in the page cache. */
static ssize_t write_inside(struct types_test *tt, loff_t size, int flags)
{
	iomap_test_truncate(tt->file);
	i_size_write(tt->inode, size);
	return iomap_test_write(tt->file, &inside, tt->buf, flags);
}

/* So that pages which come from free memory are not zero by chance. */
static void spoil_free_memory(struct types_test *tt)
{
	static const struct iomap_test_write all = { 0, SZ_128K };

	iomap_test_fill(tt->buf, all.pos, all.len);
	iomap_test_write(tt->file, &all, tt->buf, 0);
	iomap_test_truncate(tt->file);
	iomap_test_fill(tt->buf, inside.pos, inside.len);
}

/* What was written, and what is around it in its first and last block. */
static bool cached(const struct types_test *tt, enum iomap_test_bytes around)
{
	loff_t first = round_down(inside.pos, (loff_t)i_blocksize(tt->inode));
	loff_t last = round_up((loff_t)INSIDE_END, (loff_t)i_blocksize(tt->inode));

	return iomap_test_differs(tt->file, first, inside.pos - first, around) == -1 &&
	       iomap_test_differs(tt->file, inside.pos, inside.len,
				  IOMAP_TEST_WRITTEN) == -1 &&
	       iomap_test_differs(tt->file, INSIDE_END, last - INSIDE_END, around) == -1 &&
	       !iomap_test_at_rest(tt->file);
}

/* Where nothing valid is on the disk, a write must not show what is there. */
void zeroes_around_the_write(struct kunit *test)
{
	static const struct {
		const char *name;
		u16 type;
		u16 flags;
		loff_t size;
	} rows[] = {
		{ "delayed allocation", IOMAP_DELALLOC, 0, FILE_SIZE },
		{ "unwritten", IOMAP_UNWRITTEN, 0, FILE_SIZE },
		{ "hole", IOMAP_HOLE, 0, FILE_SIZE },
		{ "new", IOMAP_MAPPED, IOMAP_F_NEW, FILE_SIZE },
		{ "beyond the end of the file", IOMAP_MAPPED, 0, 0 },
	};
	struct types_test *tt;
	unsigned int blkbits;
	ssize_t ret;
	int i;

	tt = types_test(test,
			"iomap.h: what has no valid blocks, or IOMAP_F_NEW ones, is zeroed where no data is copied to");
	zone_state_enter(test, ZONE_STATE_INTACT, 0);
	for (blkbits = 9; blkbits <= PAGE_SHIFT; blkbits += 3) {
		set_block_size(tt, blkbits);
		for (i = 0; i < ARRAY_SIZE(rows); i++) {
			tt->file->type = rows[i].type;
			tt->file->flags = rows[i].flags;
			spoil_free_memory(tt);
			ret = write_inside(tt, rows[i].size, 0);
			gfp_tally_expect(tt->tally, ret == inside.len &&
					 cached(tt, IOMAP_TEST_ZERO) && !tt->file->reads,
					 "%s, %u bytes a block: returned %zd, %u reads, bytes %s",
					 rows[i].name, 1U << blkbits, ret, tt->file->reads,
					 cached(tt, IOMAP_TEST_ZERO) ? "right" : "wrong");
		}
	}
	iomap_test_truncate(tt->file);
	gfp_tally_report(test, tt->tally);
}

/* Where valid data is on the disk, it is still there around the write. */
void reads_around_the_write(struct kunit *test)
{
	struct types_test *tt;
	unsigned int blkbits;
	ssize_t ret;

	if (!iomap_test_has_write_ops())
		kunit_skip(test, "needs struct iomap_write_ops, since 6.17");
	tt = types_test(test,
			"iomap.h, IOMAP_MAPPED: blocks that are written in part are read first");
	tt->file->type = IOMAP_MAPPED;
	zone_state_enter(test, ZONE_STATE_INTACT, 0);
	for (blkbits = 9; blkbits <= PAGE_SHIFT; blkbits += 3) {
		set_block_size(tt, blkbits);
		ret = write_inside(tt, FILE_SIZE, 0);
		gfp_tally_expect(tt->tally, ret == inside.len &&
				 cached(tt, IOMAP_TEST_ON_DISK) && tt->file->reads == 2,
				 "%u bytes a block: returned %zd, bytes %s, %u reads; contract: first and last block are read",
				 1U << blkbits, ret,
				 cached(tt, IOMAP_TEST_ON_DISK) ? "right" : "wrong",
				 tt->file->reads);
	}
	iomap_test_truncate(tt->file);
	gfp_tally_report(test, tt->tally);
}

/* Nothing was written: the error of the read is that of the write. */
void read_error_is_returned(struct kunit *test)
{
	struct types_test *tt;
	const char *unrest;
	ssize_t ret;

	if (!iomap_test_has_write_ops())
		kunit_skip(test, "needs struct iomap_write_ops, since 6.17");
	tt = types_test(test, "iomap.h, struct iomap_write_ops: read_folio_range() may fail");
	tt->file->type = IOMAP_MAPPED;
	zone_state_enter(test, ZONE_STATE_INTACT, 0);
	tt->file->read_error = -EIO;
	ret = write_inside(tt, FILE_SIZE, 0);
	unrest = iomap_test_at_rest(tt->file);
	gfp_tally_expect(tt->tally, ret == -EIO && !unrest && !tt->file->committed,
			 "returned %zd, %lld bytes committed, %s; contract: error %d",
			 ret, tt->file->committed, unrest ?: "folios at rest", -EIO);
	tt->file->read_error = 0;
	ret = write_inside(tt, FILE_SIZE, 0);
	gfp_tally_expect(tt->tally, ret == inside.len && cached(tt, IOMAP_TEST_ON_DISK),
			 "without an error: returned %zd", ret);
	iomap_test_truncate(tt->file);
	gfp_tally_report(test, tt->tally);
}

/* The bytes go to the inode's own data, too, and leave what is around them. */
void inline_data_is_written(struct kunit *test)
{
	static const struct iomap_test_write write = { 100, 300 };
	loff_t pos, differs, size = 2 * (write.pos + write.len);
	struct types_test *tt;
	ssize_t ret;
	u8 *data;

	tt = types_test(test, "iomap.h, IOMAP_INLINE: data inline in the inode");
	data = iomap_test_buffer(test, PAGE_SIZE);
	for (pos = 0; pos < size; pos++)
		data[pos] = iomap_test_byte(IOMAP_TEST_ON_DISK, pos);
	tt->file->type = IOMAP_INLINE;
	tt->file->extent = PAGE_SIZE;
	tt->file->inline_data = data;
	zone_state_enter(test, ZONE_STATE_INTACT, 0);
	i_size_write(tt->inode, size);
	iomap_test_fill(tt->buf, write.pos, write.len);
	ret = iomap_test_write(tt->file, &write, tt->buf, 0);
	gfp_tally_expect(tt->tally, ret == write.len && !iomap_test_at_rest(tt->file),
			 "returned %zd", ret);
	for (pos = 0; pos < size; pos++) {
		bool written = pos >= write.pos && pos < write.pos + write.len;
		u8 want = iomap_test_byte(written ? IOMAP_TEST_WRITTEN : IOMAP_TEST_ON_DISK,
					  pos);

		if (data[pos] != want)
			break;
	}
	gfp_tally_expect(tt->tally, pos == size, "byte %lld of the inode is wrong", pos);
	differs = iomap_test_differs(tt->file, 0, write.pos, IOMAP_TEST_ON_DISK);
	if (differs == -1)
		differs = iomap_test_differs(tt->file, write.pos, write.len,
					     IOMAP_TEST_WRITTEN);
	gfp_tally_expect(tt->tally, differs == -1, "byte %lld of the page cache is wrong", differs);
	iomap_test_truncate(tt->file);
	gfp_tally_report(test, tt->tally);
}

/* A write over many extents begins and ends each, and no byte is told of twice. */
void extents_are_committed(struct kunit *test)
{
	static const u64 extents[] = {
		SZ_4K, 3 * SZ_4K, SZ_16K, 5 * SZ_4K, 1000, SZ_64K, IOMAP_TEST_ONE_EXTENT,
	};
	struct types_test *tt;
	unsigned int want;
	char why[120] = "";
	ssize_t ret;
	bool kept;
	int i;

	tt = types_test(test,
			"iomap.h, iomap_end: written is the length of the successful write");
	zone_state_enter(test, ZONE_STATE_INTACT, 0);
	for (i = 0; i < ARRAY_SIZE(extents); i++) {
		tt->file->extent = extents[i];
		want = div64_u64(INSIDE_END - 1, extents[i]) -
		       div64_u64(inside.pos, extents[i]) + 1;
		ret = write_inside(tt, 0, 0);
		kept = iomap_test_complete(tt->file, &inside, ret, why, sizeof(why));
		gfp_tally_expect(tt->tally, kept && tt->file->begins == want,
				 "extents of %llu bytes: %u of them; contract: %u; %s",
				 extents[i], tt->file->begins, want, why);
	}
	iomap_test_truncate(tt->file);
	gfp_tally_report(test, tt->tally);
}

/*
 * How many of the file's folios are to be dropped after writeback.  Looking one
 * up by its index would take the mark off.
 */
static unsigned int nr_dropbehind(const struct types_test *tt, unsigned int *nr)
{
	unsigned int i, marked = 0;
	struct folio_batch batch;
	pgoff_t index = 0;

	*nr = 0;
	folio_batch_init(&batch);
	while (filemap_get_folios(tt->inode->i_mapping, &index, ULONG_MAX, &batch)) {
		for (i = 0; i < folio_batch_count(&batch); i++, ++*nr)
			marked += gfp_compat_dropbehind(batch.folios[i]);
		folio_batch_release(&batch);
	}
	return marked;
}

/* Uncached writes mark what they make, and only that. */
void dontcache_is_marked(struct kunit *test)
{
	unsigned int nr, marked;
	struct types_test *tt;

	if (!GFP_COMPAT_DONTCACHE)
		kunit_skip(test, "needs IOCB_DONTCACHE, since 6.15");
	tt = types_test(test,
			"iomap.h, IOMAP_DONTCACHE; pagemap.h, FGP_DONTCACHE: uncached buffered IO");
	zone_state_enter(test, ZONE_STATE_INTACT, 0);
	write_inside(tt, 0, 0);
	marked = nr_dropbehind(tt, &nr);
	gfp_tally_expect(tt->tally, nr && !marked, "cached: %u of %u folios marked", marked, nr);
	iomap_test_write(tt->file, &inside, tt->buf, GFP_COMPAT_DONTCACHE);
	marked = nr_dropbehind(tt, &nr);
	gfp_tally_expect(tt->tally, nr && !marked,
			 "uncached over cached: %u of %u folios marked", marked, nr);
	write_inside(tt, 0, GFP_COMPAT_DONTCACHE);
	marked = nr_dropbehind(tt, &nr);
	gfp_tally_expect(tt->tally, nr && marked == nr, "uncached: %u of %u folios marked",
			 marked, nr);
	iomap_test_write(tt->file, &inside, tt->buf, 0);
	marked = nr_dropbehind(tt, &nr);
	gfp_tally_expect(tt->tally, nr && !marked,
			 "cached over uncached: %u of %u folios marked", marked, nr);
	iomap_test_truncate(tt->file);
	gfp_tally_report(test, tt->tally);
}

/* Reading blocks: come back when that is allowed. */
void nowait_does_not_read(struct kunit *test)
{
	struct types_test *tt;
	ssize_t ret;

	if (!iomap_test_has_write_ops())
		kunit_skip(test, "needs struct iomap_write_ops, since 6.17");
	tt = types_test(test, "iomap.h, IOMAP_NOWAIT: do not block");
	tt->file->type = IOMAP_MAPPED;
	zone_state_enter(test, ZONE_STATE_INTACT, 0);
	ret = write_inside(tt, FILE_SIZE, IOCB_NOWAIT);
	gfp_tally_expect(tt->tally, ret == -EAGAIN && !tt->file->reads,
			 "returned %zd after %u reads; contract: error %d, no read",
			 ret, tt->file->reads, -EAGAIN);
	ret = write_inside(tt, FILE_SIZE, 0);
	gfp_tally_expect(tt->tally, ret == inside.len && tt->file->reads,
			 "without IOCB_NOWAIT: returned %zd after %u reads", ret,
			 tt->file->reads);
	tt->file->type = IOMAP_UNWRITTEN;
	ret = write_inside(tt, FILE_SIZE, IOCB_NOWAIT);
	gfp_tally_expect(tt->tally, ret == inside.len && cached(tt, IOMAP_TEST_ZERO),
			 "nothing to read: returned %zd", ret);
	iomap_test_truncate(tt->file);
	gfp_tally_report(test, tt->tally);
}

static void free_pages_taken(void *data)
{
	zone_fragment_free_blocks(data, 0);
}

/* All that a request that does not wait can have. */
static void take_pages(struct list_head *taken)
{
	const gfp_t gfp = (GFP_HIGHUSER_MOVABLE & ~GFP_KERNEL) | GFP_NOWAIT | __GFP_NOWARN;
	struct page *page;

	while ((page = alloc_pages(gfp, 0)))
		list_add(&page->lru, taken);
}

/* Not even one page: that is no lack of memory yet, only of memory at once. */
void nowait_without_memory(struct kunit *test)
{
	static const struct iomap_test_write write = { 0, SZ_4K };
	struct iomap_seen *seen = kunit_kzalloc(test, sizeof(*seen), GFP_KERNEL);
	struct list_head *taken;
	struct types_test *tt;
	struct zone_state *zs;

	KUNIT_ASSERT_NOT_NULL(test, seen);
	tt = types_test(test,
			"mm/filemap.c: -EAGAIN and not -ENOMEM, so that the caller retries in a blocking fashion");
	tt->tally->state = ZONE_STATE_LOW;
	zs = zone_state_enter(test, ZONE_STATE_LOW, 0);
	taken = kunit_kzalloc(test, sizeof(*taken), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, taken);
	INIT_LIST_HEAD(taken);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, free_pages_taken, taken), 0);
	KUNIT_ASSERT_TRUE_MSG(test, zone_state_prepare(zs), "%s", zs->why);
	take_pages(taken);
	iomap_observe_unproven(zs, tt->file, &write, tt->buf, IOCB_NOWAIT, seen);
	gfp_tally_expect(tt->tally, seen->trace.nr && seen->ret == -EAGAIN &&
			 !seen->whole.reclaim_entries && !seen->whole.compact_entries,
			 "%u attempts, returned %zd, reclaim %u, compact %u; contract: error %d, reclaim 0, compact 0",
			 seen->trace.nr, seen->ret, seen->whole.reclaim_entries,
			 seen->whole.compact_entries, -EAGAIN);
	/* What was on the per-CPU lists is free now. */
	take_pages(taken);
	iomap_observe_unproven(zs, tt->file, &write, tt->buf, 0, seen);
	gfp_tally_expect(tt->tally, seen->complete && seen->whole.reclaim_entries,
			 "without IOCB_NOWAIT: returned %zd, reclaim %u; contract: reclaims until there is a page",
			 seen->ret, seen->whole.reclaim_entries);
	kunit_release_action(test, free_pages_taken, taken);
	gfp_tally_report(test, tt->tally);
}
