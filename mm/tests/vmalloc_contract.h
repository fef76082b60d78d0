/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What callers of vmalloc(), vmalloc_huge() and kvmalloc() may rely on: rules,
 * and nothing else.
 *
 * Each row is a rule: the calls that it is about, which of the attempts that the
 * calls make it holds to account (none: what the call did as a whole), where the
 * promise is written, and the bounds.  See vmalloc_rule.h for the fields, and
 * gfp_contract.h for the two contracts.
 *
 * An effect that a row does not name must not happen.  One call may come under
 * several rules: each asks something else of it.
 *
 * To add a promise, add a row.  This file is included several times, with
 * VMALLOC_RULE() defined to suit.
 */

/* Where memory is not short, nobody is disturbed. */

VMALLOC_RULE(vmalloc_intact,
	     .source = "mm/page_alloc.c: the fast path needs neither kswapd nor the slow path",
	     .states = BIT(ZONE_STATE_INTACT),
	     .apis = VMALLOC_APIS_ALL,
	     .pages = PAGES_ANY,
	     BOTH(EFFECTS(.page = true)))

VMALLOC_RULE(vmalloc_quiet,
	     .source =
		"mm/vmalloc.c, vmalloc(): enough pages to cover the size, contiguous in virtual space only",
	     .states = ZONE_STATES_SCATTERED,
	     .apis = BIT(VMALLOC_API_VMALLOC),
	     .pages = PAGES_ANY,
	     .with = __GFP_DIRECT_RECLAIM,
	     .control = VMALLOC_CONTROL_WORK,
	     BOTH(EFFECTS(.kswapd = GFP_WAKE_ALLOWED, .page = true)))

VMALLOC_RULE(vmalloc_falls_back,
	     .source =
		"include/linux/slab.h, kvmalloc(): attempts physically contiguous memory, falls back to non-contiguous",
	     .states = ZONE_STATES_SCATTERED,
	     .apis = BIT(VMALLOC_API_HUGE) | BIT(VMALLOC_API_KVMALLOC),
	     .pages = PAGES_ANY,
	     .with = __GFP_DIRECT_RECLAIM,
	     BOTH(EFFECTS(.kswapd = GFP_WAKE_ALLOWED, .reclaim = ANY,
			  .compact = ANY, .drain = ANY, .page = true)))

/* Blocks that vmalloc would like, to be split: opportunistic. */

VMALLOC_RULE(vmalloc_large_orders,
	     .source =
		"mm/vmalloc.c, vm_area_alloc_pages(): large blocks are asked for without __GFP_DIRECT_RECLAIM",
	     .states = ZONE_STATES_FRAGMENTED,
	     .apis = VMALLOC_APIS_ALL,
	     .pages = PAGES_ABOVE_ONE,
	     .legs = BIT(VMALLOC_LEG_LARGE),
	     .control = VMALLOC_CONTROL_WORK,
	     BOTH(EFFECTS(.kswapd = GFP_WAKE_IF_ASKED),
		  .never = __GFP_DIRECT_RECLAIM | __GFP_NOFAIL))

VMALLOC_RULE(vmalloc_large_orders_fall,
	     .source =
		"mm/vmalloc.c, vm_area_alloc_pages(): an order that has failed is not asked for again",
	     .states = ZONE_STATES_FRAGMENTED,
	     .apis = VMALLOC_APIS_ALL,
	     .pages = PAGES_ABOVE_ONE,
	     .legs = BIT(VMALLOC_LEG_LARGE),
	     BOTH(.effects = ANYTHING, .falls = true))

/* Blocks that are to be mapped as one: the order-0 pages are their fallback. */

