/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Manners on a machine that others use too.
 */
#ifndef _MM_TESTS_LIVE_MACHINE_H
#define _MM_TESTS_LIVE_MACHINE_H

struct kunit;

void live_machine_begin(void);
void live_machine_end(void);
int live_machine_signal(void);
void live_machine_admit(struct kunit *test, unsigned long pages);

#endif /* _MM_TESTS_LIVE_MACHINE_H */
