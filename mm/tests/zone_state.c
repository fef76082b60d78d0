// SPDX-License-Identifier: GPL-2.0
/*
 * The zone states: enter, prove, repair, leave.
 *
 * A state is entered once for a test case.  Before each attempt it is repaired
 * (what the last attempt moved, deferred or asked for) and proven; an attempt
 * on a state that is not proven is an error of the test, whatever came out.
 */
#include <kunit/resource.h>
#include <kunit/test.h>
#include <linux/compaction.h>
#include <linux/delay.h>
#include <linux/export.h>
#include <linux/mempolicy.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/nodemask.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/vmstat.h>

#include "live_machine.h"
#include "zone_state.h"

/* COMPACT_MAX_DEFER_SHIFT of mm/compaction.c */
#define DEFER_SHIFT_MAX		6

/* How often to look whether kswapd and kcompactd sleep, a millisecond apart. */
#define DAEMONS_PATIENCE	20

/* What is held apart, or free, when the rest is set aside: at least 32 MiB. */
#define PAGES_KEPT	(SZ_32M >> PAGE_SHIFT)

/**
 * struct zone_state_desc - what makes a state
 * @name: as in the contract and in results
 * @fragmented: no block is free above the order that was asked for
 * @page_cache: held apart by page cache, not by kernel pages
 * @evictable: and that page cache can be reclaimed
 * @low: free memory between the min and the low watermark
 * @helpless: nothing that the allocator can do makes a large block
 * @defer: what every zone's record of failed compactions says
 */
struct zone_state_desc {
	const char *name;
	bool fragmented;
	bool page_cache;
	bool evictable;
	bool low;
	bool helpless;
	struct zone_compact_defer defer;
};

/* No compaction has failed lately. */
#define DEFER_NONE	{ .order_failed = MAX_PAGE_ORDER + 1 }

/*
 * The longest deferral, just over: the next attempt compacts, drops the
 * pageblock skip hints of earlier ones and restarts the scanners.
 */
#define DEFER_OVER	{ .considered = 1 << DEFER_SHIFT_MAX, \
			  .shift = DEFER_SHIFT_MAX }

/* The longest deferral, just begun. */
#define DEFER_BEGUN	{ .shift = DEFER_SHIFT_MAX }

static const struct zone_state_desc zone_states[NR_ZONE_STATES] = {
	[ZONE_STATE_INTACT] = {
		.name = "intact",
		.defer = DEFER_NONE,
	},
	[ZONE_STATE_UNMOVABLE] = {
		.name = "unmovable",
		.fragmented = true,
		.helpless = true,
		.defer = DEFER_NONE,
	},
	[ZONE_STATE_MOVABLE] = {
		.name = "movable",
		.fragmented = true,
		.page_cache = true,
		.defer = DEFER_OVER,
	},
	[ZONE_STATE_RECLAIMABLE] = {
		.name = "reclaimable",
		.fragmented = true,
		.page_cache = true,
		.evictable = true,
		.defer = DEFER_OVER,
	},
	[ZONE_STATE_DEFERRED] = {
		.name = "deferred",
		.fragmented = true,
		.helpless = true,
		.defer = DEFER_BEGUN,
	},
	[ZONE_STATE_LOW] = {
		.name = "low",
		.fragmented = true,
		.low = true,
		.helpless = true,
		.defer = DEFER_NONE,
	},
};

/* Only managed zones have memory: NULL for the others. */
static struct zone *zone_state_zone(const struct zone_state *zs, int zid)
{
	struct zone *zone = &zs->pgdat->node_zones[zid];

	return managed_zone(zone) ? zone : NULL;
}

/* The state that memory is in, while a test case has entered one. */
static struct zone_state *zone_state_entered;

/**
 * zone_state_name() - the name of a state
 * @id: the state
 *
 * Return: its name in the contract and in results.
 */
const char *zone_state_name(enum zone_state_id id)
{
	return zone_states[id].name;
}
EXPORT_SYMBOL_GPL(zone_state_name);

/**
 * zone_state_hopeless() - whether nothing can make a large block in a state
 * @id: the state
 *
 * Return: true if neither reclaim nor compaction can, so that a page comes
 * only from memory that the test gives back.
 */
bool zone_state_hopeless(enum zone_state_id id)
{
	return zone_states[id].helpless;
}
EXPORT_SYMBOL_GPL(zone_state_hopeless);

