/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What callers of the page allocator may rely on: rules, and nothing else.
 *
 * A cell is a zone state, an order and a gfp mask.  Each row is a rule: the
 * cells that it is about, where the promise is written, and the bounds that the
 * effects of an attempt must stay in.  Every legal cell belongs to exactly one
 * rule (and a test sees to that).  See gfp_rule.h for the fields.
 *
 * There are two contracts.  "documented" is what include/linux/gfp_types.h
 * promises, in the widest reading that every supported kernel keeps.
 * "nodirect" is the same with costly __GFP_NORETRY requests made opportunistic.
 * BOTH() gives bounds in which the two do not differ.
 *
 * An effect that a row does not name must not happen.  Lower bounds hold for an
 * attempt that fails, and for one that succeeds only because memory was given
 * back to it: what succeeds early has no reason to go on.
 *
 * To add a promise, add a row.  This file is included several times, with
 * GFP_RULE() defined to suit.
 */

/* Served from the free lists. */

GFP_RULE(free_list,
	 .source = "mm/page_alloc.c: the fast path needs neither kswapd nor the slow path",
	 .states = BIT(ZONE_STATE_INTACT),
	 .orders = ORDERS_ALL,
	 BOTH(.page = true))

GFP_RULE(free_list_order0,
	 .source =
		"mm/page_alloc.c: fragmentation does not concern order 0, but for a watermark boost where migratetypes mix",
	 .states = ZONE_STATES_FRAGMENTED & ~BIT(ZONE_STATE_LOW),
	 .orders = ORDERS_ZERO,
	 BOTH(.page = true, .kswapd = GFP_WAKE_ALLOWED))

GFP_RULE(low_order0,
	 .source =
		"gfp_types.h, __GFP_KSWAPD_RECLAIM: wake kswapd when the low watermark is reached",
	 .states = BIT(ZONE_STATE_LOW),
	 .orders = ORDERS_ZERO,
	 BOTH(.page = true, .kswapd = GFP_WAKE_IF_ASKED))

/* No direct reclaim: kswapd at most. */

GFP_RULE(nowait,
	 .source =
		"gfp_types.h, __GFP_DIRECT_RECLAIM: the caller may enter direct reclaim; without it, not",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_ABOVE_ZERO,
	 .without = __GFP_DIRECT_RECLAIM,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED))

/* __GFP_NORETRY: light; costly ones are opportunistic. */

GFP_RULE(costly_noretry,
	 .source =
		"gfp_types.h, __GFP_NORETRY: only very lightweight direct reclaim; nodirect: none when costly",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_COSTLY,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_NORETRY,
	 .without = __GFP_NOFAIL | __GFP_THISNODE,
	 .documented = { .kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
			 .reclaim = UP_TO(1), .compact = UP_TO(2),
			 .async_first = true },
	 .nodirect = { .kswapd = GFP_WAKE_IF_ASKED })

GFP_RULE(costly_noretry_thisnode,
	 .source =
		"mm/page_alloc.c: a local-node-first attempt compacts once and puts no reclaim pressure on the node",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_COSTLY,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_NORETRY | __GFP_THISNODE,
	 .without = __GFP_NOFAIL,
	 .documented = { .kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
			 .reclaim = UP_TO(1), .compact = BETWEEN(1, 2),
			 .async_first = true },
	 .nodirect = { .kswapd = GFP_WAKE_IF_ASKED, .compact = BETWEEN(1, 1),
		       .async_first = true })

GFP_RULE(costly_noretry_thisnode_noio,
	 .source =
		"gfp_types.h, __GFP_NORETRY: very lightweight direct reclaim; compaction needs __GFP_IO",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_COSTLY,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_NORETRY | __GFP_THISNODE,
	 .without = __GFP_NOFAIL | __GFP_IO,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY, .reclaim = BETWEEN(1, 1)))

GFP_RULE(small_noretry,
	 .source =
		"gfp_types.h, __GFP_NORETRY: very lightweight direct reclaim to get some memory",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_SMALL,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_NORETRY,
	 .without = __GFP_NOFAIL | __GFP_THISNODE | __GFP_MOVABLE,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
	      .reclaim = BETWEEN(1, 1), .compact = BETWEEN(1, 2)))

GFP_RULE(small_noretry_movable,
	 .source =
		"gfp_types.h, __GFP_NORETRY: very lightweight direct reclaim to get some memory",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_SMALL,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_NORETRY | __GFP_MOVABLE,
	 .without = __GFP_NOFAIL,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
	      .reclaim = BETWEEN(1, 1), .compact = BETWEEN(1, 1)))

