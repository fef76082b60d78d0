// SPDX-License-Identifier: GPL-2.0
/*
 * Fragment the memory of a node exactly, not by luck.
 *
 * Blocks are taken off the free lists, largest first, and split.  Of every
 * 2^(order + 1) pages one is held and the others are freed at once:
 *
 *	order 0:  H . H . H . H .  . H . H . H . H	H held
 *	order 1:  H . . . H . . .  . . . H . . . H	. free
 *
 * so that free blocks of the wanted order are everywhere, and none can merge
 * into a larger one.  At any time at least half of what was taken is free
 * again: the guest never runs short.
 *
 * Which page of a group is held alternates.  Compaction decides by a sample,
 * one page in every 2^PAGE_ALLOC_COSTLY_ORDER, whether a pageblock is worth
 * scanning (__reset_isolation_pfn()), and the sample has to show it both a page
 * that is held and one that is free.
 */
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/mm.h>

#include "zone_fragment.h"
#include "zone_holder.h"

/* Pages that are freed in one go, before interrupts may come in. */
#define FREE_BATCH		256UL

/**
 * zone_fragment_zone_gfp() - the zone modifier that prefers a zone
 * @zid: the zone
 *
 * Return: the modifier; with it, alloc_pages() starts at that zone.
 */
gfp_t zone_fragment_zone_gfp(enum zone_type zid)
{
	switch (zid) {
#ifdef CONFIG_ZONE_DMA
	case ZONE_DMA:
		return __GFP_DMA;
#endif
#ifdef CONFIG_ZONE_DMA32
	case ZONE_DMA32:
		return __GFP_DMA32;
#endif
#ifdef CONFIG_HIGHMEM
	case ZONE_HIGHMEM:
		return __GFP_HIGHMEM;
#endif
	case ZONE_MOVABLE:
		return __GFP_HIGHMEM | __GFP_MOVABLE;
	default:
		return 0;
	}
}
EXPORT_SYMBOL_GPL(zone_fragment_zone_gfp);

/**
 * zone_fragment_init() - say what is to be fragmented, and how
 * @frag: to be initialised
 * @pgdat: the node; the caller runs on one of its CPUs and is bound to it
 * @order: the largest order that is to stay free
 * @holder: page cache to hold memory apart, or NULL to use kernel pages
 */
void zone_fragment_init(struct zone_fragment *frag, pg_data_t *pgdat,
			unsigned int order, struct zone_holder *holder)
{
	*frag = (struct zone_fragment){
		.pgdat = pgdat,
		.order = order,
		.holder = holder,
	};
	INIT_LIST_HEAD(&frag->held);
}

static void fragment_keep(struct zone_fragment *frag, struct page *page)
{
	list_add(&page->lru, &frag->held);
	frag->nr_held++;
}

static int fragment_hold(struct zone_fragment *frag, struct page *page)
{
	int err = 0;

	if (frag->holder)
		err = zone_holder_add(frag->holder, page);
	if (!frag->holder || err)
		fragment_keep(frag, page);
	return err;
}

/* Whether the page at an index of a block is one of those that are held. */
static bool fragment_holds(const struct zone_fragment *frag, unsigned long i)
{
	unsigned long group = 2UL << frag->order;
	unsigned long sample = max(group, 1UL << PAGE_ALLOC_COSTLY_ORDER);

	return i % group == ((i / sample) % 2 ? group - 1 : 0);
}

/*
 * The buddy lists' lock turns interrupts off for each page, and under UML with
 * SMP that is two system calls.  They are off all the time here, but for
 * PREEMPT_RT, whose locks sleep.
 */
static unsigned long free_batch_begin(void)
{
	unsigned long flags = 0;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		local_irq_save(flags);
	return flags;
}

static void free_batch_end(unsigned long flags)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		local_irq_restore(flags);
}

static void fragment_free_others(struct zone_fragment *frag, struct page *block,
				 unsigned long begin, unsigned long end)
{
	unsigned long flags = free_batch_begin();
	unsigned long i;

	for (i = begin; i < end; i++) {
		if (!fragment_holds(frag, i))
			__free_page(block + i);
	}
	free_batch_end(flags);
}

static int fragment_block(struct zone_fragment *frag, struct page *block,
			  unsigned int order)
{
	unsigned long nr = 1UL << order;
	unsigned long i;
	int err = 0;

	split_page(block, order);
	for (i = 0; i < nr; i += FREE_BATCH)
		fragment_free_others(frag, block, i, min(i + FREE_BATCH, nr));
	for (i = 0; i < nr; i++) {
		if (!fragment_holds(frag, i))
			continue;
		if (!err)
			err = fragment_hold(frag, block + i);
		else
			fragment_keep(frag, block + i);
	}
	return err;
}

