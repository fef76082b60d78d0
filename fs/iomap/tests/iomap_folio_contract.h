/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a buffered write may ask of the page allocator: rules, and nothing else.
 *
 * A cell is a zone state and one attempt to allocate a folio.  Each row is a
 * rule: the attempts that it is about, where the promise is written, what the
 * mask that reaches the allocator has and lacks, and the bounds that the effects
 * of the attempt must stay in.  Every attempt belongs to exactly one rule (and a
 * test sees to that).  See iomap_folio_rule.h for the fields, and gfp_contract.h
 * for the two contracts.
 *
 * The mapping's smallest order is 0 here.  Attempts above it have a fallback,
 * and the last one, at order 0, has none: it is made as the caller asked.
 *
 * To add a promise, add a row.  This file is included several times, with
 * IOMAP_RULE() defined to suit.
 */

/* Served from the free lists. */

IOMAP_RULE(write_free_list,
	   .source = "mm/page_alloc.c: the fast path needs neither kswapd nor the slow path",
	   .states = BIT(ZONE_STATE_INTACT),
	   .orders = ORDERS_ALL,
	   BOTH(.page = true))

IOMAP_RULE(nowait_free_list,
	   .source = "mm/page_alloc.c: the fast path needs neither kswapd nor the slow path",
	   .nowait = true,
	   .states = BIT(ZONE_STATE_INTACT),
	   .orders = ORDERS_ALL,
	   .lacks = __GFP_DIRECT_RECLAIM,
	   BOTH(.page = true))

/* Above the smallest order: there is a fallback, so fail quietly. */

IOMAP_RULE(write_costly,
	   .source =
		"gfp_types.h, __GFP_NORETRY: only very lightweight direct reclaim; nodirect: none when costly",
	   .states = ZONE_STATES_FRAGMENTED,
	   .orders = ORDERS_COSTLY,
	   .has = __GFP_NOWARN | __GFP_KSWAPD_RECLAIM,
	   .documented = { .kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
			   .reclaim = UP_TO(1), .compact = UP_TO(2),
			   .async_first = true },
	   .nodirect = { .kswapd = GFP_WAKE_IF_ASKED })

IOMAP_RULE(write_small,
	   .source =
		"gfp_types.h, __GFP_NORETRY: very lightweight direct reclaim to get some memory",
	   .states = ZONE_STATES_FRAGMENTED,
	   .orders = ORDERS_SMALL,
	   .has = __GFP_NOWARN | __GFP_KSWAPD_RECLAIM,
	   BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
		.reclaim = BETWEEN(1, 1), .compact = BETWEEN(1, 1)))

/* The smallest order: as the caller asked, and the write depends on it. */

IOMAP_RULE(write_smallest,
	   .source =
		"pagemap.h, fgf_set_order(): a folio smaller than suggested will do; the last one has the caller's mask",
	   .states = ZONE_STATES_FRAGMENTED & ~BIT(ZONE_STATE_LOW),
	   .orders = ORDERS_ZERO,
	   .has = IOMAP_CALLER_GFP,
	   .lacks = __GFP_NORETRY | __GFP_NOWARN,
	   BOTH(.page = true, .kswapd = GFP_WAKE_ALLOWED))

IOMAP_RULE(write_smallest_low,
	   .source =
		"gfp_types.h, __GFP_KSWAPD_RECLAIM: wake kswapd when the low watermark is reached",
	   .states = BIT(ZONE_STATE_LOW),
	   .orders = ORDERS_ZERO,
	   .has = IOMAP_CALLER_GFP,
	   .lacks = __GFP_NORETRY | __GFP_NOWARN,
	   BOTH(.page = true, .kswapd = GFP_WAKE_IF_ASKED))

/* IOMAP_NOWAIT: kswapd at most. */

IOMAP_RULE(nowait_large,
	   .source =
		"iomap.h, IOMAP_NOWAIT: do not block; gfp_types.h, GFP_NOWAIT: no direct reclaim, kswapd is woken",
	   .nowait = true,
	   .states = ZONE_STATES_FRAGMENTED,
	   .orders = ORDERS_ABOVE_ZERO,
	   .has = __GFP_NOWARN | __GFP_KSWAPD_RECLAIM,
	   .lacks = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_FS,
	   BOTH(.kswapd = GFP_WAKE_IF_ASKED))

IOMAP_RULE(nowait_smallest,
	   .source = "iomap.h, IOMAP_NOWAIT: do not block; what is free may be had",
	   .nowait = true,
	   .states = ZONE_STATES_FRAGMENTED & ~BIT(ZONE_STATE_LOW),
	   .orders = ORDERS_ZERO,
	   .has = __GFP_NOWARN | __GFP_KSWAPD_RECLAIM,
	   .lacks = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_FS,
	   BOTH(.page = true, .kswapd = GFP_WAKE_ALLOWED))

IOMAP_RULE(nowait_smallest_low,
	   .source =
		"gfp_types.h, __GFP_KSWAPD_RECLAIM: wake kswapd when the low watermark is reached",
	   .nowait = true,
	   .states = BIT(ZONE_STATE_LOW),
	   .orders = ORDERS_ZERO,
	   .has = __GFP_NOWARN | __GFP_KSWAPD_RECLAIM,
	   .lacks = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_FS,
	   BOTH(.page = true, .kswapd = GFP_WAKE_IF_ASKED))
