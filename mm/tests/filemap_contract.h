/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What __filemap_get_folio() asks the page allocator for when a folio is not
 * there, and what its callers may rely on: rules, and nothing else.
 *
 * A ladder is one call: a mapping with a minimum and a maximum order, a wanted
 * order, an index, flags, the caller's mask, in a zone state.  A step is one of
 * its attempts.  Readahead of one folio is a ladder with one step, which has rules
 * of its own.  Most rules are the same under both contracts; what an attempt does
 * to the machine is not.
 *
 * To add a promise, add a row.  See filemap_rule.h for the fields.
 */

/* The ladder as a whole. */

FILEMAP_RULE(starts_at_largest,
	     .source =
		"pagemap.h, fgf_set_order(): the order is a hint; not above the mapping's maximum nor the index's alignment",
	     .states = ZONE_STATES_ALL,
	     BOTH(.shape = ladder_starts))

FILEMAP_RULE(goes_down_by_one,
	     .source = "mm/filemap.c: a smaller folio is tried when a larger one cannot be had",
	     .states = ZONE_STATES_FRAGMENTED,
	     BOTH(.shape = ladder_descends))

FILEMAP_RULE(stays_in_range,
	     .source = "pagemap.h, mapping_set_folio_order_range(): folios of these orders only",
	     .states = ZONE_STATES_ALL,
	     BOTH(.shape = ladder_in_range))

FILEMAP_RULE(ends_with_first_folio,
	     .source =
		"mm/filemap.c: the first folio is taken; the minimum order is the last that is tried",
	     .states = ZONE_STATES_ALL,
	     BOTH(.shape = ladder_ends))

FILEMAP_RULE(returns_what_it_got,
	     .source =
		"mm/filemap.c, __filemap_get_folio(): the folio found, with an increased refcount, or an error",
	     .states = ZONE_STATES_ALL,
	     BOTH(.shape = ladder_folio))

FILEMAP_RULE(locks_as_asked,
	     .source =
		"pagemap.h, FGP_LOCK: returned locked; FGP_FOR_MMAP: the caller does its own locking",
	     .states = ZONE_STATES_ALL,
	     BOTH(.shape = ladder_locked))

FILEMAP_RULE(marks_as_asked,
	     .source =
		"pagemap.h, FGP_ACCESSED: marked accessed; FGP_DONTCACHE: uncached buffered IO",
	     .states = ZONE_STATES_ALL,
	     BOTH(.shape = ladder_marked))

FILEMAP_RULE(nowait_fails_with_eagain,
	     .source =
		"mm/filemap.c: a nonblocking allocation that fails says nothing about memory; -EAGAIN, so that the caller blocks",
	     .states = ZONE_STATES_FRAGMENTED,
	     .with = FGP_NOWAIT,
	     BOTH(.shape = ladder_eagain))

FILEMAP_RULE(fails_with_enomem,
	     .source =
		"mm/filemap.c: -ENOMEM where not even the mapping's minimum order could be had",
	     .states = ZONE_STATES_FRAGMENTED,
	     .without = FGP_NOWAIT,
	     BOTH(.shape = ladder_enomem))

/* The mask of a step. */

FILEMAP_RULE(above_min_backs_off,
	     .source =
		"mm/filemap.c: above the minimum order a failure is expected: no retries, no warning",
	     .states = ZONE_STATES_ALL,
	     .steps = STEP_ABOVE_MIN,
	     MASK(.set = __GFP_NOWARN, .light = true))

FILEMAP_RULE(min_keeps_the_mask,
	     .source =
		"mm/filemap.c: the minimum order is the last resort, tried as hard as the caller says",
	     .states = ZONE_STATES_ALL,
	     .without = FGP_NOWAIT,
	     .steps = STEP_AT_MIN,
	     MASK(.keep = __GFP_NORETRY | __GFP_NOWARN))

FILEMAP_RULE(min_keeps_the_mask_nowait,
	     .source =
		"mm/filemap.c: the minimum order is the last resort, tried as hard as the caller says",
	     .states = ZONE_STATES_ALL,
	     .with = FGP_NOWAIT,
	     .steps = STEP_AT_MIN,
	     MASK(.set = __GFP_NOWARN, .keep = __GFP_NORETRY))

FILEMAP_RULE(nofs_clears_fs,
	     .source = "pagemap.h, FGP_NOFS: __GFP_FS will get cleared in gfp",
	     .states = ZONE_STATES_ALL,
	     .with = FGP_NOFS,
	     .steps = STEP_ABOVE_MIN | STEP_AT_MIN,
	     MASK(.clear = __GFP_FS))

