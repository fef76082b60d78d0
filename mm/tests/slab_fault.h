/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Slab allocations that fail on purpose, for one task.
 */
#ifndef _MM_TESTS_SLAB_FAULT_H
#define _MM_TESTS_SLAB_FAULT_H

struct kunit;

void slab_fault_init(struct kunit *test);
void slab_fault_start(void);
unsigned int slab_fault_stop(void);

#endif /* _MM_TESTS_SLAB_FAULT_H */
