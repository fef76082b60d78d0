/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Have all memory of a vmalloc() back.
 */
#ifndef _MM_TESTS_VMALLOC_SETTLE_H
#define _MM_TESTS_VMALLOC_SETTLE_H

void vmalloc_settle(void);
void vmalloc_warm_up(unsigned int pages);

#endif /* _MM_TESTS_VMALLOC_SETTLE_H */
