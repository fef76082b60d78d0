// SPDX-License-Identifier: GPL-2.0
/*
 * One write in a proven zone state, observed attempt by attempt.
 */
#include <linux/pagemap.h>
#include <linux/string.h>

#include "iomap_folio_write.h"
#include "memory_giver.h"

/* Writes disturbed by kswapd or kcompactd are made again, this often. */
#define DISTURBED_MAX		64

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

/* Returns false if somebody else was at work meanwhile. */
static bool observe_once(struct zone_state *zs, struct iomap_test_file *file,
			 const struct iomap_test_write *write, void *buf,
			 int flags, struct iomap_seen *seen)
{
	const struct memory_giver_terms terms = {};
	bool alone;

	*seen = (struct iomap_seen){ .trace.with = FOLIO_BITS };
	attempt_began = (struct gfp_effects){};
	iomap_test_fill(buf, write->pos, write->len);
	memory_giver_arm(zs, &terms);
	alloc_observer_trace(&seen->trace);
	alloc_observer_start(notify_of_attempt);
	seen->ret = iomap_test_write(file, write, buf, flags);
	alone = alloc_observer_stop(&seen->whole);
	seen->whole.rescued = memory_giver_disarm();
	zone_state_free_page(zs, NULL, 0);
	seen->complete = iomap_test_complete(file, write, seen->ret, seen->why,
					     sizeof(seen->why));
	if (seen->complete && seen->whole.rescued) {
		seen->complete = false;
		strscpy(seen->why, "ran on until memory was given back");
	}
	iomap_test_truncate(file);
	return alone;
}

/**
 * iomap_observe() - prepare the state, write to an empty file, and see
 * @zs: the state
 * @file: the file; it is empty again afterwards
 * @write: where, and how much
 * @buf: room for the bytes
 * @flags: IOCB_NOWAIT and the like
 * @seen: what the write did
 * @again: counts writes that were thrown away because kswapd, kcompactd or
 *	another task had been at work
 *
 * Return: false if there was no write to judge: the state could not be proven,
 * or none stayed undisturbed, or no folio was asked for.  @zs->why says which.
 */
bool iomap_observe(struct zone_state *zs, struct iomap_test_file *file,
		   const struct iomap_test_write *write, void *buf, int flags,
		   struct iomap_seen *seen, unsigned long *again)
{
	int i;

	for (i = 0; i < DISTURBED_MAX; i++) {
		if (!zone_state_prepare(zs))
			return false;
		if (observe_once(zs, file, write, buf, flags, seen)) {
			strscpy(zs->why, "no attempt was seen");
			return seen->trace.nr;
		}
		++*again;
	}
	strscpy(zs->why, "disturbed by kswapd or kcompactd");
	return false;
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
	observe_once(zs, file, write, buf, flags, seen);
}

/**
 * iomap_first_order() - the order that a new folio is asked for with at first
 * @index: the page that the folio is to contain
 * @len: the suggested size of the folio, see fgf_set_order()
 * @min: the smallest order that the mapping has
 * @max: the largest
 *
 * A folio is of the suggested size, or smaller where it would not be aligned
 * in the file or the mapping has no folios of that size.  It is at least of
 * the smallest order, and then starts where such a folio does.
 *
 * Return: the order.
 */
unsigned int iomap_first_order(pgoff_t index, size_t len, unsigned int min,
			       unsigned int max)
{
	unsigned int order;

	index = round_down(index, 1UL << min);
	for (order = max; order > min; order--) {
		if (PAGE_SIZE << order <= len && IS_ALIGNED(index, 1UL << order))
			break;
	}
	return order;
}