VMALLOC_RULE(vmalloc_huge_plain,
	     .source =
		"mm/vmalloc.c: no high-order __GFP_NOFAIL; gfp_types.h: costly requests back off after one try",
	     .states = ZONE_STATES_FRAGMENTED,
	     .apis = BIT(VMALLOC_API_HUGE) | BIT(VMALLOC_API_KVMALLOC),
	     .pages = PAGES_HUGE,
	     .with = __GFP_DIRECT_RECLAIM | __GFP_IO,
	     .without = __GFP_NORETRY | __GFP_RETRY_MAYFAIL,
	     .legs = BIT(VMALLOC_LEG_MAPPING),
	     .must_see = true,
	     BOTH(EFFECTS(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
			  .reclaim = UP_TO(1), .compact = UP_TO(2),
			  .async_first = true),
		  .never = __GFP_NOFAIL))

VMALLOC_RULE(vmalloc_huge_noretry,
	     .source =
		"gfp_types.h, __GFP_NORETRY: only very lightweight direct reclaim; nodirect: none when costly",
	     .states = ZONE_STATES_FRAGMENTED,
	     .apis = BIT(VMALLOC_API_HUGE) | BIT(VMALLOC_API_KVMALLOC),
	     .pages = PAGES_HUGE,
	     .with = __GFP_DIRECT_RECLAIM | __GFP_NORETRY,
	     .legs = BIT(VMALLOC_LEG_MAPPING),
	     .must_see = true,
	     .control = VMALLOC_CONTROL_WORK,
	     .documented = {
		     .effects = { .kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
				  .reclaim = UP_TO(1), .compact = UP_TO(2),
				  .async_first = true },
		     .never = __GFP_NOFAIL,
	     },
	     .nodirect = {
		     .effects = { .kswapd = GFP_WAKE_IF_ASKED },
		     .never = __GFP_NOFAIL,
	     })

VMALLOC_RULE(vmalloc_huge_mayfail,
	     .source =
		"gfp_types.h, __GFP_RETRY_MAYFAIL: retries with a definite limit, no OOM killer",
	     .states = ZONE_STATES_FRAGMENTED,
	     .apis = BIT(VMALLOC_API_HUGE) | BIT(VMALLOC_API_KVMALLOC),
	     .pages = PAGES_HUGE,
	     .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_RETRY_MAYFAIL,
	     .legs = BIT(VMALLOC_LEG_MAPPING),
	     .must_see = true,
	     BOTH(EFFECTS(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
			  .reclaim = UP_TO(RETRIES_MAX),
			  .compact = UP_TO(RETRIES_MAX),
			  .async_first = true),
		  .never = __GFP_NOFAIL))

VMALLOC_RULE(vmalloc_huge_noio,
	     .source = "mm/page_alloc.c: compaction needs __GFP_IO, no retry of what cannot",
	     .states = ZONE_STATES_FRAGMENTED,
	     .apis = BIT(VMALLOC_API_HUGE) | BIT(VMALLOC_API_KVMALLOC),
	     .pages = PAGES_HUGE,
	     .with = __GFP_DIRECT_RECLAIM,
	     .without = __GFP_IO | __GFP_NORETRY,
	     .legs = BIT(VMALLOC_LEG_MAPPING),
	     .must_see = true,
	     .control = VMALLOC_CONTROL_WORK,
	     BOTH(EFFECTS(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
			  .reclaim = UP_TO(1)),
		  .never = __GFP_NOFAIL))

/* kvmalloc(): first one block, as kmalloc() would. */

VMALLOC_RULE(kvmalloc_block_quiet,
	     .source =
		"mm/slub.c, kvmalloc: no direct reclaim for more than a page, but kswapd and kcompactd start",
	     .states = ZONE_STATES_FRAGMENTED,
	     .apis = BIT(VMALLOC_API_KVMALLOC),
	     .pages = PAGES_ABOVE_ONE,
	     .without = __GFP_RETRY_MAYFAIL,
	     .legs = BIT(VMALLOC_LEG_BLOCK),
	     .must_see = true,
	     .control = VMALLOC_CONTROL_WORK,
	     BOTH(EFFECTS(.kswapd = GFP_WAKE_IF_ASKED),
		  .never = __GFP_DIRECT_RECLAIM | __GFP_NOFAIL))

