// SPDX-License-Identifier: GPL-2.0
/*
 * One write in a proven zone state, observed attempt by attempt.
 */
#include <linux/container_of.h>
#include <linux/log2.h>
#include <linux/pagemap.h>
#include <linux/string.h>

#include "folio_order.h"
#include "gfp_attempt.h"
#include "iomap_folio_write.h"

/* What folios are allocated with, and slab pages on the way are not. */
#define FOLIO_BITS		(__GFP_HARDWALL | __GFP_MOVABLE)

/* What the observed write had done when its current attempt began. */
static struct gfp_effects attempt_began;

/*
 * The giver rescues an attempt that runs away.  One write makes hundreds of
 * attempts: what they do together is no sign of that, so tell it of one each.
 */
static void notify_of_attempt(const struct gfp_effects *seen)
{
	struct gfp_effects now = *seen;

	if (seen->attempts != attempt_began.attempts)
		attempt_began = *seen;
	now.reclaim_entries -= attempt_began.reclaim_entries;
	now.compact_entries -= attempt_began.compact_entries;
	memory_giver_notify(&now);
}

/* A write being made. */
struct observed_write {
	struct gfp_call call;
	struct iomap_test_file *file;
	const struct iomap_test_write *write;
	void *buf;
	int flags;
	struct iomap_seen *seen;
};

static void make_write(struct gfp_call *call)
{
	struct observed_write *observed = container_of(call, struct observed_write, call);

	attempt_began = (struct gfp_effects){};
	observed->seen->ret = iomap_test_write(observed->file, observed->write,
					       observed->buf, observed->flags);
}

static void undo_write(struct gfp_call *call)
{
	struct observed_write *observed = container_of(call, struct observed_write, call);
	struct iomap_seen *seen = observed->seen;

	seen->complete = iomap_test_complete(observed->file, observed->write, seen->ret,
					     seen->why, sizeof(seen->why));
	if (seen->complete && seen->whole.rescued) {
		seen->complete = false;
		strscpy(seen->why, "ran on until memory was given back");
	}
	iomap_test_truncate(observed->file);
}

static struct observed_write observed_write(struct iomap_test_file *file,
					    const struct iomap_test_write *write,
					    void *buf, int flags,
					    struct iomap_seen *seen)
{
	*seen = (struct iomap_seen){ .trace.with = FOLIO_BITS };
	iomap_test_fill(buf, write->pos, write->len);
	return (struct observed_write){
		.call = {
			.call = make_write,
			.undo = undo_write,
			.notify = notify_of_attempt,
			.trace = &seen->trace,
		},
		.file = file,
		.write = write,
		.buf = buf,
		.flags = flags,
		.seen = seen,
	};
}

/**
 * iomap_observe() - prepare the state, write to an empty file, and see
 * @zs: the state
 * @file: the file; it is empty again afterwards
 * @write: where, and how much
 * @buf: room for the bytes
 * @flags: IOCB_NOWAIT and the like
 * @seen: what the write did
 * @again: see gfp_make_call()
 *
 * Return: false if there was no write to judge, see gfp_make_call(), or no folio
 * was asked for.
 */
bool iomap_observe(struct zone_state *zs, struct iomap_test_file *file,
		   const struct iomap_test_write *write, void *buf, int flags,
		   struct iomap_seen *seen, unsigned long *again)
{
	struct observed_write observed = observed_write(file, write, buf, flags, seen);

	if (!gfp_make_call(zs, &observed.call, &seen->whole, again))
		return false;
	strscpy(zs->why, "no attempt was seen");
	return seen->trace.nr;
}

/**
 * iomap_observe_unproven() - write to an empty file, and see
 * @zs: the state, which the test has changed on purpose
 * @file: the file; it is empty again afterwards
 * @write: where, and how much
 * @buf: room for the bytes
 * @flags: IOCB_NOWAIT and the like
 * @seen: what the write did
 */
void iomap_observe_unproven(struct zone_state *zs, struct iomap_test_file *file,
			    const struct iomap_test_write *write, void *buf,
			    int flags, struct iomap_seen *seen)
{
	struct observed_write observed = observed_write(file, write, buf, flags, seen);

	gfp_make_call_unproven(zs, &observed.call, &seen->whole);
}

/**
 * iomap_first_order() - the order that a new folio is asked for with at first
 * @index: the page that the folio is to contain
 * @len: the suggested size of the folio, see fgf_set_order()
 * @min: the smallest order that the mapping has
 * @max: the largest
 *
 * Of a size that is no power of two, the largest one in it counts.
 *
 * Return: the order.
 */
unsigned int iomap_first_order(pgoff_t index, size_t len, unsigned int min,
			       unsigned int max)
{
	unsigned int wanted = len > PAGE_SIZE ? ilog2(len) - PAGE_SHIFT : 0;

	return folio_first_order(index, wanted, min, max);
}
