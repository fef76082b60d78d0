// SPDX-License-Identifier: GPL-2.0
/*
 * Writes whose bytes come in pieces, or cannot all be copied.
 *
 * The bytes of a write to user memory are brought in before a folio is locked,
 * and copied with page faults disabled.  What went away in between makes the
 * copy short: then iomap has to make do with less, and to tell exactly how much
 * was written.
 */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/pagemap.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>
#include <linux/uio.h>

#include "iomap_folio.h"
#include "iomap_folio_rule.h"
#include "iomap_folio_write.h"

#define USER_BYTES		SZ_512K

/* In the middle of it. */
#define HOLE_AT			SZ_256K

/* Where bytes are written to: aligned to large folios, to a page, to nothing. */
static const loff_t positions[] = { 0, SZ_4K, SZ_2M - SZ_64K, 12345 };

/* How much is written before the hole: from one byte to the largest folio that fits. */
static const size_t parts[] = { 1, 100, SZ_4K, 5000, SZ_64K, SZ_64K + 5, SZ_128K, SZ_256K };

/**
 * struct copy_test - writes from user memory
 * @file: to this file
 * @tally: how the promise fared
 * @zs: intact
 * @page: room for a page
 * @user: the memory, %USER_BYTES of it
 * @hole: one page of it that is not there, or goes away
 * @calls: folios that were looked up during the last write
 * @comes_back: whether it is there again when the second one is
 */
struct copy_test {
	struct iomap_test_file *file;
	struct gfp_tally *tally;
	struct zone_state *zs;
	u8 *page;
	unsigned long user;
	unsigned long hole;
	unsigned int calls;
	bool comes_back;
};

#define SOURCE	"write(2): the number of bytes written, which may be less than count; an error only if none was"

static struct copy_test *copy_test(struct kunit *test)
{
	struct copy_test *ct = kunit_kzalloc(test, sizeof(*ct), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ct);
	ct->tally = gfp_tally_new(test, SOURCE, ZONE_STATE_INTACT);
	ct->file = iomap_test_file(test);
	ct->file->private = ct;
	return ct;
}

/*
 * What is not yet written is a fresh page of zeroes, so that it can go away and
 * come back without a change to the memory that is free.
 */
static bool map_hole(const struct copy_test *ct)
{
	return vm_mmap(NULL, ct->hole, PAGE_SIZE, PROT_READ | PROT_WRITE,
		       MAP_ANONYMOUS | MAP_PRIVATE | MAP_FIXED, 0) == ct->hole;
}

/* The bytes of a write to @pos from @start on; the hole has none. */
static bool fill_user(const struct copy_test *ct, unsigned long start, loff_t pos)
{
	unsigned long at;

	for (at = ct->user; at < ct->user + USER_BYTES; at += PAGE_SIZE) {
		if (at == ct->hole)
			continue;
		iomap_test_fill(ct->page, pos + at - start, PAGE_SIZE);
		if (copy_to_user((void __user *)at, ct->page, PAGE_SIZE))
			return false;
	}
	return true;
}

/* To be called before a zone state is entered, which accounts for all memory. */
static struct copy_test *copy_test_user(struct kunit *test)
{
	struct copy_test *ct = copy_test(test);

	ct->page = kunit_kmalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ct->page);
	ct->user = kunit_vm_mmap(test, NULL, 0, USER_BYTES, PROT_READ | PROT_WRITE,
				 MAP_ANONYMOUS | MAP_PRIVATE, 0);
	KUNIT_ASSERT_NE_MSG(test, ct->user, 0, "no user memory");
	KUNIT_ASSERT_LT_MSG(test, ct->user, (unsigned long)TASK_SIZE, "no user memory");
	ct->hole = ct->user + HOLE_AT;
	KUNIT_ASSERT_TRUE(test, fill_user(ct, ct->user, 0));
	return ct;
}

static ssize_t write_user(struct copy_test *ct, unsigned long start, loff_t pos)
{
	struct iov_iter from;

	ct->calls = 0;
	iov_iter_ubuf(&from, ITER_SOURCE, (void __user *)start,
		      ct->user + USER_BYTES - start);
	return iomap_test_write_iter(ct->file, pos, &from, 0);
}

/* So much was written, exactly, and the file has all of it. */
static void judge_part(struct copy_test *ct, loff_t pos, size_t len, ssize_t ret)
{
	const struct iomap_test_write part = { pos, len };
	char why[120] = "";

	gfp_tally_expect(ct->tally,
			 iomap_test_complete(ct->file, &part, ret, why, sizeof(why)),
			 "write at %lld: %s; contract: %zu bytes are written", pos, why, len);
	iomap_test_truncate(ct->file);
}

/* From segments of odd lengths, over page and folio boundaries. */
void segments_are_joined(struct kunit *test)
{
	static const size_t lens[] = { 1, 4095, 4097, 12345, 65535, 3, 131072, 77 };
	struct copy_test *ct = copy_test(test);
	struct kvec vecs[ARRAY_SIZE(lens)];
	size_t total = 0, less;
	struct iov_iter from;
	ssize_t ret;
	void *buf;
	int i;

	buf = iomap_test_buffer(test, USER_BYTES);
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		vecs[i] = (struct kvec){ .iov_base = buf + total, .iov_len = lens[i] };
		total += lens[i];
	}
	zone_state_enter(test, ZONE_STATE_INTACT, 0);
	for (i = 0; i < ARRAY_SIZE(positions); i++) {
		iomap_test_fill(buf, positions[i], total);
		/* All that the segments have, and then less. */
		for (less = 0; less <= 70000; less += 70000) {
			iov_iter_kvec(&from, ITER_SOURCE, vecs, ARRAY_SIZE(vecs),
				      total - less);
			ret = iomap_test_write_iter(ct->file, positions[i], &from, 0);
			judge_part(ct, positions[i], total - less, ret);
		}
	}
	gfp_tally_report(test, ct->tally);
}