VMALLOC_RULE(kvmalloc_block_mayfail,
	     .source =
		"mm/slub.c, kvmalloc: __GFP_RETRY_MAYFAIL says that physically contiguous memory is preferred",
	     .states = ZONE_STATES_FRAGMENTED,
	     .apis = BIT(VMALLOC_API_KVMALLOC),
	     .pages = PAGES_ABOVE_SLAB,
	     .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_RETRY_MAYFAIL,
	     .legs = BIT(VMALLOC_LEG_BLOCK),
	     .must_see = true,
	     BOTH(EFFECTS(.kswapd = GFP_WAKE_IF_ASKED, .drain = ANY,
			  .reclaim = BETWEEN(1, RETRIES_MAX),
			  .compact = BETWEEN(1, RETRIES_MAX)),
		  .never = __GFP_NOFAIL, .always = __GFP_DIRECT_RECLAIM))

VMALLOC_RULE(kvmalloc_page,
	     .source = "mm/slub.c, kvmalloc: no fallback to vmalloc for up to a page",
	     .states = ZONE_STATES_SCATTERED,
	     .apis = BIT(VMALLOC_API_KVMALLOC),
	     .pages = PAGES_ONE,
	     .with = __GFP_DIRECT_RECLAIM,
	     .control = VMALLOC_CONTROL_AREA,
	     BOTH(EFFECTS(.kswapd = GFP_WAKE_ALLOWED, .page = true),
		  .contiguous = true))

/* Where memory is short, single pages are reclaimed for. */

VMALLOC_RULE(vmalloc_low,
	     .source =
		"gfp_types.h: !costly requests are implicitly non-failing; the OOM killer is their last resort",
	     .states = BIT(ZONE_STATE_LOW),
	     .apis = VMALLOC_APIS_ALL,
	     .pages = PAGES_ANY,
	     .with = __GFP_DIRECT_RECLAIM,
	     .without = __GFP_NOFAIL | __GFP_NORETRY | __GFP_RETRY_MAYFAIL,
	     .must_see = true,
	     BOTH(EFFECTS(.kswapd = GFP_WAKE_IF_ASKED, .reclaim = AT_LEAST(1),
			  .compact = ANY, .drain = ANY, .oom = ANY,
			  .page = true)))

VMALLOC_RULE(vmalloc_low_noretry,
	     .source = "gfp_types.h, __GFP_NORETRY: lightweight direct reclaim, no OOM killer",
	     .states = BIT(ZONE_STATE_LOW),
	     .apis = VMALLOC_APIS_ALL,
	     .pages = PAGES_ANY,
	     .with = __GFP_DIRECT_RECLAIM | __GFP_NORETRY,
	     .must_see = true,
	     BOTH(EFFECTS(.kswapd = GFP_WAKE_IF_ASKED, .reclaim = AT_LEAST(1),
			  .compact = ANY, .drain = ANY)))

VMALLOC_RULE(vmalloc_low_mayfail,
	     .source =
		"gfp_types.h, __GFP_RETRY_MAYFAIL: retries with a definite limit, no OOM killer",
	     .states = BIT(ZONE_STATE_LOW),
	     .apis = VMALLOC_APIS_ALL,
	     .pages = PAGES_ANY,
	     .with = __GFP_DIRECT_RECLAIM | __GFP_RETRY_MAYFAIL,
	     .must_see = true,
	     BOTH(EFFECTS(.kswapd = GFP_WAKE_IF_ASKED, .reclaim = AT_LEAST(1),
			  .compact = ANY, .drain = ANY)))