/**
 * zone_state_order_for() - how far to fragment memory for certain attempts
 * @id: the state
 * @lowest: the lowest order that will be attempted
 *
 * What compaction has to move, page cache that holds memory apart at order 0
 * has eight times as much of as at order 3.  Where only costly orders are
 * attempted the latter is enough.
 *
 * Return: the largest order to leave free, for zone_state_enter().
 */
unsigned int zone_state_order_for(enum zone_state_id id, unsigned int lowest)
{
	if (zone_states[id].page_cache && lowest > PAGE_ALLOC_COSTLY_ORDER)
		return PAGE_ALLOC_COSTLY_ORDER;
	return 0;
}
EXPORT_SYMBOL_GPL(zone_state_order_for);

static long zone_state_free(const struct zone_state *zs)
{
	return zone_memory_free(zs->pgdat);
}

static unsigned long zone_state_watermark(const struct zone_state *zs,
					  enum zone_watermarks mark)
{
	unsigned long sum = 0;
	struct zone *zone;
	int zid;

	for (zid = 0; zid < MAX_NR_ZONES; zid++) {
		zone = zone_state_zone(zs, zid);
		if (zone)
			sum += wmark_pages(zone, mark);
	}
	return sum;
}

static void zone_state_save(struct zone_state *zs)
{
	struct zone *zone;
	int zid;

	for (zid = 0; zid < MAX_NR_ZONES; zid++) {
		zone = zone_state_zone(zs, zid);
		if (!zone)
			continue;
		zs->saved_boost[zid] = zone->watermark_boost;
#ifdef CONFIG_COMPACTION
		zs->saved_defer[zid] = (struct zone_compact_defer){
			.considered = zone->compact_considered,
			.shift = zone->compact_defer_shift,
			.order_failed = zone->compact_order_failed,
		};
#endif
	}
}

static void zone_set_defer(struct zone *zone,
			   const struct zone_compact_defer *defer)
{
#ifdef CONFIG_COMPACTION
	zone->compact_considered = defer->considered;
	zone->compact_defer_shift = defer->shift;
	zone->compact_order_failed = defer->order_failed;
	zone->compact_blockskip_flush = true;
#endif
}

/**
 * zone_state_restart_compaction() - let compaction start afresh, once
 * @zs: the state
 *
 * The next one is not deferred, drops the pageblock skip hints of earlier ones, and
 * restarts the scanners.  zone_state_prepare() takes this back.
 */
void zone_state_restart_compaction(struct zone_state *zs)
{
	static const struct zone_compact_defer over = DEFER_OVER;
	struct zone *zone;
	int zid;

	for (zid = 0; zid < MAX_NR_ZONES; zid++) {
		zone = zone_state_zone(zs, zid);
		if (zone)
			zone_set_defer(zone, &over);
	}
}
EXPORT_SYMBOL_GPL(zone_state_restart_compaction);

/* Everything that attempts leave behind in the zones, but for the memory. */
static void zone_state_reset(struct zone_state *zs)
{
	const struct zone_state_desc *desc = &zone_states[zs->id];
	struct zone *zone;
	int zid;

	for (zid = 0; zid < MAX_NR_ZONES; zid++) {
		zone = zone_state_zone(zs, zid);
		if (!zone)
			continue;
		zone->watermark_boost = 0;
		clear_bit(ZONE_BOOSTED_WATERMARK, &zone->flags);
		zone_set_defer(zone, &desc->defer);
	}
	zone_daemons_forget(&zs->daemons);
}

static void zone_state_restore(struct zone_state *zs)
{
	struct zone *zone;
	int zid;

	for (zid = 0; zid < MAX_NR_ZONES; zid++) {
		zone = zone_state_zone(zs, zid);
		if (!zone)
			continue;
		zone->watermark_boost = zs->saved_boost[zid];
		zone_set_defer(zone, &zs->saved_defer[zid]);
	}
}

/**
 * zone_state_highest_free() - the largest order with a free block
 * @zs: the state
 *
 * Return: the order, or -1 if nothing is free.
 */
int zone_state_highest_free(const struct zone_state *zs)
{
	return zone_fragment_highest_free(&zs->frag);
}
EXPORT_SYMBOL_GPL(zone_state_highest_free);