/* The user memory goes when the task ends, and that is before KUnit cleans up. */
static void copy_test_end(struct kunit *test, struct copy_test *ct)
{
	zone_state_leave(test, ct->zs);
	gfp_tally_report(test, ct->tally);
}

/* User memory that is not there: what comes before it is written. */
void fault_ends_the_write(struct kunit *test)
{
	struct copy_test *ct = copy_test_user(test);
	unsigned int i, j;
	ssize_t ret;

	KUNIT_ASSERT_EQ(test, vm_munmap(ct->hole, PAGE_SIZE), 0);
	ct->zs = zone_state_enter(test, ZONE_STATE_INTACT, 0);
	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		for (j = 0; j < ARRAY_SIZE(positions); j++) {
			unsigned long start = ct->hole - parts[i];

			KUNIT_ASSERT_TRUE(test, fill_user(ct, start, positions[j]));
			ret = write_user(ct, start, positions[j]);
			judge_part(ct, positions[j], parts[i], ret);
		}
	}
	/* Nothing before it: only then is it an error. */
	ret = write_user(ct, ct->hole, 0);
	gfp_tally_expect(ct->tally, ret == -EFAULT && !iomap_test_at_rest(ct->file),
			 "hole at the start: returned %zd; contract: error %d", ret, -EFAULT);
	iomap_test_truncate(ct->file);
	copy_test_end(test, ct);
}

/* All memory was there when the bytes were brought in.  Now the hole is not. */
static void hole_goes_away(struct iomap_test_file *file)
{
	struct copy_test *ct = file->private;

	if (!ct->calls++)
		vm_munmap(ct->hole, PAGE_SIZE);
	else if (ct->calls == 2 && ct->comes_back)
		map_hole(ct);
}

/* Skips the test where the kernel does not let it come in between. */
static struct copy_test *copy_test_short(struct kunit *test)
{
	struct copy_test *ct;

	iomap_needs_large_folios(test);
	if (!iomap_test_has_write_ops())
		kunit_skip(test, "needs struct iomap_write_ops, since 6.17");
	ct = copy_test_user(test);
	ct->file->before_folio = hole_goes_away;
	ct->zs = zone_state_enter(test, ZONE_STATE_INTACT, 0);
	return ct;
}

/*
 * The bytes are brought in as a whole.  A first folio that is to take some of
 * the hole's, too, proves that the copy into it was short.
 */
static ssize_t write_short(struct kunit *test, struct copy_test *ct, size_t part)
{
	unsigned long start = ct->hole - part;
	ssize_t ret;

	KUNIT_ASSERT_TRUE(test, map_hole(ct));
	KUNIT_ASSERT_TRUE(test, fill_user(ct, start, 0));
	ret = write_user(ct, start, 0);
	KUNIT_ASSERT_GT_MSG(test, ct->file->first_folio, part, "no copy was short");
	return ret;
}

/*
 * A copy that came out short is made again, as far as it came, and no further.
 * The blocks behind it were not written, and must not look as if they were.
 */
void short_copy_ends_the_write(struct kunit *test)
{
	struct copy_test *ct = copy_test_short(test);
	loff_t behind;
	ssize_t ret;
	int i;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		ret = write_short(test, ct, parts[i]);
		behind = round_up(parts[i], PAGE_SIZE);
		gfp_tally_expect(ct->tally, !iomap_test_uptodate(ct->file, behind),
				 "short after %zu bytes: byte %lld is up to date; contract: it was not written",
				 parts[i], behind);
		judge_part(ct, 0, parts[i], ret);
	}
	copy_test_end(test, ct);
}

/* Where the memory is there again, the write goes on to its end. */
void short_copy_is_made_again(struct kunit *test)
{
	struct copy_test *ct = copy_test_short(test);
	loff_t before, hole, after, end;
	ssize_t ret;
	int i;

	ct->comes_back = true;
	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		ret = write_short(test, ct, parts[i]);
		end = USER_BYTES - HOLE_AT + parts[i];
		before = iomap_test_differs(ct->file, 0, parts[i], IOMAP_TEST_WRITTEN);
		hole = iomap_test_differs(ct->file, parts[i], PAGE_SIZE, IOMAP_TEST_ZERO);
		after = iomap_test_differs(ct->file, parts[i] + PAGE_SIZE,
					   end - parts[i] - PAGE_SIZE, IOMAP_TEST_WRITTEN);
		gfp_tally_expect(ct->tally, ret == end && before == -1 && hole == -1 &&
				 after == -1 && !iomap_test_at_rest(ct->file),
				 "short after %zu bytes: returned %zd, byte %lld is wrong; contract: %lld bytes are written",
				 parts[i], ret, max3(before, hole, after), end);
		iomap_test_truncate(ct->file);
	}
	copy_test_end(test, ct);
}
