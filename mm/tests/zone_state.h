/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Zone states: memory prepared on purpose, and proven, before an attempt.
 */
#ifndef _MM_TESTS_ZONE_STATE_H
#define _MM_TESTS_ZONE_STATE_H

#include <linux/bits.h>
#include <linux/mmzone.h>
#include <linux/types.h>

#include "zone_daemons.h"
#include "zone_fragment.h"
#include "zone_holder.h"
#include "zone_memory.h"
#include "pcp_lists.h"

struct kunit;
struct task_struct;

/**
 * enum zone_state_id - the states
 * @ZONE_STATE_INTACT: large blocks are free
 * @ZONE_STATE_UNMOVABLE: held apart by kernel pages; nothing helps
 * @ZONE_STATE_MOVABLE: held apart by unevictable page cache; compaction helps
 * @ZONE_STATE_RECLAIMABLE: held apart by clean page cache; reclaim helps
 * @ZONE_STATE_DEFERRED: like @ZONE_STATE_UNMOVABLE, and compaction is deferred
 * @ZONE_STATE_LOW: like @ZONE_STATE_UNMOVABLE, and what is free lies between the min and
 *	the low watermark
 * @NR_ZONE_STATES: how many there are
 */
enum zone_state_id {
	ZONE_STATE_INTACT,
	ZONE_STATE_UNMOVABLE,
	ZONE_STATE_MOVABLE,
	ZONE_STATE_RECLAIMABLE,
	ZONE_STATE_DEFERRED,
	ZONE_STATE_LOW,
	NR_ZONE_STATES,
};

/* Sets of states, as in struct gfp_rule. */
#define ZONE_STATES_ALL		(BIT(NR_ZONE_STATES) - 1)
#define ZONE_STATES_FRAGMENTED	(ZONE_STATES_ALL & ~BIT(ZONE_STATE_INTACT))

/**
 * struct zone_compact_defer - a zone's record of failed compactions
 * @considered: see struct zone, compact_considered
 * @shift: see struct zone, compact_defer_shift
 * @order_failed: see struct zone, compact_order_failed
 */
struct zone_compact_defer {
	unsigned int considered;
	unsigned int shift;
	int order_failed;
};

/**
 * struct zone_state - one node in one state
 * @id: the state
 * @pgdat: the node
 * @task: the task that entered the state, bound to the node
 * @test: the test that entered the state
 * @frag: what holds memory apart
 * @holder: the page cache that does, if it is page cache
 * @daemons: kswapd and kcompactd, held asleep
 * @pcp: the per-CPU lists, bypassed except during an attempt
 * @spare: a block of %MAX_PAGE_ORDER kept to be given back, see
 *	zone_state_give()
 * @aside: whole blocks set aside, by page->lru, where page cache holds the
 *	rest of the memory apart
 * @saved_defer: each zone's record before
 * @saved_boost: each zone's watermark boost before
 * @before: the memory before
 * @free_built: free memory when the state had been built
 * @why: why the last zone_state_prepare() failed
 */
struct zone_state {
	enum zone_state_id id;
	pg_data_t *pgdat;
	struct task_struct *task;
	struct kunit *test;
	struct zone_fragment frag;
	struct zone_holder holder;
	struct zone_daemons daemons;
	struct pcp_lists pcp;
	struct page *spare;
	struct list_head aside;
	struct zone_compact_defer saved_defer[MAX_NR_ZONES];
	unsigned long saved_boost[MAX_NR_ZONES];
	struct zone_memory before;
	long free_built;
	char why[96];
};

const char *zone_state_name(enum zone_state_id id);
bool zone_state_hopeless(enum zone_state_id id);
unsigned int zone_state_order_for(enum zone_state_id id, unsigned int lowest);
struct zone_state *zone_state_enter(struct kunit *test, enum zone_state_id id,
				    unsigned int order);
void zone_state_leave(struct kunit *test, struct zone_state *zs);
int zone_state_highest_free(const struct zone_state *zs);
bool zone_state_prepare(struct zone_state *zs);
void zone_state_restart_compaction(struct zone_state *zs);
void zone_state_free_page(struct zone_state *zs, struct page *page,
			  unsigned int order);
void zone_state_give(struct zone_state *zs);
bool zone_state_relieve(void);
void zone_state_bind_to(const nodemask_t *nodes);
void zone_state_bind(const struct zone_state *zs);
void zone_state_unbind(struct task_struct *task);

#endif /* _MM_TESTS_ZONE_STATE_H */
