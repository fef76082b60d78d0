/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Page cache of a file of our own, to hold memory apart in a way that
 * compaction or reclaim can help with.
 */
#ifndef _MM_TESTS_ZONE_HOLDER_H
#define _MM_TESTS_ZONE_HOLDER_H

#include <linux/types.h>

#include "test_inode.h"

struct page;

/**
 * struct zone_holder - a file whose clean page cache holds memory apart
 * @file: the file
 * @next: index of the next folio
 */
struct zone_holder {
	struct test_inode file;
	pgoff_t next;
};

int zone_holder_init(struct zone_holder *holder, bool evictable);
void zone_holder_exit(struct zone_holder *holder);
int zone_holder_add(struct zone_holder *holder, struct page *page);
void zone_holder_thin(struct zone_holder *holder);
void zone_holder_drop(struct zone_holder *holder);
unsigned long zone_holder_pages(const struct zone_holder *holder);

#endif /* _MM_TESTS_ZONE_HOLDER_H */
