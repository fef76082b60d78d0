// SPDX-License-Identifier: GPL-2.0
/*
 * A file of our own that is written through iomap, without a disk below it.
 *
 * Its extents are whatever a test wants them to be.  Dirty folios stay in the
 * page cache until the test truncates the file: nothing writes them back.
 */
#include <kunit/test.h>
#include <linux/export.h>
#include <linux/highmem.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/string.h>
#include <linux/uio.h>
#include <linux/vmalloc.h>

#include "gfp_test_compat.h"
#include "iomap_folio_file.h"

static const struct address_space_operations iomap_test_aops = {
	.dirty_folio = iomap_dirty_folio,
	.release_folio = iomap_release_folio,
	.invalidate_folio = iomap_invalidate_folio,
	.is_partially_uptodate = iomap_is_partially_uptodate,
	.migrate_folio = filemap_migrate_folio,
};

static int iomap_test_begin(struct inode *inode, loff_t pos, loff_t length,
			    unsigned int flags, struct iomap *iomap,
			    struct iomap *srcmap)
{
	struct iomap_test_file *file = inode->i_private;

	file->begins++;
	iomap->type = file->type;
	iomap->flags = file->flags;
	iomap->length = file->extent;
	iomap->offset = pos - pos % file->extent;
	iomap->addr = file->type == IOMAP_MAPPED ? iomap->offset : IOMAP_NULL_ADDR;
	iomap->inline_data = file->inline_data;
	return 0;
}

static int iomap_test_end(struct inode *inode, loff_t pos, loff_t length,
			  ssize_t written, unsigned int flags,
			  struct iomap *iomap)
{
	struct iomap_test_file *file = inode->i_private;

	file->ends++;
	file->committed += max(written, 0);
	return 0;
}

static const struct iomap_ops iomap_test_ops = {
	.iomap_begin = iomap_test_begin,
	.iomap_end = iomap_test_end,
};

#ifdef GFP_COMPAT_IOMAP_WRITE_OPS
static struct folio *iomap_test_get_folio(struct iomap_iter *iter, loff_t pos,
					  unsigned int len)
{
	struct iomap_test_file *file = iter->inode->i_private;
	struct folio *folio;

	if (file->before_folio)
		file->before_folio(file);
	folio = iomap_get_folio(iter, pos, len);
	if (!file->first_folio && !IS_ERR(folio))
		file->first_folio = folio_size(folio);
	return folio;
}

static int iomap_test_read_range(const struct iomap_iter *iter,
				 struct folio *folio, loff_t pos, size_t len)
{
	struct iomap_test_file *file = iter->inode->i_private;
	loff_t end = pos + len;

	file->reads++;
	if (file->read_error)
		return file->read_error;
	for (; pos < end; pos++) {
		u8 byte = iomap_test_byte(IOMAP_TEST_ON_DISK, pos);

		memcpy_to_folio(folio, offset_in_folio(folio, pos), &byte, 1);
	}
	return 0;
}

static const struct iomap_write_ops iomap_test_write_ops = {
	.get_folio = iomap_test_get_folio,
	.read_folio_range = iomap_test_read_range,
};
#endif /* GFP_COMPAT_IOMAP_WRITE_OPS */

/**
 * iomap_test_has_write_ops() - whether a test may look in between
 *
 * Return: true if @before_folio is called and reads come from the test.
 */
bool iomap_test_has_write_ops(void)
{
#ifdef GFP_COMPAT_IOMAP_WRITE_OPS
	return true;
#else
	return false;
#endif
}
EXPORT_SYMBOL_GPL(iomap_test_has_write_ops);

static void iomap_test_file_exit(void *data)
{
	struct iomap_test_file *file = data;

	test_inode_exit(&file->test_inode);
}

/**
 * iomap_test_file() - make an empty file
 * @test: the test case; the file is freed when it ends
 *
 * Large folios are on where the page cache has them.  To be called before a
 * zone state is entered, which accounts for all memory.
 *
 * Return: the file; never fails.
 */
struct iomap_test_file *iomap_test_file(struct kunit *test)
{
	struct iomap_test_file *file;
	struct inode *inode;

	file = kunit_kzalloc(test, sizeof(*file), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, file);
	KUNIT_ASSERT_EQ(test, test_inode_init(&file->test_inode, false), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, iomap_test_file_exit,
							file), 0);
	inode = file->test_inode.inode;
	inode->i_private = file;
	inode->i_mapping->a_ops = &iomap_test_aops;
	mapping_set_gfp_mask(inode->i_mapping, GFP_HIGHUSER_MOVABLE);
	mapping_set_large_folios(inode->i_mapping);
	file->file.f_mapping = inode->i_mapping;
	file->file.f_inode = inode;
	file->type = IOMAP_DELALLOC;
	file->extent = IOMAP_TEST_ONE_EXTENT;
	return file;
}
EXPORT_SYMBOL_GPL(iomap_test_file);