GFP_RULE(small_noretry_thisnode,
	 .source =
		"mm/page_alloc.c: a local-node-first attempt compacts once and puts no reclaim pressure on the node",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_SMALL,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_NORETRY | __GFP_THISNODE,
	 .without = __GFP_NOFAIL | __GFP_MOVABLE,
	 .documented = { .kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
			 .reclaim = UP_TO(1), .compact = BETWEEN(1, 2) },
	 .nodirect = { .kswapd = GFP_WAKE_IF_ASKED, .compact = BETWEEN(1, 1) })

GFP_RULE(small_noretry_noio,
	 .source =
		"gfp_types.h, __GFP_NORETRY: very lightweight direct reclaim; compaction needs __GFP_IO",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_SMALL,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_NORETRY,
	 .without = __GFP_NOFAIL | __GFP_IO,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY, .reclaim = BETWEEN(1, 1)))

/* Costly, and no modifier: backs off, and never calls the OOM killer. */

GFP_RULE(costly_plain,
	 .source =
		"gfp_types.h: costly requests try not to be disruptive and back off; one try of each, asynchronous first",
	 .states = BIT(ZONE_STATE_MOVABLE) | BIT(ZONE_STATE_RECLAIMABLE) |
		   BIT(ZONE_STATE_LOW),
	 .orders = ORDERS_COSTLY,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO,
	 .without = __GFP_NOFAIL | __GFP_NORETRY | __GFP_RETRY_MAYFAIL,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
	      .reclaim = BETWEEN(1, 1), .compact = BETWEEN(1, 2),
	      .async_first = true))

GFP_RULE(costly_plain_drains,
	 .source =
		"mm/page_alloc.c: pages may be pinned on the per-CPU lists; drain them where reclaim made progress",
	 .states = BIT(ZONE_STATE_UNMOVABLE) | BIT(ZONE_STATE_DEFERRED),
	 .orders = ORDERS_COSTLY,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO,
	 .without = __GFP_NOFAIL | __GFP_NORETRY | __GFP_RETRY_MAYFAIL,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = DRAINED,
	      .reclaim = BETWEEN(1, 1), .compact = BETWEEN(1, 2),
	      .async_first = true))

GFP_RULE(costly_noio,
	 .source =
		"mm/page_alloc.c: no retry of a costly request that cannot compact; compaction needs __GFP_IO",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_COSTLY,
	 .with = __GFP_DIRECT_RECLAIM,
	 .without = __GFP_NOFAIL | __GFP_NORETRY | __GFP_IO,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY, .reclaim = BETWEEN(1, 1)))

/* __GFP_RETRY_MAYFAIL: tries hard, within limits, and never calls the OOM killer. */

GFP_RULE(costly_mayfail,
	 .source =
		"gfp_types.h, __GFP_RETRY_MAYFAIL: retries more than __GFP_NORETRY, with a definite limit, no OOM killer",
	 .states = ZONE_STATES_FRAGMENTED & ~BIT(ZONE_STATE_MOVABLE),
	 .orders = ORDERS_COSTLY,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_RETRY_MAYFAIL,
	 .without = __GFP_NOFAIL,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
	      .reclaim = BETWEEN(1, RETRIES_MAX), .compact = BETWEEN(2, RETRIES_MAX),
	      .async_first = true))

GFP_RULE(costly_mayfail_movable,
	 .source =
		"gfp_types.h, __GFP_RETRY_MAYFAIL: fails only when there is little unused memory, not for fragmentation",
	 .states = BIT(ZONE_STATE_MOVABLE),
	 .orders = ORDERS_COSTLY_BUT_LARGEST,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_FS | __GFP_RETRY_MAYFAIL,
	 .without = __GFP_NOFAIL,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
	      .reclaim = BETWEEN(1, RETRIES_MAX), .compact = BETWEEN(1, RETRIES_MAX),
	      .async_first = true, .page = true))

GFP_RULE(costly_mayfail_movable_largest,
	 .source =
		"gfp_types.h, __GFP_RETRY_MAYFAIL: a definite limit to the retries; one unmovable page spoils a pageblock",
	 .states = BIT(ZONE_STATE_MOVABLE),
	 .orders = ORDERS_LARGEST,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_FS | __GFP_RETRY_MAYFAIL,
	 .without = __GFP_NOFAIL,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
	      .reclaim = BETWEEN(1, RETRIES_MAX), .compact = BETWEEN(2, RETRIES_MAX),
	      .async_first = true))