FILEMAP_RULE(nowait_clears_direct_reclaim,
	     .source = "pagemap.h, FGP_NOWAIT: do not block; kswapd may still help the next one",
	     .states = ZONE_STATES_ALL,
	     .with = FGP_NOWAIT,
	     .steps = STEP_ABOVE_MIN | STEP_AT_MIN,
	     MASK(.set = __GFP_KSWAPD_RECLAIM,
		  .clear = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_FS))

FILEMAP_RULE(write_is_told,
	     .source = "gfp_types.h, __GFP_WRITE: the caller intends to dirty the page",
	     .states = ZONE_STATES_ALL,
	     .files = FILES_WRITEBACK,
	     .with = FGP_WRITE,
	     .steps = STEP_ABOVE_MIN | STEP_AT_MIN,
	     MASK(.set = __GFP_WRITE))

FILEMAP_RULE(write_is_told_of_disks_only,
	     .source = "mm/filemap.c: dirty folios count where they can be written back",
	     .states = ZONE_STATES_ALL,
	     .files = FILES_PLAIN,
	     .steps = STEP_ABOVE_MIN | STEP_AT_MIN,
	     MASK(.clear = __GFP_WRITE))

FILEMAP_RULE(read_is_not_write,
	     .source = "gfp_types.h, __GFP_WRITE: the caller intends to dirty the page",
	     .states = ZONE_STATES_ALL,
	     .files = FILES_WRITEBACK,
	     .without = FGP_WRITE,
	     .steps = STEP_ABOVE_MIN | STEP_AT_MIN,
	     MASK(.clear = __GFP_WRITE))

FILEMAP_RULE(min_reclaims_as_asked,
	     .source =
		"mm/filemap.c: the minimum order is the last resort, tried as hard as the caller says",
	     .states = ZONE_STATES_ALL,
	     .without = FGP_NOWAIT,
	     .steps = STEP_AT_MIN,
	     MASK(.keep = __GFP_RECLAIM | __GFP_IO))

FILEMAP_RULE(above_min_wakes_as_asked,
	     .source =
		"gfp_types.h, __GFP_KSWAPD_RECLAIM: large folios are made in the background, for the next one",
	     .states = ZONE_STATES_ALL,
	     .without = FGP_NOWAIT,
	     .steps = STEP_ABOVE_MIN,
	     MASK(.keep = __GFP_KSWAPD_RECLAIM | __GFP_IO))

FILEMAP_RULE(fs_is_the_callers,
	     .source =
		"mm/filemap.c, __filemap_get_folio(): only the flags change the caller's mask",
	     .states = ZONE_STATES_ALL,
	     .without = FGP_NOWAIT | FGP_NOFS,
	     .steps = STEP_ABOVE_MIN | STEP_AT_MIN,
	     MASK(.keep = __GFP_FS))

FILEMAP_RULE(other_bits_are_the_callers,
	     .source =
		"mm/filemap.c, __filemap_get_folio(): only the flags change the caller's mask",
	     .states = ZONE_STATES_ALL,
	     .steps = STEP_ABOVE_MIN | STEP_AT_MIN,
	     MASK(.keep = ~(__GFP_RECLAIM | __GFP_IO | __GFP_FS | __GFP_NORETRY |
			    __GFP_NOWARN | __GFP_WRITE | __GFP_COMP)))

/* What a step does. */

FILEMAP_RULE(first_step_wakes_kswapd,
	     .source =
		"gfp_types.h, __GFP_KSWAPD_RECLAIM: wake kswapd when the free lists do not serve",
	     .states = ZONE_STATES_FRAGMENTED,
	     .steps = STEP_FIRST,
	     .orders = ORDERS_ABOVE_ZERO,
	     BOTH(.effects = EFFECTS(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY, .oom = ANY,
				     .reclaim = ANY, .compact = ANY)))

FILEMAP_RULE(costly_step_is_quiet,
	     .source =
		"gfp_types.h, __GFP_NORETRY: only very lightweight direct reclaim; nodirect: none when costly",
	     .states = ZONE_STATES_FRAGMENTED,
	     .without = FGP_NOWAIT,
	     .steps = STEP_ABOVE_MIN,
	     .orders = ORDERS_COSTLY,
	     .documented.effects = EFFECTS(.kswapd = GFP_WAKE_ALLOWED, .drain = ANY,
					   .reclaim = UP_TO(1), .compact = UP_TO(2),
					   .async_first = true),
	     .nodirect.effects = EFFECTS(.kswapd = GFP_WAKE_ALLOWED))

FILEMAP_RULE(small_step_is_light,
	     .source =
		"gfp_types.h, __GFP_NORETRY: very lightweight direct reclaim to get some memory",
	     .states = ZONE_STATES_FRAGMENTED,
	     .without = FGP_NOWAIT,
	     .steps = STEP_ABOVE_MIN,
	     .orders = ORDERS_SMALL,
	     BOTH(.effects = EFFECTS(.kswapd = GFP_WAKE_ALLOWED, .drain = ANY,
				     .reclaim = BETWEEN(1, 1), .compact = UP_TO(2))))