/**
 * iomap_test_inode() - the inode of a file
 * @file: the file
 *
 * Return: its inode.
 */
struct inode *iomap_test_inode(const struct iomap_test_file *file)
{
	return file->test_inode.inode;
}
EXPORT_SYMBOL_GPL(iomap_test_inode);

/**
 * iomap_test_byte() - what one byte of a file is to be
 * @bytes: of what
 * @pos: its position
 *
 * Neighbouring bytes, pages and blocks differ from each other.
 *
 * Return: the byte.
 */
u8 iomap_test_byte(enum iomap_test_bytes bytes, loff_t pos)
{
	u32 mixed = (u32)pos * 2654435761U;

	switch (bytes) {
	case IOMAP_TEST_WRITTEN:
		return mixed >> 24 | 1;
	case IOMAP_TEST_ON_DISK:
		return (mixed >> 23 & 0xfe) | 0x80;
	default:
		return 0;
	}
}
EXPORT_SYMBOL_GPL(iomap_test_byte);

/**
 * iomap_test_fill() - make the bytes that a write writes
 * @buf: where they go
 * @pos: where in the file they will be
 * @len: how many
 */
void iomap_test_fill(void *buf, loff_t pos, size_t len)
{
	u8 *byte = buf;

	for (; len; len--)
		*byte++ = iomap_test_byte(IOMAP_TEST_WRITTEN, pos++);
}
EXPORT_SYMBOL_GPL(iomap_test_fill);

static void iomap_test_buffer_free(void *buf)
{
	vfree(buf);
}

/**
 * iomap_test_buffer() - memory to write from
 * @test: the test case; freed when it ends
 * @len: how many bytes
 *
 * To be called before a zone state is entered.
 *
 * Return: the buffer; never fails.
 */
void *iomap_test_buffer(struct kunit *test, size_t len)
{
	void *buf = vmalloc(len);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, iomap_test_buffer_free,
							buf), 0);
	return buf;
}
EXPORT_SYMBOL_GPL(iomap_test_buffer);

/**
 * iomap_test_write_iter() - write to a file
 * @file: the file
 * @pos: where
 * @from: the bytes
 * @flags: IOCB_NOWAIT and the like
 *
 * Return: what iomap_file_buffered_write() returns; -EBADE if the position
 * after it is not what that says.
 */
ssize_t iomap_test_write_iter(struct iomap_test_file *file, loff_t pos,
			      struct iov_iter *from, int flags)
{
	struct inode *inode = iomap_test_inode(file);
	struct kiocb iocb;
	ssize_t ret;

	init_sync_kiocb(&iocb, &file->file);
	iocb.ki_pos = pos;
	iocb.ki_flags |= flags;
	inode_lock(inode);
	ret = GFP_COMPAT_IOMAP_WRITE(&iocb, from, &iomap_test_ops,
				     &iomap_test_write_ops);
	inode_unlock(inode);
	if (iocb.ki_pos != pos + max(ret, 0))
		return -EBADE;
	return ret;
}
EXPORT_SYMBOL_GPL(iomap_test_write_iter);

/**
 * iomap_test_write() - write from kernel memory to a file
 * @file: the file
 * @write: where, and how much
 * @buf: the bytes, in this order
 * @flags: IOCB_NOWAIT and the like
 *
 * Return: see iomap_test_write_iter().
 */
ssize_t iomap_test_write(struct iomap_test_file *file,
			 const struct iomap_test_write *write, void *buf,
			 int flags)
{
	struct kvec vec = { .iov_base = buf, .iov_len = write->len };
	struct iov_iter from;

	iov_iter_kvec(&from, ITER_SOURCE, &vec, 1, write->len);
	return iomap_test_write_iter(file, write->pos, &from, flags);
}
EXPORT_SYMBOL_GPL(iomap_test_write);

static bool folio_differs(struct folio *folio, loff_t pos, size_t len,
			  enum iomap_test_bytes bytes, loff_t *where)
{
	size_t offset = offset_in_folio(folio, pos);
	u8 *data = kmap_local_folio(folio, offset);
	size_t i;

	for (i = 0; i < len && data[i] == iomap_test_byte(bytes, pos + i); i++)
		;
	kunmap_local(data);
	*where = pos + i;
	return i < len || !(folio_test_uptodate(folio) ||
			    iomap_is_partially_uptodate(folio, offset, len));
}

/**
 * iomap_test_differs() - read back from the page cache
 * @file: the file
 * @pos: from where
 * @len: how many bytes
 * @bytes: what they are to be
 *
 * Return: where the first byte is that is not cached, not up to date, or
 * another one; -1 if there is none.
 */