/*
 * Compaction of page cache scans all of it, again and again: 14 ms for 1 GiB
 * under UML.  Take the rest of the memory away in whole blocks, which the
 * scanners step over.  Where memory is to be low, that is also the quick way.
 *
 * What stays lies in both halves of the zone.  When compaction starts afresh it
 * looks for pages to move in the lower half only, and for room in the upper one
 * (__reset_isolation_suitable()).
 */
static void zone_state_set_aside(struct zone_state *zs)
{
	unsigned long keep = max(PAGES_KEPT,
				 8 * zone_state_watermark(zs, WMARK_HIGH));
	struct zone *zone = &zs->pgdat->node_zones[zs->pgdat->nr_zones - 1];
	unsigned long middle = zone->zone_start_pfn + zone->spanned_pages / 2;
	unsigned long kept[2] = {};
	struct page *block, *next;

	while ((block = alloc_pages(ZONE_FRAGMENT_GFP | __GFP_COMP, MAX_PAGE_ORDER)))
		list_add(&block->lru, &zs->aside);
	list_for_each_entry_safe(block, next, &zs->aside, lru) {
		bool upper = page_to_pfn(block) >= middle;

		if (kept[upper] >= keep / 2)
			continue;
		kept[upper] += MAX_ORDER_NR_PAGES;
		list_del(&block->lru);
		__free_pages(block, MAX_PAGE_ORDER);
	}
}

/*
 * What a zone keeps for those who cannot be served by a higher one is not there
 * for the others.
 */
static long zone_low_mark(const struct zone_state *zs, const struct zone *zone,
			  enum zone_watermarks mark)
{
	return wmark_pages(zone, mark) + zone->lowmem_reserve[zs->pgdat->nr_zones - 1];
}

static bool zone_is_low(const struct zone_state *zs, struct zone *zone)
{
	long free = zone_page_state_snapshot(zone, NR_FREE_PAGES);

	return free > zone_low_mark(zs, zone, WMARK_MIN) &&
	       free < zone_low_mark(zs, zone, WMARK_LOW);
}

/* Move what is free to the middle between the min and the low watermark. */
static int zone_state_lower(struct zone_state *zs)
{
	struct zone *zone;
	int zid, err = 0;
	long excess;

	/* Turning blocks unmovable boosts the watermarks, up to 2.5 times. */
	zone_state_reset(zs);
	for (zid = 0; zid < MAX_NR_ZONES && !err; zid++) {
		zone = zone_state_zone(zs, zid);
		if (!zone)
			continue;
		excess = zone_page_state_snapshot(zone, NR_FREE_PAGES) -
			 (zone_low_mark(zs, zone, WMARK_MIN) +
			  zone_low_mark(zs, zone, WMARK_LOW)) / 2;
		if (excess > 0)
			err = zone_fragment_take_pages(&zs->frag, zid, excess);
		else
			zone_fragment_drop_pages(&zs->frag, zid, -excess);
	}
	return err;
}

static void zone_state_take_spare(struct zone_state *zs)
{
	if (!zs->spare)
		zs->spare = alloc_pages(ZONE_FRAGMENT_GFP, MAX_PAGE_ORDER);
}

static int zone_state_build(struct zone_state *zs)
{
	const struct zone_state_desc *desc = &zone_states[zs->id];
	int err;

	if (!desc->fragmented)
		return 0;
	zone_state_take_spare(zs);
	err = zone_fragment_build(&zs->frag, 0);
	if (!err && desc->low)
		err = zone_state_lower(zs);
	return err;
}

/* Many pages at once. */
static void zone_state_release(struct zone_state *zs)
{
	pcp_lists_batch(&zs->pcp);
	zone_fragment_release(&zs->frag);
	pcp_lists_bypass(&zs->pcp);
	pcp_lists_empty(&zs->pcp);
}

/*
 * Build from nothing.  Blocks that the per-CPU lists do not serve come first,
 * with the lists in use.
 */
static int zone_state_rebuild(struct zone_state *zs)
{
	int err = 0;

	zone_state_release(zs);
	if (zone_states[zs->id].fragmented) {
		zone_state_take_spare(zs);
		pcp_lists_batch(&zs->pcp);
		err = zone_fragment_build(&zs->frag, PAGE_ALLOC_COSTLY_ORDER + 1);
		pcp_lists_bypass(&zs->pcp);
		pcp_lists_empty(&zs->pcp);
	}
	if (!err)
		err = zone_state_build(zs);
	zs->free_built = zone_state_free(zs);
	return err;
}

