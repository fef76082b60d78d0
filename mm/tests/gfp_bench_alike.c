// SPDX-License-Identifier: GPL-2.0
/*
 * Let each sample of a point begin alike, whatever was before.
 *
 * A zone state says what an attempt can find, not what that costs: how far a
 * block has to be split, where compaction begins to scan, what it remembers to
 * skip.  All that is left over from earlier calls, and even from the boot, and
 * would differ between two kernels for reasons that are not theirs.
 */
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/vmstat.h>
#include <linux/workqueue.h>

#include "gfp_bench_alike.h"
#include "zone_state.h"

static const gfp_t mobility[] = {
	[MIGRATE_UNMOVABLE] = 0,
	[MIGRATE_MOVABLE] = __GFP_MOVABLE,
	[MIGRATE_RECLAIMABLE] = __GFP_RECLAIMABLE,
};

static void take_remnants(struct list_head *remnants, struct zone *zone, gfp_t gfp,
			  unsigned int order, int migratetype)
{
	struct list_head *list = &zone->free_area[order].free_list[migratetype];
	struct page *page;

	while (!list_empty(list)) {
		page = alloc_pages(gfp | mobility[migratetype] | __GFP_COMP, order);
		if (!page)
			return;
		list_add(&page->lru, remnants);
	}
}

/* So that every block is split off a whole one. */
static void take_all_remnants(struct gfp_bench_alike *alike)
{
	pg_data_t *pgdat = alike->zs->pgdat;
	int zid, migratetype;
	unsigned int order;
	gfp_t gfp;

	/* What is left of a block of which a page is on the per-CPU lists is none. */
	pcp_lists_bypass(&alike->zs->pcp);
	pcp_lists_empty(&alike->zs->pcp);
	for (zid = 0; zid < pgdat->nr_zones; zid++) {
		gfp = ZONE_FRAGMENT_GFP | zone_fragment_zone_gfp(zid);
		if (!managed_zone(&pgdat->node_zones[zid]))
			continue;
		for (order = 0; order < MAX_PAGE_ORDER; order++) {
			for (migratetype = 0; migratetype < ARRAY_SIZE(mobility); migratetype++)
				take_remnants(&alike->remnants[order], &pgdat->node_zones[zid],
					      gfp, order, migratetype);
		}
	}
}

/**
 * gfp_bench_moves() - whether calls change the memory of a state
 * @id: the state
 *
 * Return: true if reclaim or compaction can make room in it.
 */
bool gfp_bench_moves(enum zone_state_id id)
{
	return id != ZONE_STATE_INTACT && !zone_state_hopeless(id);
}

#ifdef CONFIG_COMPACTION
static void rewind_scanners(struct zone *zone)
{
	zone->compact_cached_migrate_pfn[0] = zone->zone_start_pfn;
	zone->compact_cached_migrate_pfn[1] = zone->zone_start_pfn;
	zone->compact_cached_free_pfn = pageblock_start_pfn(zone_end_pfn(zone) - 1);
}
#else
static void rewind_scanners(struct zone *zone)
{
}
#endif

static void in_each_zone(struct zone_state *zs, void (*what)(struct zone *zone))
{
	int zid;

	for (zid = 0; zid < zs->pgdat->nr_zones; zid++) {
		if (managed_zone(&zs->pgdat->node_zones[zid]))
			what(&zs->pgdat->node_zones[zid]);
	}
}

/*
 * Compact once, in vain, by a request that every kernel compacts for: from end to
 * end, so that each pageblock is known to be of no use.  Compaction that starts
 * afresh after a deferral would look for the first block of use, and find none.
 */
static void learn_hints(struct zone_state *zs)
{
	struct page *page;

	if (!zone_state_prepare(zs))
		return;
	in_each_zone(zs, rewind_scanners);
	page = alloc_pages(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN,
			   PAGE_ALLOC_COSTLY_ORDER + 1);
	zone_state_free_page(zs, page, PAGE_ALLOC_COSTLY_ORDER + 1);
}

/**
 * gfp_bench_alike_begin() - before the samples of a point
 * @alike: to be initialised
 * @zs: the zone state
 */
void gfp_bench_alike_begin(struct gfp_bench_alike *alike, struct zone_state *zs)
{
	unsigned int order;

	alike->zs = zs;
	for (order = 0; order < MAX_PAGE_ORDER; order++)
		INIT_LIST_HEAD(&alike->remnants[order]);
	if (zone_state_hopeless(zs->id))
		learn_hints(zs);
}

/**
 * gfp_bench_alike_sample() - before each sample, and before zone_state_prepare()
 * @alike: initialised
 */
void gfp_bench_alike_sample(struct gfp_bench_alike *alike)
{
	struct zone_state *zs = alike->zs;

	if (zs->id == ZONE_STATE_INTACT)
		take_all_remnants(alike);
	if (gfp_bench_moves(zs->id))
		zs->free_built = 0;	/* build all of it again */
	in_each_zone(zs, rewind_scanners);
}

/*
 * The statistics of a zone and of a node are counted up for each CPU, and added
 * to the sum when they pass a threshold: a call that passes it takes longer.
 */
static void fold_zone(struct zone *zone)
{
#ifdef CONFIG_SMP
	struct per_cpu_zonestat __percpu *stats = zone->per_cpu_zonestats;
	int item, diff;

	for (item = 0; item < NR_VM_ZONE_STAT_ITEMS; item++) {
		diff = this_cpu_xchg(stats->vm_stat_diff[item], 0);
		if (diff)
			zone_page_state_add(diff, zone, item);
	}
#endif
}

static void fold_node(pg_data_t *pgdat)
{
#ifdef CONFIG_SMP
	struct per_cpu_nodestat __percpu *stats = pgdat->per_cpu_nodestats;
	int item, diff;

	for (item = 0; item < NR_VM_NODE_STAT_ITEMS; item++) {
		diff = this_cpu_xchg(stats->vm_node_stat_diff[item], 0);
		if (diff)
			node_page_state_add(diff, pgdat, item);
	}
#endif
}

static long fold_this_cpu(void *alike)
{
	struct zone_state *zs = ((struct gfp_bench_alike *)alike)->zs;

	in_each_zone(zs, fold_zone);
	fold_node(zs->pgdat);
	return 0;
}

/**
 * gfp_bench_alike_others() - before a call that other CPUs make too
 * @alike: initialised
 *
 * They are busy for a while after this.
 */
void gfp_bench_alike_others(struct gfp_bench_alike *alike)
{
	int cpu;

	for_each_online_cpu(cpu)
		work_on_cpu(cpu, fold_this_cpu, alike);
}

/**
 * gfp_bench_alike_call() - after zone_state_prepare(), just before a call
 * @alike: initialised
 */
void gfp_bench_alike_call(struct gfp_bench_alike *alike)
{
	migrate_disable();
	fold_this_cpu(alike);
	migrate_enable();
}

/**
 * gfp_bench_alike_end() - give back what was taken
 * @alike: initialised or zeroed
 */
void gfp_bench_alike_end(struct gfp_bench_alike *alike)
{
	struct page *page, *next;
	unsigned int order;

	for (order = 0; order < MAX_PAGE_ORDER && alike->zs; order++) {
		list_for_each_entry_safe(page, next, &alike->remnants[order], lru) {
			list_del(&page->lru);
			__free_pages(page, order);
		}
	}
}
