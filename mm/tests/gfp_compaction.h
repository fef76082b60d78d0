/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the gfp_compaction suite.
 */
#ifndef _MM_TESTS_GFP_COMPACTION_H
#define _MM_TESTS_GFP_COMPACTION_H

struct gfp_rule;
struct kunit;

void gfp_sweep_rule(struct kunit *test, const struct gfp_rule *rule);

/* What __filemap_get_folio() asks for above the mapping's minimum order. */
#define GFP_LARGE_FOLIO		(GFP_KERNEL | __GFP_NORETRY)

/* The local-node-first attempt at a huge page, see alloc_pages_mpol(). */
#define GFP_LOCAL_HUGE		(GFP_USER | __GFP_MOVABLE | __GFP_NOMEMALLOC | \
				 __GFP_NORETRY | __GFP_THISNODE)

/* Test cases that name a promise, see gfp_compaction_named.c */
void named_page_cache_falls_back_quietly(struct kunit *test);
void named_plain_costly_tries_once(struct kunit *test);
void named_thisnode_compacts_once(struct kunit *test);
void named_nofail_never_fails(struct kunit *test);
void named_nofail_goes_on(struct kunit *test);
void named_small_noretry_reclaims(struct kunit *test);
void named_atomic_only_wakes_kswapd(struct kunit *test);
void named_no_kswapd_bit_no_wakeup(struct kunit *test);
void named_nofs_compacts_noio_does_not(struct kunit *test);
void named_noio_mayfail_ends(struct kunit *test);
void named_mayfail_gets_its_page(struct kunit *test);

/* Test cases of scopes, see gfp_compaction_scope.c */
void scope_nofs(struct kunit *test);
void scope_noio(struct kunit *test);
void scope_noreclaim(struct kunit *test);

/* A suite of its own, see gfp_nodes.c */
extern struct kunit_suite gfp_nodes_suite;

/* Test cases of the tests themselves, see gfp_compaction_selftest.c */
void partition(struct kunit *test);
void observer_sees_every_effect(struct kunit *test);
void observer_sees_scans(struct kunit *test);
void observer_sees_kcompactd(struct kunit *test);
void observer_ignores_other_tasks(struct kunit *test);
void fragment_leaves_the_order(struct kunit *test);
void state_is_entered_and_left(struct kunit *test);
void state_is_undone_by_cleanup(struct kunit *test);
void state_not_proven_is_refused(struct kunit *test);

#endif /* _MM_TESTS_GFP_COMPACTION_H */
