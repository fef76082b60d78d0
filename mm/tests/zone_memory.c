// SPDX-License-Identifier: GPL-2.0
/*
 * Account for the memory of a node, to the page.
 *
 * Other tasks allocate and free meanwhile, KUnit's own among them: what they
 * may hold by right (slab pages, kernel stacks) is told apart from what a test
 * has lost.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/export.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sizes.h>
#include <linux/thread_info.h>
#include <linux/vmstat.h>

#include "gfp_test_compat.h"
#include "pcp_lists.h"
#include "zone_memory.h"

/* How often to look until memory stands still, or is back: one second. */
#define SETTLE_ROUNDS		50
#define SETTLE_MS		20

#define STACK_PAGES		((long)(THREAD_SIZE / PAGE_SIZE))

/**
 * zone_memory_free() - free memory on the buddy lists
 * @pgdat: the node
 *
 * Return: the number of pages, over all zones.
 */
long zone_memory_free(pg_data_t *pgdat)
{
	long free = 0;
	int zid;

	for (zid = 0; zid < MAX_NR_ZONES; zid++) {
		struct zone *zone = &pgdat->node_zones[zid];

		if (managed_zone(zone))
			free += zone_page_state_snapshot(zone, NR_FREE_PAGES);
	}
	return free;
}
EXPORT_SYMBOL_GPL(zone_memory_free);

/* One of the node's counters, with what the CPUs have not added to it yet. */
static long node_stat(pg_data_t *pgdat, enum node_stat_item item)
{
	long value = atomic_long_read(&pgdat->vm_stat[item]);
#ifdef CONFIG_SMP
	int cpu;

	for_each_online_cpu(cpu)
		value += per_cpu_ptr(pgdat->per_cpu_nodestats,
				     cpu)->vm_node_stat_diff[item];
#endif
	return value;
}

/*
 * All free memory, wherever it waits.  Slab pages count as free here: nodes of
 * the page cache's tree stay in their slabs when it has been emptied.  So do
 * page tables: those of the vmalloc area stay where they are for its next user.
 */
static struct zone_memory memory_of(pg_data_t *pgdat, struct pcp_lists *pcp)
{
	return (struct zone_memory){
		.free = zone_memory_free(pgdat) + pcp_lists_count(pcp) +
			node_stat(pgdat, NR_SLAB_RECLAIMABLE_B) +
			node_stat(pgdat, NR_SLAB_UNRECLAIMABLE_B) +
			node_stat(pgdat, NR_PAGETABLE),
		.stacks = node_stat(pgdat, NR_KERNEL_STACK_KB) /
			  (long)(PAGE_SIZE / SZ_1K),
	};
}

/**
 * zone_memory_stack_cache() - how much memory the kernel may keep for new tasks
 *
 * The stacks of up to NR_CACHED_STACKS (2, kernel/fork.c) tasks that have exited
 * wait on each CPU for the next ones, and are counted nowhere.
 *
 * Return: their number of pages, at most.
 */
long zone_memory_stack_cache(void)
{
	if (!IS_ENABLED(CONFIG_VMAP_STACK))
		return 0;
	return 2 * STACK_PAGES * num_online_cpus();
}
EXPORT_SYMBOL_GPL(zone_memory_stack_cache);

/*
 * How many pages are missing.  Tasks come and go meanwhile, KUnit's own among
 * them: a stack that is no longer counted as one is free or kept for the next
 * task, and one that is kept now may have come from free memory, or the other
 * way round.
 */
static long memory_missing(const struct zone_memory *before,
			   const struct zone_memory *now)
{
	long missing = before->free - now->free;
	long stacks = now->stacks - before->stacks;

	missing -= clamp(missing, min(stacks, 0L), max(stacks, 0L));
	if (abs(missing) <= zone_memory_stack_cache() && missing % STACK_PAGES == 0)
		return 0;
	return missing;
}

/*
 * A task that exits is no longer counted some time before its stack is free.
 * What was on its way then is more than there was before, and nobody's loss.
 */
static bool was_on_its_way(long missing)
{
	long stacks = -missing / STACK_PAGES;

	return missing < 0 && missing % STACK_PAGES == 0 &&
	       stacks <= 2L * num_online_cpus();
}

/*
 * Pages of a user space that it has freed may still wait, on this CPU, to be put
 * on the LRU lists: reclaim sees to that first, and finds that they are free.
 */
static void lru_lists_drain(void)
{
	struct folio_batch none;

	folio_batch_init(&none);
	__folio_batch_release(&none);
}

/**
 * zone_memory_settle() - what memory is worth, once it stands still
 * @memory: where the result goes
 * @pgdat: the node
 * @pcp: its per-CPU lists, bypassed; they are emptied
 */
void zone_memory_settle(struct zone_memory *memory, pg_data_t *pgdat,
			struct pcp_lists *pcp)
{
	struct zone_memory last;
	int i;

	lru_lists_drain();
	pcp_lists_empty(pcp);
	*memory = memory_of(pgdat, pcp);
	for (i = 0; i < SETTLE_ROUNDS; i++) {
		last = *memory;
		rcu_barrier();
		pcp_lists_empty(pcp);
		*memory = memory_of(pgdat, pcp);
		if (!memory_missing(&last, memory))
			break;
	}
}

/**
 * zone_memory_wait() - wait until memory is back
 * @before: what it was worth
 * @pgdat: the node
 * @pcp: its per-CPU lists, bypassed; they are emptied
 *
 * Pages that are still in flight, such as the stack of the task that ran the
 * last test case, come back within a few RCU grace periods.
 *
 * Return: how many pages are missing all the same; negative if there are more
 * than before.
 */
long zone_memory_wait(const struct zone_memory *before, pg_data_t *pgdat,
		      struct pcp_lists *pcp)
{
	struct zone_memory now;
	long missing = 0;
	int i;

	for (i = 0; i < SETTLE_ROUNDS; i++) {
		pcp_lists_empty(pcp);
		now = memory_of(pgdat, pcp);
		missing = memory_missing(before, &now);
		if (was_on_its_way(missing))
			missing = 0;
		if (!missing)
			break;
		rcu_barrier();
		msleep(SETTLE_MS);
	}
	return missing;
}