VMALLOC_RULE(vmalloc_nofail,
	     .source =
		"gfp_types.h, __GFP_NOFAIL: must retry infinitely; mm/vmalloc.c: fully supported",
	     .states = BIT(ZONE_STATE_LOW),
	     .apis = VMALLOC_APIS_ALL,
	     .pages = PAGES_ANY,
	     .with = __GFP_DIRECT_RECLAIM | __GFP_NOFAIL,
	     .control = VMALLOC_CONTROL_FAILS,
	     BOTH(EFFECTS(.kswapd = GFP_WAKE_ALLOWED, .reclaim = ANY,
			  .compact = ANY, .drain = ANY, .oom = ANY,
			  .page = true)))

VMALLOC_RULE(vmalloc_nowait,
	     .source =
		"gfp_types.h, __GFP_DIRECT_RECLAIM: the caller may enter direct reclaim; without it, not",
	     .states = ZONE_STATES_FRAGMENTED,
	     .apis = BIT(VMALLOC_API_VMALLOC) | BIT(VMALLOC_API_KVMALLOC),
	     .pages = PAGES_ANY,
	     .without = __GFP_DIRECT_RECLAIM,
	     .control = VMALLOC_CONTROL_WORK,
	     BOTH(EFFECTS(.kswapd = GFP_WAKE_ALLOWED)))

/* What may not recurse into filesystems or start I/O, for no attempt of the call. */

VMALLOC_RULE(vmalloc_nofs,
	     .source =
		"mm/vmalloc.c: GFP_NOFS is supported; page tables are put in its scope, too",
	     .states = ZONE_STATES_ALL,
	     .apis = VMALLOC_APIS_ALL,
	     .pages = PAGES_ANY,
	     .with = __GFP_DIRECT_RECLAIM | __GFP_IO,
	     .without = __GFP_FS | __GFP_NORETRY | __GFP_RETRY_MAYFAIL,
	     .legs = VMALLOC_LEGS_ALL,
	     .control = VMALLOC_CONTROL_MASK,
	     BOTH(.effects = ANYTHING, .never = __GFP_FS))

VMALLOC_RULE(vmalloc_noio,
	     .source =
		"mm/vmalloc.c: GFP_NOIO is supported; page tables are put in its scope, too",
	     .states = ZONE_STATES_ALL,
	     .apis = VMALLOC_APIS_ALL,
	     .pages = PAGES_ANY,
	     .with = __GFP_DIRECT_RECLAIM,
	     .without = __GFP_FS | __GFP_IO | __GFP_NORETRY | __GFP_RETRY_MAYFAIL,
	     .legs = VMALLOC_LEGS_ALL,
	     .control = VMALLOC_CONTROL_MASK,
	     BOTH(.effects = ANYTHING, .never = __GFP_FS | __GFP_IO))

VMALLOC_RULE(vmalloc_nofs_scope,
	     .source =
		"include/linux/sched/mm.h, memalloc_nofs_save(): implicit GFP_NOFS for every allocation in the scope",
	     .states = ZONE_STATES_ALL,
	     .apis = VMALLOC_APIS_ALL,
	     .pages = PAGES_ANY,
	     .scope = GFP_SCOPE_NOFS,
	     .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_FS,
	     .legs = VMALLOC_LEGS_ALL,
	     .control = VMALLOC_CONTROL_MASK,
	     BOTH(.effects = ANYTHING, .never = __GFP_FS))

VMALLOC_RULE(vmalloc_noio_scope,
	     .source =
		"include/linux/sched/mm.h, memalloc_noio_save(): implicit GFP_NOIO for every allocation in the scope",
	     .states = ZONE_STATES_ALL,
	     .apis = VMALLOC_APIS_ALL,
	     .pages = PAGES_ANY,
	     .scope = GFP_SCOPE_NOIO,
	     .with = __GFP_DIRECT_RECLAIM | __GFP_IO | __GFP_FS,
	     .legs = VMALLOC_LEGS_ALL,
	     .control = VMALLOC_CONTROL_MASK,
	     BOTH(.effects = ANYTHING, .never = __GFP_FS | __GFP_IO))