/**
 * zone_fragment_build() - leave no free block above the order
 * @frag: initialised; may have been built before
 * @lowest: leave smaller blocks alone; 0 for all
 *
 * Fragments what is free in larger blocks now.  Called again, it touches only
 * the blocks that have come free since.  The per-CPU lists of the node are to
 * be bypassed (pcp_lists_bypass()).
 *
 * Return: 0, or the error of the page cache that should have held a page.
 * Blocks that the allocator would not hand out are left: have a look at
 * zone_fragment_highest_free().
 */
int zone_fragment_build(struct zone_fragment *frag, int lowest)
{
	gfp_t gfp = ZONE_FRAGMENT_GFP | (frag->holder ? __GFP_MOVABLE : 0);
	int zid, order, err;

	lowest = max(lowest, (int)frag->order + 1);
	for (zid = MAX_NR_ZONES - 1; zid >= 0; zid--) {
		struct zone *zone = &frag->pgdat->node_zones[zid];

		if (!managed_zone(zone))
			continue;
		for (order = MAX_PAGE_ORDER; order >= lowest; order--) {
			while (zone->free_area[order].nr_free) {
				struct page *block;

				block = alloc_pages(gfp | zone_fragment_zone_gfp(zid),
						    order);
				if (!block)
					break;
				err = fragment_block(frag, block, order);
				if (err)
					return err;
			}
		}
	}
	return 0;
}

/*
 * Free up to @nr of the pages that are held, those taken last first: of all
 * zones, or of one.
 */
static void fragment_drop(struct zone_fragment *frag, const struct zone *zone,
			  unsigned long nr)
{
	unsigned long flags = free_batch_begin();
	struct page *page, *next;
	unsigned long n = 0;

	list_for_each_entry_safe(page, next, &frag->held, lru) {
		if (n == nr)
			break;
		if (zone && page_zone(page) != zone)
			continue;
		list_del(&page->lru);
		frag->nr_held--;
		__free_page(page);
		if (++n % FREE_BATCH == 0) {
			free_batch_end(flags);
			flags = free_batch_begin();
		}
	}
	free_batch_end(flags);
}

/**
 * zone_fragment_release() - free all that holds memory apart
 * @frag: initialised
 */
void zone_fragment_release(struct zone_fragment *frag)
{
	fragment_drop(frag, NULL, ULONG_MAX);
	if (frag->holder)
		zone_holder_drop(frag->holder);
}

/**
 * zone_fragment_take_pages() - take free memory away
 * @frag: initialised
 * @zid: from this zone; the zones below it are as low as they are to be already
 * @nr: how many pages of order 0
 *
 * Return: 0, or -ENOMEM if the min watermark was met before.
 */
int zone_fragment_take_pages(struct zone_fragment *frag, enum zone_type zid,
			     unsigned long nr)
{
	while (nr--) {
		struct page *page = alloc_pages(ZONE_FRAGMENT_GFP |
						zone_fragment_zone_gfp(zid), 0);

		if (!page)
			return -ENOMEM;
		fragment_keep(frag, page);
	}
	return 0;
}

/**
 * zone_fragment_drop_pages() - free kernel pages, those taken last first
 * @frag: initialised
 * @zid: the zone that they are to be of
 * @nr: how many, at most those held
 */
void zone_fragment_drop_pages(struct zone_fragment *frag, enum zone_type zid,
			      unsigned long nr)
{
	fragment_drop(frag, &frag->pgdat->node_zones[zid], nr);
}

/**
 * zone_fragment_highest_free() - the largest order with a free block
 * @frag: initialised
 *
 * Return: the order, over all zones of the node, or -1 if nothing is free.
 */
int zone_fragment_highest_free(const struct zone_fragment *frag)
{
	int zid, order;

	for (order = MAX_PAGE_ORDER; order >= 0; order--) {
		for (zid = 0; zid < MAX_NR_ZONES; zid++) {
			struct zone *zone = &frag->pgdat->node_zones[zid];

			if (managed_zone(zone) && zone->free_area[order].nr_free)
				return order;
		}
	}
	return -1;
}

/**
 * zone_fragment_free_blocks() - free blocks that were taken whole
 * @blocks: the blocks, by page->lru; empty afterwards
 * @order: their order
 */
void zone_fragment_free_blocks(struct list_head *blocks, unsigned int order)
{
	struct page *block, *next;

	list_for_each_entry_safe(block, next, blocks, lru) {
		list_del(&block->lru);
		__free_pages(block, order);
	}
}
EXPORT_SYMBOL_GPL(zone_fragment_free_blocks);
