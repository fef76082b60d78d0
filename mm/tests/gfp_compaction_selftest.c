// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the tests: the rules, the observer and the zone states.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/gfp.h>
#include <linux/kthread.h>
#include <linux/mm.h>

#include "gfp_attempt.h"
#include "gfp_compaction.h"

/* Every legal cell has exactly one rule, and every rule has cells. */
void partition(struct kunit *test)
{
	unsigned long *covered;
	struct gfp_cell cell;
	unsigned int n, state;
	int i;

	covered = kunit_kcalloc(test, NR_GFP_RULES, sizeof(*covered), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, covered);
	for (n = 0; n < gfp_nr_masks(); n++) {
		cell.gfp = gfp_mask_nth(n);
		if (!gfp_mask_legal(cell.gfp))
			continue;
		for (state = 0; state < NR_ZONE_STATES; state++) {
			cell.state = state;
			for (cell.order = 0; cell.order <= MAX_PAGE_ORDER; cell.order++) {
				int rules = 0;

				for (i = 0; i < NR_GFP_RULES; i++) {
					if (!gfp_rule_covers(&gfp_rules[i], &cell))
						continue;
					covered[i]++;
					rules++;
				}
				KUNIT_ASSERT_EQ_MSG(test, rules, 1,
						    "rules for state %s, order %u, %pGg",
						    zone_state_name(state),
						    cell.order, &cell.gfp);
			}
		}
	}
	for (i = 0; i < NR_GFP_RULES; i++)
		KUNIT_EXPECT_NE_MSG(test, covered[i], 0, "rule %s covers no cell",
				    gfp_rules[i].name);
}

static const struct gfp_promise no_promise = {};

static void attempt(struct kunit *test, struct zone_state *zs, unsigned int order,
		    gfp_t gfp, struct gfp_effects *seen)
{
	const struct gfp_cell cell = {
		.state = zs->id, .order = order, .gfp = gfp,
	};
	unsigned long again = 0;

	KUNIT_ASSERT_TRUE_MSG(test,
			      gfp_attempt(zs, &cell, &no_promise, seen, &again),
			      "%s", zs->why);
}

/* What all "must not" rules rely on: that each effect is seen when it happens. */
void observer_sees_every_effect(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);
	struct gfp_effects seen;

	/*
	 * Where there is a user space, some of its pages can be moved.  Let compaction do
	 * so now: it drains the lists itself then, and leaves nothing to be drained.
	 */
	attempt(test, zs, MAX_PAGE_ORDER, GFP_KERNEL, &seen);

	attempt(test, zs, 4, GFP_KERNEL, &seen);
	KUNIT_EXPECT_GE(test, seen.attempts, 1);
	KUNIT_EXPECT_GE(test, seen.kswapd_wakes, 1);
	KUNIT_EXPECT_GE(test, seen.kswapd_order, 4);
	KUNIT_EXPECT_GE(test, seen.reclaim_entries, 1);
	KUNIT_EXPECT_GE(test, seen.compact_entries, 1);
	KUNIT_EXPECT_GE(test, seen.first_priority, 0);
	/* Without SMP the per-CPU lists are not used, and nothing is drained. */
	if (IS_ENABLED(CONFIG_SMP))
		KUNIT_EXPECT_GE(test, seen.drained_pages, 1);
	KUNIT_EXPECT_FALSE(test, seen.page);

	attempt(test, zs, 1, GFP_KERNEL, &seen);
	KUNIT_EXPECT_GE(test, seen.oom_calls, 1);
	KUNIT_EXPECT_TRUE(test, seen.page);

	attempt(test, zs, 0, GFP_KERNEL, &seen);
	KUNIT_EXPECT_EQ(test, seen.attempts, 1);
	KUNIT_EXPECT_EQ(test, seen.kswapd_wakes, 0);
	KUNIT_EXPECT_EQ(test, seen.reclaim_entries, 0);
	KUNIT_EXPECT_EQ(test, seen.compact_entries, 0);
	KUNIT_EXPECT_EQ(test, seen.block_scanned, 0);
	KUNIT_EXPECT_EQ(test, seen.first_priority, GFP_NO_PRIORITY);
	KUNIT_EXPECT_TRUE(test, seen.page);
}

/* Where compaction is what helps, it has to look for pages to move. */
void observer_sees_scans(struct kunit *test)
{
	struct zone_state *zs;
	struct gfp_effects seen;

	if (!IS_ENABLED(CONFIG_COMPACTION))
		kunit_skip(test, "needs CONFIG_COMPACTION");
	zs = zone_state_enter(test, ZONE_STATE_MOVABLE, 0);
	attempt(test, zs, 2, GFP_KERNEL, &seen);
	KUNIT_EXPECT_TRUE(test, seen.page);
	KUNIT_EXPECT_GE(test, seen.block_scanned, 1);
}

