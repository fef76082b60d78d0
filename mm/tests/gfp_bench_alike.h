/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Let each sample of a point begin alike, whatever was before.
 */
#ifndef _MM_TESTS_GFP_BENCH_ALIKE_H
#define _MM_TESTS_GFP_BENCH_ALIKE_H

#include <linux/list.h>
#include <linux/mmzone.h>

#include "zone_state.h"

/**
 * struct gfp_bench_alike - what makes samples begin alike
 * @zs: the zone state that they are taken in
 * @remnants: by order, free memory in less than whole blocks, taken aside
 */
struct gfp_bench_alike {
	struct zone_state *zs;
	struct list_head remnants[MAX_PAGE_ORDER];
};

bool gfp_bench_moves(enum zone_state_id id);
void gfp_bench_alike_begin(struct gfp_bench_alike *alike, struct zone_state *zs);
void gfp_bench_alike_sample(struct gfp_bench_alike *alike);
void gfp_bench_alike_others(struct gfp_bench_alike *alike);
void gfp_bench_alike_call(struct gfp_bench_alike *alike);
void gfp_bench_alike_end(struct gfp_bench_alike *alike);

#endif /* _MM_TESTS_GFP_BENCH_ALIKE_H */