FILEMAP_RULE(nowait_step_only_wakes,
	     .source = "pagemap.h, FGP_NOWAIT: do not block",
	     .states = ZONE_STATES_FRAGMENTED,
	     .with = FGP_NOWAIT,
	     .steps = STEP_ABOVE_MIN | STEP_AT_MIN,
	     .orders = ORDERS_ALL,
	     BOTH(.effects = EFFECTS(.kswapd = GFP_WAKE_ALLOWED)))

FILEMAP_RULE(single_page_is_there,
	     .source =
		"mm/filemap.c: the minimum order is the last resort, and order-0 memory exists",
	     .states = ZONE_STATES_FRAGMENTED,
	     .steps = STEP_AT_MIN,
	     .orders = ORDERS_ZERO,
	     BOTH(.effects = EFFECTS(.kswapd = GFP_WAKE_ALLOWED, .page = true)))

FILEMAP_RULE(small_min_does_not_fail,
	     .source =
		"gfp_types.h: !costly requests are implicitly non-failing; the minimum order keeps the caller's mask",
	     .states = ZONE_STATES_FRAGMENTED,
	     .without = FGP_NOWAIT,
	     .gfp_without = __GFP_NORETRY,
	     .steps = STEP_AT_MIN,
	     .orders = ORDERS_SMALL,
	     BOTH(.effects = EFFECTS(.kswapd = GFP_WAKE_ALLOWED, .drain = ANY, .oom = ANY,
				     .reclaim = AT_LEAST(1), .compact = AT_LEAST(1),
				     .page = true)))

FILEMAP_RULE(costly_min_tries,
	     .source =
		"gfp_types.h: costly requests try, and back off; the minimum order keeps the caller's mask",
	     .states = ZONE_STATES_FRAGMENTED,
	     .without = FGP_NOWAIT,
	     .gfp_without = __GFP_NORETRY,
	     .steps = STEP_AT_MIN,
	     .orders = ORDERS_COSTLY,
	     BOTH(.effects = EFFECTS(.kswapd = GFP_WAKE_ALLOWED, .drain = ANY,
				     .reclaim = BETWEEN(1, 1), .compact = BETWEEN(1, 2),
				     .async_first = true)))

/* Readahead, which must not hold anybody up. */

FILEMAP_RULE(readahead_asks_once,
	     .source =
		"mm/readahead.c: folios of the mapping's minimum order; where there is no memory, no readahead",
	     .states = ZONE_STATES_ALL,
	     .files = FILES_READAHEAD,
	     BOTH(.shape = ladder_ahead))

FILEMAP_RULE(readahead_backs_off,
	     .source =
		"pagemap.h, readahead_gfp_mask(): no retries, no warning; mm/readahead.c: no file system",
	     .states = ZONE_STATES_ALL,
	     .files = FILES_READAHEAD,
	     .steps = STEP_AT_MIN,
	     MASK(.set = __GFP_NORETRY | __GFP_NOWARN, .clear = __GFP_FS))

FILEMAP_RULE(readahead_mask_is_the_mappings,
	     .source = "pagemap.h, readahead_gfp_mask(): the mapping's mask and two bits",
	     .states = ZONE_STATES_ALL,
	     .files = FILES_READAHEAD,
	     .steps = STEP_AT_MIN,
	     MASK(.keep = ~(__GFP_FS | __GFP_NORETRY | __GFP_NOWARN | __GFP_COMP)))

FILEMAP_RULE(readahead_costly_is_quiet,
	     .source =
		"gfp_types.h, __GFP_NORETRY: only very lightweight direct reclaim; nodirect: none when costly",
	     .states = ZONE_STATES_FRAGMENTED,
	     .files = FILES_READAHEAD,
	     .steps = STEP_AT_MIN,
	     .orders = ORDERS_COSTLY,
	     .documented.effects = EFFECTS(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
					   .reclaim = UP_TO(1), .compact = UP_TO(2),
					   .async_first = true),
	     .nodirect.effects = EFFECTS(.kswapd = GFP_WAKE_IF_ASKED))

FILEMAP_RULE(readahead_small_is_light,
	     .source =
		"gfp_types.h, __GFP_NORETRY: very lightweight direct reclaim to get some memory",
	     .states = ZONE_STATES_FRAGMENTED,
	     .files = FILES_READAHEAD,
	     .steps = STEP_AT_MIN,
	     .orders = ORDERS_SMALL,
	     BOTH(.effects = EFFECTS(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
				     .reclaim = BETWEEN(1, 1), .compact = UP_TO(2))))
