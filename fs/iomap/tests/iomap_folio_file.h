/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file of our own that is written through iomap, without a disk below it.
 */
#ifndef _IOMAP_FOLIO_FILE_H
#define _IOMAP_FOLIO_FILE_H

#include <linux/bits.h>
#include <linux/fs.h>
#include <linux/iomap.h>
#include <linux/types.h>

#include "test_inode.h"

struct kunit;

/* One extent for the whole file. */
#define IOMAP_TEST_ONE_EXTENT	BIT_ULL(40)

/**
 * enum iomap_test_bytes - what bytes of a file are to be
 * @IOMAP_TEST_ZERO: zero
 * @IOMAP_TEST_WRITTEN: what iomap_test_fill() puts into a buffer
 * @IOMAP_TEST_ON_DISK: what the file had before
 */
enum iomap_test_bytes {
	IOMAP_TEST_ZERO,
	IOMAP_TEST_WRITTEN,
	IOMAP_TEST_ON_DISK,
};

/**
 * struct iomap_test_file - a file, and what our iomap operations tell of it
 * @test_inode: inode and mount
 * @file: as much of an open file as a write needs
 * @type: the type of its extents, such as %IOMAP_DELALLOC
 * @flags: their flags, such as %IOMAP_F_NEW
 * @extent: their length in bytes; each starts at a multiple of it
 * @inline_data: one page, where @type is %IOMAP_INLINE
 * @read_error: what reading from the disk returns
 * @before_folio: called before each folio is looked up, with the user pages
 *	faulted in already; or NULL
 * @private: for @before_folio
 * @first_folio: size of the first folio since the file was truncated, in bytes
 * @begins: calls of iomap_begin
 * @ends: calls of iomap_end
 * @committed: bytes that iomap_end was told of
 * @reads: blocks that were read from the disk
 */
struct iomap_test_file {
	struct test_inode test_inode;
	struct file file;
	u16 type;
	u16 flags;
	u64 extent;
	void *inline_data;
	int read_error;
	void (*before_folio)(struct iomap_test_file *file);
	void *private;
	size_t first_folio;
	unsigned int begins;
	unsigned int ends;
	loff_t committed;
	unsigned int reads;
};

/**
 * struct iomap_test_write - one write
 * @pos: where, in bytes
 * @len: how many bytes
 */
struct iomap_test_write {
	loff_t pos;
	size_t len;
};

struct iomap_test_file *iomap_test_file(struct kunit *test);
struct inode *iomap_test_inode(const struct iomap_test_file *file);
bool iomap_test_has_write_ops(void);
u8 iomap_test_byte(enum iomap_test_bytes bytes, loff_t pos);
void iomap_test_fill(void *buf, loff_t pos, size_t len);
void *iomap_test_buffer(struct kunit *test, size_t len);
ssize_t iomap_test_write_iter(struct iomap_test_file *file, loff_t pos,
			      struct iov_iter *from, int flags);
ssize_t iomap_test_write(struct iomap_test_file *file,
			 const struct iomap_test_write *write, void *buf,
			 int flags);
loff_t iomap_test_differs(const struct iomap_test_file *file, loff_t pos,
			  size_t len, enum iomap_test_bytes bytes);
bool iomap_test_uptodate(const struct iomap_test_file *file, loff_t pos);
const char *iomap_test_at_rest(const struct iomap_test_file *file);
void iomap_test_truncate(struct iomap_test_file *file);
bool iomap_test_complete(const struct iomap_test_file *file,
			 const struct iomap_test_write *write, ssize_t ret,
			 char *why, size_t size);

#endif /* _IOMAP_FOLIO_FILE_H */
