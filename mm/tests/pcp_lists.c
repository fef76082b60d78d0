// SPDX-License-Identifier: GPL-2.0
/*
 * The per-CPU page lists, from outside.
 *
 * A page on these lists satisfies a later attempt without any effect, and does
 * not merge with its buddies: a zone is only as fragmented as it claims when
 * they are empty.  drain_all_pages() is not exported; taking every page off a
 * list and freeing it while the list's limits are 0 does the same.
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "pcp_lists.h"
#include "zone_fragment.h"

/* What pcp_lists_bypass() overwrites in a struct per_cpu_pages. */
struct pcp_list_limits {
	int high;
	int high_min;
	int high_max;
	int batch;
};

static const gfp_t pcp_mobility[] = { 0, __GFP_MOVABLE, __GFP_RECLAIMABLE };

static struct per_cpu_pages *pcp_of(const struct pcp_lists *pcp, int zid,
				    int cpu)
{
	struct zone *zone = &pcp->pgdat->node_zones[zid];

	if (!managed_zone(zone))
		return NULL;
	return per_cpu_ptr(zone->per_cpu_pageset, cpu);
}

/* The same limits that zone_pcp_disable() sets, without its drain. */
static void pcp_set_limits(struct per_cpu_pages *lists,
			   const struct pcp_list_limits *limits)
{
	WRITE_ONCE(lists->batch, limits->batch);
	WRITE_ONCE(lists->high_min, limits->high_min);
	WRITE_ONCE(lists->high_max, limits->high_max);
	WRITE_ONCE(lists->high, limits->high);
}

static struct pcp_list_limits *pcp_saved(const struct pcp_lists *pcp, int zid,
					 int cpu)
{
	return &pcp->saved[cpu * MAX_NR_ZONES + zid];
}

/**
 * pcp_lists_init() - remember the limits of a node's lists
 * @pcp: to be initialised
 * @pgdat: the node
 *
 * Return: 0 or -ENOMEM.
 */
int pcp_lists_init(struct pcp_lists *pcp, pg_data_t *pgdat)
{
	int zid, cpu;

	*pcp = (struct pcp_lists){ .pgdat = pgdat };
	pcp->saved = kcalloc(nr_cpu_ids * MAX_NR_ZONES, sizeof(*pcp->saved),
			     GFP_KERNEL);
	if (!pcp->saved)
		return -ENOMEM;
	for (zid = 0; zid < MAX_NR_ZONES; zid++) {
		for_each_possible_cpu(cpu) {
			struct per_cpu_pages *lists = pcp_of(pcp, zid, cpu);

			if (!lists)
				continue;
			*pcp_saved(pcp, zid, cpu) = (struct pcp_list_limits){
				.high = lists->high,
				.high_min = lists->high_min,
				.high_max = lists->high_max,
				.batch = lists->batch,
			};
		}
	}
	return 0;
}

static void pcp_restore(struct pcp_lists *pcp, int batch)
{
	struct pcp_list_limits limits;
	struct per_cpu_pages *lists;
	int zid, cpu;

	for (zid = 0; zid < MAX_NR_ZONES; zid++) {
		for_each_possible_cpu(cpu) {
			lists = pcp_of(pcp, zid, cpu);
			if (!lists)
				continue;
			limits = *pcp_saved(pcp, zid, cpu);
			if (batch)
				limits.batch = batch;
			pcp_set_limits(lists, &limits);
		}
	}
}

/**
 * pcp_lists_exit() - restore the limits and free what pcp_lists_init() allocated
 * @pcp: initialised or zeroed
 */
void pcp_lists_exit(struct pcp_lists *pcp)
{
	if (!pcp->saved)
		return;
	pcp_restore(pcp, 0);
	kfree(pcp->saved);
	pcp->saved = NULL;
}

static void pcp_set_all(struct pcp_lists *pcp, const struct pcp_list_limits *limits)
{
	struct per_cpu_pages *lists;
	int zid, cpu;

	for (zid = 0; zid < MAX_NR_ZONES; zid++) {
		for_each_possible_cpu(cpu) {
			lists = pcp_of(pcp, zid, cpu);
			if (lists)
				pcp_set_limits(lists, limits);
		}
	}
}

/**
 * pcp_lists_bypass() - from now on free pages straight to the buddy lists
 * @pcp: the lists
 *
 * Pages that are on the lists stay there: see pcp_lists_empty().
 */
