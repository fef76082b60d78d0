/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One attempt to allocate, in a proven state, observed and undisturbed.
 */
#ifndef _MM_TESTS_GFP_ATTEMPT_H
#define _MM_TESTS_GFP_ATTEMPT_H

#include "gfp_rule.h"

bool gfp_attempt(struct zone_state *zs, const struct gfp_cell *cell,
		 const struct gfp_promise *promise, struct gfp_effects *seen,
		 unsigned long *again);

#endif /* _MM_TESTS_GFP_ATTEMPT_H */
