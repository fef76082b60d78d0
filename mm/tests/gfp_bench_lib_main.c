// SPDX-License-Identifier: GPL-2.0
/*
 * The module of what the benchmarks share; see the other files.
 */
#include <linux/module.h>

MODULE_DESCRIPTION("Timing of calls that allocate, shared by benchmarks");
MODULE_LICENSE("GPL");
