/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Allocations of one task that fail on purpose.
 */
#ifndef _MM_TESTS_ALLOC_FAULT_H
#define _MM_TESTS_ALLOC_FAULT_H

#include <linux/types.h>

struct kunit;

/**
 * enum alloc_fault_kind - which allocations fail
 * @ALLOC_FAULT_SLAB: those of slab objects
 * @ALLOC_FAULT_ANY: those of pages, too
 */
enum alloc_fault_kind {
	ALLOC_FAULT_SLAB,
	ALLOC_FAULT_ANY,
};

void alloc_fault_init(struct kunit *test);
void alloc_fault_start(enum alloc_fault_kind kind, unsigned int nth);
unsigned int alloc_fault_stop(void);
unsigned int alloc_fault_failures(void);
void alloc_fault_pause(bool pause);

#endif /* _MM_TESTS_ALLOC_FAULT_H */
