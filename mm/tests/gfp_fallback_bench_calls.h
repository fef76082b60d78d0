/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calls whose fallback is timed.
 */
#ifndef _MM_TESTS_GFP_FALLBACK_BENCH_CALLS_H
#define _MM_TESTS_GFP_FALLBACK_BENCH_CALLS_H

#include "gfp_bench.h"

extern const struct gfp_bench_api fallback_alloc_pages;
extern const struct gfp_bench_api fallback_filemap;
extern const struct gfp_bench_api fallback_vmalloc;
extern const struct gfp_bench_api fallback_kvmalloc;

#endif /* _MM_TESTS_GFP_FALLBACK_BENCH_CALLS_H */
