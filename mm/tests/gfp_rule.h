/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cells, rules and verdicts.  The rules themselves are in gfp_contract.h.
 */
#ifndef _MM_TESTS_GFP_RULE_H
#define _MM_TESTS_GFP_RULE_H

#include <linux/gfp.h>
#include <linux/kconfig.h>
#include <linux/limits.h>
#include <linux/mmzone.h>
#include <linux/types.h>

#include "alloc_observer.h"
#include "zone_state.h"

/**
 * struct gfp_cell - what is attempted, and where
 * @state: the zone state
 * @order: 0 to %MAX_PAGE_ORDER
 * @gfp: the mask, of the bits in gfp_mask_nth()
 */
struct gfp_cell {
	enum zone_state_id state;
	unsigned int order;
	gfp_t gfp;
};

/**
 * struct gfp_range - bounds of a count, or of an order
 * @min: at least
 * @max: at most
 */
struct gfp_range {
	u16 min;
	u16 max;
};

/**
 * enum gfp_wake - what is promised about waking kswapd
 * @GFP_WAKE_NEVER: it sleeps on, and is asked for nothing
 * @GFP_WAKE_ALLOWED: it may be woken if the mask has __GFP_KSWAPD_RECLAIM, and
 *	only then
 * @GFP_WAKE_IF_ASKED: it is woken if the mask has __GFP_KSWAPD_RECLAIM, and
 *	only then
 */
enum gfp_wake {
	GFP_WAKE_NEVER,
	GFP_WAKE_ALLOWED,
	GFP_WAKE_IF_ASKED,
};

/**
 * struct gfp_promise - the bounds that the effects of an attempt stay in
 * @kswapd: whether kswapd is woken
 * @reclaim: how often direct reclaim is entered
 * @compact: how often direct compaction is entered
 * @drain: blocks that leave the per-CPU lists because they are drained
 * @oom: how often the OOM killer is called
 * @warn: how often the kernel warns
 * @async_first: the first direct compaction, if any, is asynchronous
 * @page: the attempt returns a page
 *
 * kcompactd may be woken directly where kswapd may be woken, and need not.
 * Compaction looks at no pageblock more often than a few times.
 */
struct gfp_promise {
	enum gfp_wake kswapd;
	struct gfp_range reclaim;
	struct gfp_range compact;
	struct gfp_range drain;
	struct gfp_range oom;
	struct gfp_range warn;
	bool async_first;
	bool page;
};

/**
 * struct gfp_rule - one promise, about some cells
 * @name: also the name of its KUnit case
 * @source: where the promise is written
 * @states: the zone states, a set of BIT(enum zone_state_id)
 * @orders: the orders
 * @with: bits that the mask has
 * @without: bits that the mask has not
 * @documented: the bounds under the contract "documented"
 * @nodirect: the bounds under the contract "nodirect"
 */
struct gfp_rule {
	const char *name;
	const char *source;
	unsigned long states;
	struct gfp_range orders;
	gfp_t with;
	gfp_t without;
	struct gfp_promise documented;
	struct gfp_promise nodirect;
};

/* The vocabulary of gfp_contract.h. */
#define ORDERS_ALL		{ 0, MAX_PAGE_ORDER }
#define ORDERS_ZERO		{ 0, 0 }
#define ORDERS_ABOVE_ZERO	{ 1, MAX_PAGE_ORDER }
#define ORDERS_SMALL		{ 1, PAGE_ALLOC_COSTLY_ORDER }
#define ORDERS_LARGEST		{ MAX_PAGE_ORDER, MAX_PAGE_ORDER }
#define ORDERS_COSTLY_BUT_LARGEST { PAGE_ALLOC_COSTLY_ORDER + 1, MAX_PAGE_ORDER - 1 }
#define ORDERS_COSTLY		{ PAGE_ALLOC_COSTLY_ORDER + 1, MAX_PAGE_ORDER }

#define UP_TO(n)		{ 0, n }
#define BETWEEN(n, m)		{ n, m }
#define AT_LEAST(n)		{ n, U16_MAX }
#define ANY			{ 0, U16_MAX }

/* At least the one that was put there.  Without SMP the lists are not used. */
#define DRAINED			{ IS_ENABLED(CONFIG_SMP), U16_MAX }

/* Above MAX_RECLAIM_RETRIES and MAX_COMPACT_RETRIES, both 16, in sum. */
#define RETRIES_MAX		64

#define BOTH(...)		.documented = { __VA_ARGS__ }, \
				.nodirect = { __VA_ARGS__ }

/* One for each rule, in the order of gfp_contract.h. */
enum gfp_rule_id {
#define GFP_RULE(_name, ...)	GFP_RULE_##_name,
#include "gfp_contract.h"
#undef GFP_RULE
	NR_GFP_RULES,
};

extern const struct gfp_rule gfp_rules[NR_GFP_RULES];

const struct gfp_promise *gfp_rule_promise(const struct gfp_rule *rule,
					   const char *contract);
const char *gfp_contract_other(const char *contract);
bool gfp_rule_covers(const struct gfp_rule *rule, const struct gfp_cell *cell);
const struct gfp_rule *gfp_rule_of(const struct gfp_cell *cell);
bool gfp_promise_kept(const struct gfp_promise *promise,
		      const struct gfp_cell *cell,
		      const struct gfp_effects *seen);
void gfp_describe_cell(const struct gfp_cell *cell, char *buf, size_t size);
void gfp_describe_breach(const struct gfp_promise *promise,
			 const struct gfp_cell *cell,
			 const struct gfp_effects *seen, char *buf, size_t size);
unsigned int gfp_nr_masks(void);
gfp_t gfp_mask_nth(unsigned int n);
bool gfp_mask_legal(gfp_t gfp);

#endif /* _MM_TESTS_GFP_RULE_H */
