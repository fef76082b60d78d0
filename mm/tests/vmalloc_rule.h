/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls, the attempts they make, and rules.  The rules themselves are in
 * vmalloc_contract.h.
 */
#ifndef _MM_TESTS_VMALLOC_RULE_H
#define _MM_TESTS_VMALLOC_RULE_H

#include <linux/bits.h>
#include <linux/gfp.h>
#include <linux/pgtable.h>

#include "alloc_observer.h"
#include "gfp_rule.h"
#include "gfp_scope.h"
#include "gfp_suite.h"
#include "zone_state.h"

/**
 * enum vmalloc_api - the functions that are called
 * @VMALLOC_API_VMALLOC: __vmalloc(), of which vmalloc() is one case
 * @VMALLOC_API_HUGE: vmalloc_huge()
 * @VMALLOC_API_KVMALLOC: kvmalloc()
 * @NR_VMALLOC_APIS: how many there are
 */
enum vmalloc_api {
	VMALLOC_API_VMALLOC,
	VMALLOC_API_HUGE,
	VMALLOC_API_KVMALLOC,
	NR_VMALLOC_APIS,
};

/**
 * enum vmalloc_leg - what an attempt is for
 * @VMALLOC_LEG_BLOCK: one block for all of a kvmalloc(), as from kmalloc()
 * @VMALLOC_LEG_MAPPING: a block that will be mapped as one
 * @VMALLOC_LEG_LARGE: any other block above order 0: to be split, or a slab
 * @VMALLOC_LEG_PAGE: a single page of the memory that was asked for
 * @VMALLOC_LEG_OTHER: a slab or a page table of order 0
 * @NR_VMALLOC_LEGS: how many there are
 */
enum vmalloc_leg {
	VMALLOC_LEG_BLOCK,
	VMALLOC_LEG_MAPPING,
	VMALLOC_LEG_LARGE,
	VMALLOC_LEG_PAGE,
	VMALLOC_LEG_OTHER,
	NR_VMALLOC_LEGS,
};

/**
 * struct vmalloc_call - what is asked for, and where
 * @state: the zone state
 * @api: of whom
 * @scope: in which scope
 * @pages: how much
 * @gfp: with which mask
 */
struct vmalloc_call {
	enum zone_state_id state;
	enum vmalloc_api api;
	enum gfp_scope scope;
	unsigned int pages;
	gfp_t gfp;
};

/**
 * struct vmalloc_result - what a call did
 * @seen: the effects of all its attempts; @page of it: whether it got memory
 * @area: and whether that lies in the vmalloc area
 * @trace: its attempts, but for pages that the bulk allocator takes from the
 *	free lists, which never does anything else
 */
struct vmalloc_result {
	struct gfp_effects seen;
	bool area;
	struct alloc_trace trace;
};

/**
 * struct vmalloc_promise - the bounds that a call stays in
 * @effects: bounds of each attempt, or of the call as a whole
 * @never: bits that the mask of no attempt has
 * @always: bits that the mask of every attempt has
 * @falls: no order is attempted after it, or a smaller one, has failed, until
 *	the call gives up on mapping blocks as one
 * @contiguous: the memory is one block, not in the vmalloc area
 */
struct vmalloc_promise {
	struct gfp_promise effects;
	gfp_t never;
	gfp_t always;
	bool falls;
	bool contiguous;
};

/**
 * enum vmalloc_control - what else is done in the same zone state, to know that
 *	what must not happen can, and would be seen
 * @VMALLOC_CONTROL_NONE: nothing
 * @VMALLOC_CONTROL_WORK: alloc_pages() reclaims and compacts
 * @VMALLOC_CONTROL_MASK: a GFP_KERNEL call shows __GFP_FS and __GFP_IO
 * @VMALLOC_CONTROL_AREA: a larger kvmalloc() gets memory in the vmalloc area
 * @VMALLOC_CONTROL_FAILS: a call that may fail does
 */