/* Where kswapd has given up, an atomic request wakes kcompactd itself. */
void observer_sees_kcompactd(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_MOVABLE, 0);
	struct gfp_effects seen;
	struct page *page;

	if (!IS_ENABLED(CONFIG_COMPACTION))
		kunit_skip(test, "needs CONFIG_COMPACTION");
	KUNIT_ASSERT_TRUE_MSG(test, zone_state_prepare(zs), "%s", zs->why);
	zone_daemons_give_up(&zs->daemons);
	alloc_observer_start(NULL);
	page = alloc_pages(GFP_NOWAIT, 4);
	alloc_observer_stop(&seen);
	zone_state_free_page(zs, page, 4);
	KUNIT_EXPECT_NULL(test, page);
	KUNIT_EXPECT_GE(test, seen.kcompactd_wakes, 1);
	KUNIT_EXPECT_EQ(test, seen.kswapd_wakes, 0);
}

/* Another task that allocates from the same node. */
struct elsewhere {
	const struct zone_state *zs;
	struct completion done;
};

static int allocate_elsewhere(void *data)
{
	struct elsewhere *elsewhere = data;
	struct page *page;

	zone_state_bind(elsewhere->zs);
	page = alloc_pages(GFP_KERNEL | __GFP_NOWARN, 4);
	zone_state_unbind(current);
	if (page)
		__free_pages(page, 4);
	kthread_complete_and_exit(&elsewhere->done, 0);
}

/* Another task reclaims and compacts: none of it is counted as one's own. */
void observer_ignores_other_tasks(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);
	struct elsewhere elsewhere = { .zs = zs };
	struct gfp_effects seen;
	struct task_struct *task;
	bool alone;

	init_completion(&elsewhere.done);
	task = kthread_create(allocate_elsewhere, &elsewhere, "gfp_elsewhere");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	KUNIT_EXPECT_TRUE_MSG(test, zone_state_prepare(zs), "%s", zs->why);
	alloc_observer_start(NULL);
	wake_up_process(task);
	wait_for_completion(&elsewhere.done);
	alone = alloc_observer_stop(&seen);
	KUNIT_EXPECT_EQ(test, seen.attempts, 0);
	KUNIT_EXPECT_EQ(test, seen.kswapd_wakes, 0);
	KUNIT_EXPECT_EQ(test, seen.reclaim_entries, 0);
	KUNIT_EXPECT_EQ(test, seen.compact_entries, 0);
	KUNIT_EXPECT_EQ(test, seen.drained_pages, 0);
	KUNIT_EXPECT_FALSE_MSG(test, alone, "another task compacted, unnoticed");
}

/* Nothing is free above the order, and at least a third of the memory is free. */
void fragment_leaves_the_order(struct kunit *test)
{
	static const unsigned int orders[] = { 0, 3, MAX_PAGE_ORDER - 1 };
	struct zone_state *zs;
	int i;

	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, orders[i]);
		KUNIT_EXPECT_EQ(test, zone_state_highest_free(zs), orders[i]);
		KUNIT_EXPECT_GE(test, 3 * zs->free_built, zs->before.free);
		zone_state_leave(test, zs);
	}
}

/*
 * Each state can be entered and left, again and again, and memory does not wear
 * away: what the kernel keeps for new tasks it keeps once.
 */
void state_is_entered_and_left(struct kunit *test)
{
	const enum zone_state_id *id = test->param_value;
	struct zone_state *zs;
	long first = 0, last = 0;
	int i;

	for (i = 0; i < 4; i++) {
		zs = zone_state_enter(test, *id, 0);
		last = zs->before.free + zs->before.stacks;
		if (!i)
			first = last;
		zone_state_leave(test, zs);
	}
	KUNIT_EXPECT_LE(test, abs(first - last), zone_memory_stack_cache());
}

static void clean_up(void *failed)
{
	kunit_cleanup(failed);
}

/* A test case that fails half-way leaves by way of its deferred actions. */
void state_is_undone_by_cleanup(struct kunit *test)
{
	const enum zone_state_id *id = test->param_value;
	struct kunit *failed = kunit_kzalloc(test, sizeof(*failed), GFP_KERNEL);
	struct zone_state *zs;

	KUNIT_ASSERT_NOT_NULL(test, failed);
	kunit_init_test(failed, "failed half-way", NULL);
	/* If entering it fails the whole test case ends there. */
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, clean_up, failed), 0);
	zs = zone_state_enter(failed, *id, 0);
	KUNIT_EXPECT_EQ(test, zs->id, *id);
	kunit_release_action(test, clean_up, failed);
	KUNIT_EXPECT_EQ(test, failed->status, KUNIT_SUCCESS);

	/* Entering again proves that nothing is held any more. */
	zone_state_leave(test, zone_state_enter(test, *id, 0));
}

/* An attempt on a state that is not what it claims to be is not judged. */
void state_not_proven_is_refused(struct kunit *test)
{
	struct zone_state *zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);
	struct zone *zone = page_zone(zs->spare);

	zone->nr_reserved_highatomic++;
	KUNIT_EXPECT_FALSE(test, zone_state_prepare(zs));
	zone->nr_reserved_highatomic--;
	KUNIT_EXPECT_TRUE_MSG(test, zone_state_prepare(zs), "%s", zs->why);
}