loff_t iomap_test_differs(const struct iomap_test_file *file, loff_t pos,
			  size_t len, enum iomap_test_bytes bytes)
{
	struct address_space *mapping = iomap_test_inode(file)->i_mapping;
	loff_t end = pos + len;

	while (pos < end) {
		size_t part = min_t(loff_t, end - pos, PAGE_SIZE - offset_in_page(pos));
		struct folio *folio = filemap_get_folio(mapping, pos >> PAGE_SHIFT);
		loff_t where = pos;
		bool differs;

		if (IS_ERR(folio))
			return pos;
		differs = folio_differs(folio, pos, part, bytes, &where);
		folio_put(folio);
		if (differs)
			return where;
		pos += part;
	}
	return -1;
}
EXPORT_SYMBOL_GPL(iomap_test_differs);

/**
 * iomap_test_uptodate() - whether the page cache claims to know a byte
 * @file: the file
 * @pos: its position
 *
 * Return: true if a read would be served from the page cache.
 */
bool iomap_test_uptodate(const struct iomap_test_file *file, loff_t pos)
{
	struct folio *folio = filemap_get_folio(iomap_test_inode(file)->i_mapping,
						pos >> PAGE_SHIFT);
	bool uptodate;

	if (IS_ERR(folio))
		return false;
	uptodate = folio_test_uptodate(folio) ||
		   iomap_is_partially_uptodate(folio, offset_in_folio(folio, pos), 1);
	folio_put(folio);
	return uptodate;
}
EXPORT_SYMBOL_GPL(iomap_test_uptodate);

/* The page cache's own references, and that of whoever looks. */
static const char *folio_at_rest(struct folio *folio)
{
	int refs = 1 + folio_nr_pages(folio) + folio_test_private(folio);

	if (folio_test_locked(folio))
		return "a folio is locked";
	if (folio_test_writeback(folio))
		return "a folio is under writeback";
	if (folio_ref_count(folio) != refs)
		return "a folio has references that nobody should hold";
	return NULL;
}

/**
 * iomap_test_at_rest() - whether anybody still uses the folios of a file
 * @file: the file
 *
 * Return: what is wrong with one of its folios, or NULL.
 */
const char *iomap_test_at_rest(const struct iomap_test_file *file)
{
	struct address_space *mapping = iomap_test_inode(file)->i_mapping;
	const char *why = NULL;
	struct folio_batch batch;
	pgoff_t index = 0;
	unsigned int i;

	/* Releasing any batch empties the batches of new folios, too. */
	folio_batch_init(&batch);
	if (filemap_get_folios(mapping, &index, ULONG_MAX, &batch))
		folio_batch_release(&batch);
	index = 0;
	folio_batch_init(&batch);
	while (filemap_get_folios(mapping, &index, ULONG_MAX, &batch)) {
		for (i = 0; i < folio_batch_count(&batch) && !why; i++)
			why = folio_at_rest(batch.folios[i]);
		folio_batch_release(&batch);
	}
	return why;
}
EXPORT_SYMBOL_GPL(iomap_test_at_rest);

/**
 * iomap_test_truncate() - make a file empty again
 * @file: the file
 */
void iomap_test_truncate(struct iomap_test_file *file)
{
	struct inode *inode = iomap_test_inode(file);

	truncate_inode_pages(inode->i_mapping, 0);
	i_size_write(inode, 0);
	file->first_folio = 0;
	file->begins = 0;
	file->ends = 0;
	file->committed = 0;
	file->reads = 0;
}
EXPORT_SYMBOL_GPL(iomap_test_truncate);

/**
 * iomap_test_complete() - whether a write did all that it should
 * @file: the file, which was empty
 * @write: the write, from the bytes of iomap_test_fill()
 * @ret: what it returned
 * @why: where the text goes if it did not
 * @size: size of @why
 *
 * Return: true if all bytes are in the page cache, the file ends after them,
 * iomap_end was told of them, and nobody holds a folio.
 */
bool iomap_test_complete(const struct iomap_test_file *file,
			 const struct iomap_test_write *write, ssize_t ret,
			 char *why, size_t size)
{
	loff_t end = write->pos + write->len;
	const char *unrest;
	loff_t where;

	if (ret != write->len) {
		scnprintf(why, size, "returned %zd", ret);
		return false;
	}
	where = iomap_test_differs(file, write->pos, write->len, IOMAP_TEST_WRITTEN);
	if (where != -1) {
		scnprintf(why, size, "byte %lld is not what was written", where);
		return false;
	}
	if (i_size_read(iomap_test_inode(file)) != end) {
		scnprintf(why, size, "the file ends at %lld, not at %lld",
			  i_size_read(iomap_test_inode(file)), end);
		return false;
	}
	if (file->committed != write->len || file->begins != file->ends) {
		scnprintf(why, size, "iomap_begin %u times, iomap_end %u times with %lld bytes",
			  file->begins, file->ends, file->committed);
		return false;
	}
	unrest = iomap_test_at_rest(file);
	if (unrest)
		scnprintf(why, size, "%s", unrest);
	return !unrest;
}
EXPORT_SYMBOL_GPL(iomap_test_complete);

MODULE_DESCRIPTION("Files without a disk, for KUnit tests of iomap");
MODULE_LICENSE("GPL");
