/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fragment the memory of a node exactly: no free block above an order, plenty
 * at that order.
 */
#ifndef _MM_TESTS_ZONE_FRAGMENT_H
#define _MM_TESTS_ZONE_FRAGMENT_H

#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/mmzone.h>
#include <linux/types.h>

struct zone_holder;

/*
 * How the fragmenter itself takes memory: from the free lists of this node
 * only, above the min watermark only, waking nobody.
 */
#define ZONE_FRAGMENT_GFP	(__GFP_NOWARN | __GFP_NOMEMALLOC | __GFP_THISNODE)

/**
 * struct zone_fragment - memory that is held apart
 * @pgdat: the node
 * @order: the largest order that stays free, 0 to MAX_PAGE_ORDER - 1
 * @holder: page cache that holds the memory apart, or NULL for kernel pages
 * @held: kernel pages of order 0 that hold memory apart, by page->lru
 * @nr_held: how many
 */
struct zone_fragment {
	pg_data_t *pgdat;
	unsigned int order;
	struct zone_holder *holder;
	struct list_head held;
	unsigned long nr_held;
};

void zone_fragment_init(struct zone_fragment *frag, pg_data_t *pgdat,
			unsigned int order, struct zone_holder *holder);
int zone_fragment_build(struct zone_fragment *frag, int lowest);
void zone_fragment_release(struct zone_fragment *frag);
int zone_fragment_take_pages(struct zone_fragment *frag, enum zone_type zid,
			     unsigned long nr);
void zone_fragment_drop_pages(struct zone_fragment *frag, enum zone_type zid,
			      unsigned long nr);
int zone_fragment_highest_free(const struct zone_fragment *frag);
void zone_fragment_free_blocks(struct list_head *blocks, unsigned int order);
gfp_t zone_fragment_zone_gfp(enum zone_type zid);

#endif /* _MM_TESTS_ZONE_FRAGMENT_H */
