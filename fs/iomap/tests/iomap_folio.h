/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the iomap_folio suite.
 */
#ifndef _IOMAP_FOLIO_H
#define _IOMAP_FOLIO_H

#include <kunit/test.h>
#include <linux/kconfig.h>

struct iomap_rule;

/* What is about large folios has nothing to look at where there are none. */
#define iomap_needs_large_folios(test)					\
do {									\
	if (!IS_ENABLED(CONFIG_TRANSPARENT_HUGEPAGE))			\
		kunit_skip(test, "large folios need TRANSPARENT_HUGEPAGE"); \
} while (0)

void iomap_sweep_rule(struct kunit *test, const struct iomap_rule *rule);

/* Test cases, see iomap_folio_sweep.c */
void attempt_has_one_rule(struct kunit *test);
void write_is_complete(struct kunit *test);
void nowait_write_is_complete(struct kunit *test);

/* see iomap_folio_order.c */
void order_follows_length(struct kunit *test);
void order_within_mapping(struct kunit *test);
void order_by_order_down(struct kunit *test);

/* see iomap_folio_types.c */
void zeroes_around_the_write(struct kunit *test);
void reads_around_the_write(struct kunit *test);
void read_error_is_returned(struct kunit *test);
void inline_data_is_written(struct kunit *test);
void extents_are_committed(struct kunit *test);
void dontcache_is_marked(struct kunit *test);
void nowait_does_not_read(struct kunit *test);
void nowait_without_memory(struct kunit *test);

/* see iomap_folio_copy.c */
void segments_are_joined(struct kunit *test);
void fault_ends_the_write(struct kunit *test);
void short_copy_ends_the_write(struct kunit *test);
void short_copy_is_made_again(struct kunit *test);

#endif /* _IOMAP_FOLIO_H */