/*
 * Attempts that succeed by moving pages fill the gaps: what held the memory
 * apart before sits side by side then, and free memory shrinks.
 */
static int zone_state_repair(struct zone_state *zs)
{
	if (!zs->free_built)
		return zone_state_rebuild(zs);
	if (!zone_states[zs->id].page_cache)
		return zone_state_build(zs);
	if (zone_state_free(zs) < zs->free_built / 8 * 7)
		zone_holder_thin(&zs->holder);
	if (zone_state_free(zs) < zs->free_built / 4 * 3)
		return zone_state_rebuild(zs);
	return zone_state_build(zs);
}

static bool zone_state_fail(struct zone_state *zs, const char *why, long value)
{
	snprintf(zs->why, sizeof(zs->why), "%s (%ld)", why, value);
	return false;
}

static bool zone_state_prove_memory(struct zone_state *zs)
{
	const struct zone_state_desc *desc = &zone_states[zs->id];
	long free = zone_state_free(zs);
	int highest = zone_fragment_highest_free(&zs->frag);
	struct zone *zone;
	int zid;

	if (!desc->fragmented && highest < MAX_PAGE_ORDER)
		return zone_state_fail(zs, "no block of the largest order is free",
				       highest);
	if (desc->fragmented && highest != (int)zs->frag.order)
		return zone_state_fail(zs, "the largest free block has order",
				       highest);
	if (desc->fragmented && !zs->spare)
		return zone_state_fail(zs, "no block to give back", 0);
	if (desc->page_cache && !zone_holder_pages(&zs->holder))
		return zone_state_fail(zs, "no page cache", 0);
	for (zid = 0; zid < MAX_NR_ZONES && desc->low; zid++) {
		zone = zone_state_zone(zs, zid);
		if (zone && !zone_is_low(zs, zone))
			return zone_state_fail(zs, "free memory is not low", free);
	}
	if (!desc->low && free <= 2 * zone_state_watermark(zs, WMARK_HIGH))
		return zone_state_fail(zs, "free memory is low", free);
	if (pcp_lists_count(&zs->pcp))
		return zone_state_fail(zs, "pages on the per-CPU lists",
				       pcp_lists_count(&zs->pcp));
	return true;
}

/* kcompactd gets up by its own timer now and then, and lies down again. */
static bool zone_state_daemons_asleep(const struct zone_state *zs)
{
	int i;

	for (i = 0; i < DAEMONS_PATIENCE; i++) {
		if (zone_daemons_asleep(&zs->daemons))
			return true;
		usleep_range(1000, 2000);
	}
	return false;
}

static bool zone_state_prove(struct zone_state *zs)
{
	const struct zone_state_desc *desc = &zone_states[zs->id];
	struct zone *zone;
	int zid;

	if (!zone_state_prove_memory(zs))
		return false;
	if (!zone_state_daemons_asleep(zs))
		return zone_state_fail(zs, "kswapd or kcompactd is awake", 0);
	for (zid = 0; zid < MAX_NR_ZONES; zid++) {
		zone = zone_state_zone(zs, zid);
		if (!zone)
			continue;
		if (zone->nr_reserved_highatomic)
			return zone_state_fail(zs, "memory reserved for atomic use",
					       zone->nr_reserved_highatomic);
		if (zone->watermark_boost)
			return zone_state_fail(zs, "watermarks are boosted",
					       zone->watermark_boost);
#ifdef CONFIG_COMPACTION
		if (zone->compact_considered != desc->defer.considered ||
		    zone->compact_defer_shift != desc->defer.shift ||
		    zone->compact_order_failed != desc->defer.order_failed)
			return zone_state_fail(zs, "compaction deferral changed",
					       zone->compact_considered);
#endif
	}
	return true;
}

/**
 * zone_state_prepare() - make ready for an attempt, and prove it
 * @zs: the state
 *
 * On success the per-CPU lists work as usual again, with one page on them, so
 * that a drain can be seen.  The caller makes its attempt and then calls
 * zone_state_free_page(), with what it got or with NULL.
 *
 * Return: true if the state is what it claims to be; else @zs->why says what
 * is not.
 */