GFP_RULE(costly_mayfail_movable_nofs,
	 .source =
		"mm/compaction.c: without __GFP_FS page cache is not migrated; a definite limit to the retries",
	 .states = BIT(ZONE_STATE_MOVABLE),
	 .orders = ORDERS_COSTLY,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_RETRY_MAYFAIL,
	 .without = __GFP_NOFAIL | __GFP_FS,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
	      .reclaim = BETWEEN(1, RETRIES_MAX), .compact = BETWEEN(2, RETRIES_MAX),
	      .async_first = true))

GFP_RULE(small_mayfail,
	 .source =
		"gfp_types.h, __GFP_RETRY_MAYFAIL: tries reclaim and compaction, with a definite limit, no OOM killer",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_SMALL,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_RETRY_MAYFAIL,
	 .without = __GFP_NOFAIL,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
	      .reclaim = BETWEEN(1, RETRIES_MAX), .compact = BETWEEN(1, RETRIES_MAX)))

GFP_RULE(small_mayfail_noio,
	 .source = "gfp_types.h, __GFP_RETRY_MAYFAIL: no OOM killer; compaction needs __GFP_IO",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_SMALL,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_RETRY_MAYFAIL,
	 .without = __GFP_NOFAIL | __GFP_IO,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
	      .reclaim = BETWEEN(1, RETRIES_MAX)))

/* Small, and no modifier: too essential to fail. */

GFP_RULE(small_plain,
	 .source =
		"gfp_types.h: !costly requests are implicitly non-failing; the OOM killer is their last resort",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_SMALL,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO,
	 .without = __GFP_NOFAIL | __GFP_NORETRY | __GFP_RETRY_MAYFAIL | __GFP_THISNODE,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY, .oom = ANY,
	      .reclaim = AT_LEAST(1), .compact = AT_LEAST(1), .page = true))

GFP_RULE(small_plain_noio,
	 .source =
		"gfp_types.h: !costly requests are implicitly non-failing; compaction needs __GFP_IO",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_SMALL,
	 .with = __GFP_DIRECT_RECLAIM,
	 .without = __GFP_NOFAIL | __GFP_NORETRY | __GFP_RETRY_MAYFAIL |
		    __GFP_THISNODE | __GFP_IO,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY, .oom = ANY,
	      .reclaim = AT_LEAST(1), .page = true))

GFP_RULE(small_plain_thisnode,
	 .source =
		"mm/page_alloc.c: the OOM killer may not free memory on one node, and is not called for one",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_SMALL,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_THISNODE,
	 .without = __GFP_NOFAIL | __GFP_NORETRY | __GFP_RETRY_MAYFAIL,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
	      .reclaim = AT_LEAST(1), .compact = AT_LEAST(1)))

GFP_RULE(small_plain_thisnode_noio,
	 .source = "mm/page_alloc.c: no OOM killer for one node; compaction needs __GFP_IO",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_SMALL,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_THISNODE,
	 .without = __GFP_NOFAIL | __GFP_NORETRY | __GFP_RETRY_MAYFAIL | __GFP_IO,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY, .reclaim = AT_LEAST(1)))

/* __GFP_NOFAIL: never fails, and does what it can. */

GFP_RULE(nofail,
	 .source =
		"gfp_types.h, __GFP_NOFAIL: must retry infinitely, never returns with failure",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_ABOVE_ZERO,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_NOFAIL,
	 .without = __GFP_NORETRY,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY, .oom = ANY,
	      .reclaim = AT_LEAST(1), .compact = AT_LEAST(1), .page = true))

GFP_RULE(nofail_noretry,
	 .source =
		"gfp_types.h, __GFP_NOFAIL: must retry infinitely, whatever __GFP_NORETRY says",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_ABOVE_ZERO,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_NOFAIL | __GFP_NORETRY,
	 .without = __GFP_THISNODE,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY, .oom = ANY,
	      .reclaim = AT_LEAST(1), .compact = AT_LEAST(1), .page = true))

GFP_RULE(nofail_noretry_thisnode,
	 .source =
		"gfp_types.h, __GFP_NOFAIL: must retry infinitely, whatever __GFP_NORETRY says",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_ABOVE_ZERO,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_NOFAIL | __GFP_NORETRY |
		 __GFP_THISNODE,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY, .oom = ANY,
	      .reclaim = ANY, .compact = AT_LEAST(1), .page = true))

GFP_RULE(nofail_noio,
	 .source =
		"gfp_types.h, __GFP_NOFAIL: must retry infinitely; compaction needs __GFP_IO",
	 .states = ZONE_STATES_FRAGMENTED,
	 .orders = ORDERS_ABOVE_ZERO,
	 .with = __GFP_DIRECT_RECLAIM | __GFP_NOFAIL,
	 .without = __GFP_IO,
	 BOTH(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY, .oom = ANY,
	      .reclaim = AT_LEAST(1), .page = true))
