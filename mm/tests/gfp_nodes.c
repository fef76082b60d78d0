// SPDX-License-Identifier: GPL-2.0
/*
 * Two nodes: one in a state, and one next door that has room.
 *
 * The sweep keeps its task to the one node.  Here requests are made without that
 * policy, and the page tells whether they left it.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/container_of.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/nodemask.h>

#include "gfp_attempt.h"
#include "gfp_compaction.h"
#include "gfp_suite.h"

/* One request. */
struct node_request {
	struct gfp_call call;
	const struct zone_state *zs;
	unsigned int order;
	gfp_t gfp;
	const nodemask_t *nodes;
	struct page *page;
	int nid;
};

static void make_request(struct gfp_call *call)
{
	struct node_request *request = container_of(call, struct node_request, call);

	zone_state_unbind(current);
	if (request->nodes)
		zone_state_bind_to(request->nodes);
	request->page = alloc_pages(request->gfp | __GFP_NOWARN, request->order);
	zone_state_unbind(current);
	zone_state_bind(request->zs);
}

static void free_request(struct gfp_call *call)
{
	struct node_request *request = container_of(call, struct node_request, call);

	request->nid = request->page ? page_to_nid(request->page) : NUMA_NO_NODE;
	if (request->page)
		__free_pages(request->page, request->order);
}

/* Both contracts say the same here. */
static void report(struct kunit *test, const char *rule, const struct node_request *request,
		   const struct gfp_effects *seen, bool kept, const char *promise)
{
	static const enum gfp_verdict_id ids[] = { GFP_CHOSEN, GFP_OTHER };
	int i;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		const char *contract = gfp_contract_name(ids[i]);

		if (kept)
			kunit_info(test, "gfp-kept: contract=%s rule=%s\n", contract, rule);
		else
			kunit_info(test, "gfp-broken: contract=%s rule=%s state %s, order %u, %pGg: page of node %d, compact %u, reclaim %u, kswapd %u; contract: %s\n",
				   contract, rule, zone_state_name(request->zs->id), request->order,
				   &request->gfp, request->nid,
				   seen->compact_entries, seen->reclaim_entries,
				   seen->kswapd_wakes, promise);
	}
	if (!kept)
		KUNIT_FAIL(test, "order %u, %pGg: %s", request->order, &request->gfp, promise);
}

static void make(struct kunit *test, struct zone_state *zs, struct node_request *request,
		 struct gfp_effects *seen)
{
	unsigned long again = 0;

	request->zs = zs;
	request->call.call = make_request;
	request->call.undo = free_request;
	KUNIT_ASSERT_TRUE_MSG(test, gfp_make_call(zs, &request->call, seen, &again),
			      "%s", zs->why);
}

static void expect_next_door(struct kunit *test, struct zone_state *zs, unsigned int order,
			     gfp_t gfp, const nodemask_t *nodes)
{
	struct node_request request = { .order = order, .gfp = gfp, .nodes = nodes };
	struct gfp_effects seen;

	make(test, zs, &request, &seen);
	report(test, "node_next_door_serves", &request, &seen,
	       request.page && request.nid != zs->pgdat->node_id && !seen.compact_entries &&
	       !seen.reclaim_entries && !seen.kswapd_wakes,
	       "a page of another node, without compaction, reclaim or kswapd");
}

static void expect_to_stay(struct kunit *test, struct zone_state *zs, unsigned int order,
			   gfp_t gfp)
{
	struct node_request request = { .order = order, .gfp = gfp };
	struct gfp_effects seen;

	make(test, zs, &request, &seen);
	report(test, "node_thisnode_stays", &request, &seen,
	       !request.page && seen.compact_entries == 1 && !seen.reclaim_entries,
	       "no page, one compaction, no reclaim");
}

static void need_another_node(struct kunit *test)
{
	if (num_node_state(N_MEMORY) < 2)
		kunit_skip(test, "needs a second node with memory");
}

/* Another node's free block is the cheapest way to a page. */
static void node_next_door_serves(struct kunit *test)
{
	struct zone_state *zs;
	unsigned int order;

	need_another_node(test);
	zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);
	for (order = 1; order <= MAX_PAGE_ORDER; order++) {
		expect_next_door(test, zs, order, GFP_LARGE_FOLIO, NULL);
		expect_next_door(test, zs, order, GFP_LARGE_FOLIO, &node_states[N_MEMORY]);
		expect_next_door(test, zs, order, GFP_KERNEL, NULL);
	}
}

/* Unless the request says that it is not: then this node is compacted, once. */
static void node_thisnode_stays(struct kunit *test)
{
	struct zone_state *zs;
	unsigned int order;

	need_another_node(test);
	zs = zone_state_enter(test, ZONE_STATE_UNMOVABLE, 0);
	for (order = PAGE_ALLOC_COSTLY_ORDER + 1; order <= MAX_PAGE_ORDER; order++) {
		expect_to_stay(test, zs, order, GFP_LOCAL_HUGE);
		expect_next_door(test, zs, order, GFP_LOCAL_HUGE & ~__GFP_THISNODE, NULL);
	}
}

static struct kunit_case gfp_nodes_cases[] = {
	KUNIT_CASE(node_next_door_serves),
	KUNIT_CASE(node_thisnode_stays),
	{}
};

struct kunit_suite gfp_nodes_suite = {
	.name = "gfp_nodes",
	.suite_init = gfp_suite_init,
	.suite_exit = gfp_suite_exit,
	.init = gfp_case_init,
	.exit = gfp_case_exit,
	.test_cases = gfp_nodes_cases,
};