bool zone_state_prepare(struct zone_state *zs)
{
	int sig = live_machine_signal();
	int err;

	if (sig)
		return zone_state_fail(zs, "stopped by a signal", sig);
	pcp_lists_bypass(&zs->pcp);
	zone_state_reset(zs);
	pcp_lists_empty(&zs->pcp);
	if (pcp_lists_count(&zs->pcp)) {
		zone_state_give(zs);
		pcp_lists_empty(&zs->pcp);
	}
	err = zone_state_repair(zs);
	zone_state_reset(zs);
	if (!err && !zone_state_prove_memory(zs)) {
		err = zone_state_rebuild(zs);
		zone_state_reset(zs);
	}
	if (err)
		return zone_state_fail(zs, "could not be built", err);
	if (!zone_state_prove(zs))
		return false;
	pcp_lists_plant(&zs->pcp);
	return true;
}
EXPORT_SYMBOL_GPL(zone_state_prepare);

/**
 * zone_state_free_page() - end an attempt
 * @zs: the state
 * @page: what it got, or NULL
 * @order: the order of @page
 */
void zone_state_free_page(struct zone_state *zs, struct page *page,
			  unsigned int order)
{
	pcp_lists_bypass(&zs->pcp);
	if (page)
		__free_pages(page, order);
}
EXPORT_SYMBOL_GPL(zone_state_free_page);

/**
 * zone_state_give() - give memory back
 * @zs: the state
 *
 * Frees one block of %MAX_PAGE_ORDER, which any attempt can be served from;
 * the next zone_state_prepare() takes it again.  May be called by any task,
 * and while the state's own task allocates.
 */
void zone_state_give(struct zone_state *zs)
{
	struct page *spare = xchg(&zs->spare, NULL);

	if (spare)
		__free_pages(spare, MAX_PAGE_ORDER);
}

/**
 * zone_state_relieve() - help whoever is about to call the OOM killer
 *
 * A task that needs more than one page in a row, such as kthreadd for a new
 * thread, finds none either while memory is held apart.
 *
 * Return: true if a state is entered: it gave a block, unless that is free
 * already, and nobody needs to be killed.
 */
bool zone_state_relieve(void)
{
	struct zone_state *zs = READ_ONCE(zone_state_entered);

	if (zs)
		zone_state_give(zs);
	return zs;
}

#ifdef CONFIG_NUMA
/* One state is entered at a time, by one node's task.  Nobody frees this policy. */
static struct mempolicy zone_state_policy = {
	.refcnt = ATOMIC_INIT(1),
	.mode = MPOL_BIND,
	.home_node = NUMA_NO_NODE,
};

/**
 * zone_state_bind_to() - let this task have memory of some nodes only
 * @nodes: the nodes
 *
 * Does nothing if the task is bound already.  Requests with __GFP_THISNODE do not
 * look at the policy.
 */
void zone_state_bind_to(const nodemask_t *nodes)
{
	task_lock(current);
	if (!current->mempolicy) {
		zone_state_policy.nodes = *nodes;
		atomic_inc(&zone_state_policy.refcnt);
		current->mempolicy = &zone_state_policy;
	}
	task_unlock(current);
}
EXPORT_SYMBOL_GPL(zone_state_bind_to);

/**
 * zone_state_unbind() - undo zone_state_bind_to()
 * @task: the task that called it; it may have exited
 */
void zone_state_unbind(struct task_struct *task)
{
	task_lock(task);
	if (task->mempolicy == &zone_state_policy) {
		task->mempolicy = NULL;
		atomic_dec(&zone_state_policy.refcnt);
	}
	task_unlock(task);
}
EXPORT_SYMBOL_GPL(zone_state_unbind);
#else
void zone_state_bind_to(const nodemask_t *nodes)
{
}
EXPORT_SYMBOL_GPL(zone_state_bind_to);

void zone_state_unbind(struct task_struct *task)
{
}
EXPORT_SYMBOL_GPL(zone_state_unbind);
#endif

/**
 * zone_state_bind() - let this task have memory of the state's node only
 * @zs: the state
 *
 * The other nodes are in no state, and would serve what this one cannot.
 */
void zone_state_bind(const struct zone_state *zs)
{
	nodemask_t node = nodemask_of_node(zs->pgdat->node_id);

	zone_state_bind_to(&node);
}
EXPORT_SYMBOL_GPL(zone_state_bind);

