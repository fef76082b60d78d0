/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the filemap_fallback suite.
 */
#ifndef _MM_TESTS_FILEMAP_FALLBACK_H
#define _MM_TESTS_FILEMAP_FALLBACK_H

struct kunit;
struct ladder_files;

struct ladder_files *filemap_open_files(struct kunit *test);

/* Test cases of folios that cannot be added, see filemap_fallback_add.c */
void neighbour_limits_the_folio(struct kunit *test);
void racing_folio_is_found(struct kunit *test);
void missing_nodes_limit_the_folio(struct kunit *test);
void missing_nodes_fail_at_the_minimum(struct kunit *test);

#endif /* _MM_TESTS_FILEMAP_FALLBACK_H */