void pcp_lists_bypass(struct pcp_lists *pcp)
{
	static const struct pcp_list_limits none = { .batch = 1 };

	pcp_set_all(pcp, &none);
}
EXPORT_SYMBOL_GPL(pcp_lists_bypass);

/**
 * pcp_lists_batch() - from now on free pages to the buddy lists by the hundred
 * @pcp: the lists
 *
 * Several times faster for many pages.  The last ones stay on the lists: to be
 * followed by pcp_lists_bypass() and pcp_lists_empty().
 */
void pcp_lists_batch(struct pcp_lists *pcp)
{
	static const struct pcp_list_limits many = {
		.high = 512, .high_min = 512, .high_max = 512, .batch = 128,
	};

	pcp_set_all(pcp, &many);
}

/*
 * Take pages off one list until the next one comes from the buddy lists.
 * Each remembers its order, to be freed in one piece.
 */
static void pcp_take_list(struct per_cpu_pages *lists, gfp_t gfp,
			  unsigned int order, struct list_head *taken)
{
	int before;

	do {
		struct page *page;

		before = READ_ONCE(lists->count);
		page = alloc_pages(gfp, order);
		if (!page)
			return;
		set_page_private(page, order);
		list_add(&page->lru, taken);
	} while (READ_ONCE(lists->count) < before);
}

static void pcp_empty_zone(struct per_cpu_pages *lists, gfp_t zone_gfp)
{
	struct page *page, *next;
	unsigned int order, i;
	LIST_HEAD(taken);

	for (order = 0; order <= PAGE_ALLOC_COSTLY_ORDER; order++) {
		for (i = 0; i < ARRAY_SIZE(pcp_mobility); i++) {
			if (!READ_ONCE(lists->count))
				goto out;
			pcp_take_list(lists, ZONE_FRAGMENT_GFP | zone_gfp |
				      pcp_mobility[i], order, &taken);
		}
	}
out:
	list_for_each_entry_safe(page, next, &taken, lru) {
		order = page_private(page);
		list_del(&page->lru);
		set_page_private(page, 0);
		__free_pages(page, order);
	}
}

static unsigned long pcp_count_cpu(const struct pcp_lists *pcp, int cpu)
{
	unsigned long count = 0;
	int zid;

	for (zid = 0; zid < MAX_NR_ZONES; zid++) {
		struct per_cpu_pages *lists = pcp_of(pcp, zid, cpu);

		if (lists)
			count += READ_ONCE(lists->count);
	}
	return count;
}

/* Runs on the CPU whose lists are to be emptied. */
static long pcp_empty_this_cpu(void *data)
{
	struct pcp_lists *pcp = data;
	int zid;

	for (zid = 0; zid < MAX_NR_ZONES; zid++) {
		struct per_cpu_pages *lists =
			pcp_of(pcp, zid, raw_smp_processor_id());

		if (lists && READ_ONCE(lists->count))
			pcp_empty_zone(lists, zone_fragment_zone_gfp(zid));
	}
	return 0;
}

/**
 * pcp_lists_empty() - put the pages of all lists back on the buddy lists
 * @pcp: the lists, bypassed
 *
 * A block of a higher order can be taken off a list only while the buddy lists
 * have one too, or its watermark check fails: pcp_lists_count() tells whether
 * any were left.
 */
void pcp_lists_empty(struct pcp_lists *pcp)
{
	int cpu;

	migrate_disable();
	pcp_empty_this_cpu(pcp);
	migrate_enable();
	if (!pcp_lists_count(pcp))
		return;
	for_each_online_cpu(cpu) {
		if (pcp_count_cpu(pcp, cpu))
			work_on_cpu(cpu, pcp_empty_this_cpu, pcp);
	}
}
EXPORT_SYMBOL_GPL(pcp_lists_empty);

/**
 * pcp_lists_plant() - let the lists be used, and leave one page on this CPU's
 * @pcp: the lists, bypassed
 *
 * A drain of all CPUs' lists finds something then, and can be seen.  The lists
 * are refilled a page at a time, so that there is little to take off them again.
 */
void pcp_lists_plant(struct pcp_lists *pcp)
{
	struct page *page = alloc_pages(ZONE_FRAGMENT_GFP, 0);

	pcp_restore(pcp, 1);
	if (page)
		__free_page(page);
}

/**
 * pcp_lists_count() - how many pages are on the lists
 * @pcp: the lists
 *
 * Return: the number of pages, over all zones of the node and all CPUs.
 */
unsigned long pcp_lists_count(const struct pcp_lists *pcp)
{
	unsigned long count = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		count += pcp_count_cpu(pcp, cpu);
	return count;
}