/*
 * Blocks that the fragmenter took for kernel pages were turned unmovable.  A
 * movable allocation of a whole block turns it back.
 */
static void zone_state_unsteal(struct zone_state *zs)
{
	struct page *block;
	LIST_HEAD(blocks);

	while ((block = alloc_pages(ZONE_FRAGMENT_GFP | __GFP_MOVABLE,
				    MAX_PAGE_ORDER)))
		list_add(&block->lru, &blocks);
	zone_fragment_free_blocks(&blocks, MAX_PAGE_ORDER);
}

static void zone_state_undo(void *data)
{
	struct zone_state *zs = data;
	long missing = 0;

	/* KUnit may clean up in another task. */
	zone_state_bind(zs);
	pcp_lists_bypass(&zs->pcp);
	zone_state_give(zs);
	zone_state_release(zs);
	zone_holder_exit(&zs->holder);
	zone_fragment_free_blocks(&zs->aside, MAX_PAGE_ORDER);
	zone_state_unsteal(zs);
	if (zs->before.free)
		missing = zone_memory_wait(&zs->before, zs->pgdat, &zs->pcp);
	WRITE_ONCE(zone_state_entered, NULL);
	zone_state_restore(zs);
	pcp_lists_exit(&zs->pcp);
	zone_daemons_release(&zs->daemons);
	zone_state_unbind(current);
	zone_state_unbind(zs->task);
	put_task_struct(zs->task);
	KUNIT_EXPECT_EQ_MSG(zs->test, missing, 0,
			    "state %s did not give all its memory back",
			    zone_state_name(zs->id));
}

/**
 * zone_state_leave() - undo zone_state_enter() before the test case ends
 * @test: the test case
 * @zs: the state
 */
void zone_state_leave(struct kunit *test, struct zone_state *zs)
{
	kunit_release_action(test, zone_state_undo, zs);
}
EXPORT_SYMBOL_GPL(zone_state_leave);

/**
 * zone_state_enter() - bring the memory of this node into a state
 * @test: the test case; fails if the state cannot be built and proven, and is
 *	skipped if it may not take the memory, see live_machine_admit()
 * @id: the state
 * @order: the largest order that stays free; not used by %ZONE_STATE_INTACT
 *
 * Binds the task to its CPU, and to the memory of that CPU's node.  The state is
 * undone, and that is checked, when the test case ends, however it ends.
 *
 * Return: the state; never fails.
 */
struct zone_state *zone_state_enter(struct kunit *test, enum zone_state_id id,
				    unsigned int order)
{
	const struct zone_state_desc *desc = &zone_states[id];
	struct zone_state *zs;
	pg_data_t *pgdat;

	set_cpus_allowed_ptr(current, cpumask_of(raw_smp_processor_id()));
	pgdat = NODE_DATA(numa_mem_id());
	live_machine_admit(test, zone_memory_free(pgdat));
	zs = kunit_kzalloc(test, sizeof(*zs), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, zs);
	zs->id = id;
	zs->test = test;
	zs->pgdat = pgdat;
	zone_fragment_init(&zs->frag, zs->pgdat, order,
			   desc->page_cache ? &zs->holder : NULL);
	INIT_LIST_HEAD(&zs->aside);
	zone_state_save(zs);
	KUNIT_ASSERT_EQ(test, pcp_lists_init(&zs->pcp, zs->pgdat), 0);
	zs->task = get_task_struct(current);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, zone_state_undo,
							zs), 0);
	WRITE_ONCE(zone_state_entered, zs);
	zone_state_bind(zs);
	KUNIT_ASSERT_EQ_MSG(test, zone_daemons_hold(&zs->daemons, zs->pgdat), 0,
			    "kswapd or kcompactd does not fall asleep");
	if (desc->page_cache)
		KUNIT_ASSERT_EQ(test, zone_holder_init(&zs->holder,
						       desc->evictable), 0);
	pcp_lists_bypass(&zs->pcp);
	zone_memory_settle(&zs->before, zs->pgdat, &zs->pcp);
	if (desc->page_cache || desc->low)
		zone_state_set_aside(zs);
	KUNIT_ASSERT_TRUE_MSG(test, zone_state_prepare(zs), "state %s: %s",
			      zone_state_name(id), zs->why);
	return zs;
}
EXPORT_SYMBOL_GPL(zone_state_enter);
