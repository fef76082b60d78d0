/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One call of vmalloc() or kvmalloc(), in a proven state, observed.
 */
#ifndef _MM_TESTS_VMALLOC_CALL_H
#define _MM_TESTS_VMALLOC_CALL_H

#include "vmalloc_rule.h"

bool vmalloc_observe(struct zone_state *zs, const struct vmalloc_call *call,
		     struct vmalloc_result *result, unsigned long *again);

#endif /* _MM_TESTS_VMALLOC_CALL_H */