enum vmalloc_control {
	VMALLOC_CONTROL_NONE,
	VMALLOC_CONTROL_WORK,
	VMALLOC_CONTROL_MASK,
	VMALLOC_CONTROL_AREA,
	VMALLOC_CONTROL_FAILS,
};

/**
 * struct vmalloc_rule - one promise, about some calls
 * @name: also the name of its KUnit case
 * @source: where the promise is written
 * @states: the zone states, a set of BIT(enum zone_state_id)
 * @apis: the functions, a set of BIT(enum vmalloc_api)
 * @scope: the scope
 * @pages: the sizes
 * @with: bits that the mask has
 * @without: bits that the mask has not
 * @legs: the attempts that are held to the bounds, a set of
 *	BIT(enum vmalloc_leg); 0 for the call as a whole
 * @must_see: a call that made no such attempt is not judged; or, where the call
 *	is held to account as a whole, one for which there was memory enough
 * @control: see &enum vmalloc_control
 * @documented: the bounds under the contract "documented"
 * @nodirect: the bounds under the contract "nodirect"
 */
struct vmalloc_rule {
	const char *name;
	const char *source;
	unsigned long states;
	unsigned long apis;
	enum gfp_scope scope;
	struct gfp_range pages;
	gfp_t with;
	gfp_t without;
	unsigned long legs;
	bool must_see;
	enum vmalloc_control control;
	struct vmalloc_promise documented;
	struct vmalloc_promise nodirect;
};

/* The vocabulary of vmalloc_contract.h. */
#define ZONE_STATES_SCATTERED	(ZONE_STATES_FRAGMENTED & ~BIT(ZONE_STATE_LOW))
#define VMALLOC_APIS_ALL	(BIT(NR_VMALLOC_APIS) - 1)
#define VMALLOC_LEGS_ALL	(BIT(NR_VMALLOC_LEGS) - 1)
#define VMALLOC_PAGES_HUGE	(PMD_SIZE >> PAGE_SHIFT)
#define PAGES_ONE		{ 1, 1 }
#define PAGES_ANY		{ 1, U16_MAX }
#define PAGES_ABOVE_ONE		{ 2, U16_MAX }
#define PAGES_HUGE		{ VMALLOC_PAGES_HUGE, U16_MAX }
/* The caches of kmalloc() end at two pages (KMALLOC_MAX_CACHE_SIZE). */
#define PAGES_ABOVE_SLAB	{ 3, U16_MAX }
#define EFFECTS(...)		.effects = { __VA_ARGS__ }
#define ANYTHING		{ .kswapd = GFP_WAKE_ALLOWED, .reclaim = ANY, \
				  .compact = ANY, .drain = ANY, .oom = ANY }

/* One for each rule, in the order of vmalloc_contract.h. */
enum vmalloc_rule_id {
#define VMALLOC_RULE(_name, ...)	VMALLOC_RULE_##_name,
#include "vmalloc_contract.h"
#undef VMALLOC_RULE
	NR_VMALLOC_RULES,
};

extern const struct vmalloc_rule vmalloc_rules[NR_VMALLOC_RULES];

const struct vmalloc_promise *vmalloc_rule_promise(const struct vmalloc_rule *rule,
						   enum gfp_verdict_id id);
bool vmalloc_rule_covers(const struct vmalloc_rule *rule,
			 const struct vmalloc_call *call);
unsigned int vmalloc_mapping_order(const struct vmalloc_call *call);
enum vmalloc_leg vmalloc_leg_of(const struct vmalloc_call *call,
				const struct vmalloc_result *result, int nth);
bool vmalloc_promise_kept(const struct vmalloc_rule *rule,
			  const struct vmalloc_promise *promise,
			  const struct vmalloc_call *call,
			  const struct vmalloc_result *result,
			  char *breach, size_t size);
void vmalloc_describe_call(const struct vmalloc_call *call, char *buf, size_t size);

#endif /* _MM_TESTS_VMALLOC_RULE_H */
