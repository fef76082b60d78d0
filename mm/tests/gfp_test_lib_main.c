// SPDX-License-Identifier: GPL-2.0
/*
 * The module of what the gfp suites share; see the other files.
 */
#include <linux/module.h>

MODULE_DESCRIPTION("Zone states and observer for the gfp KUnit suites");
MODULE_LICENSE("GPL");
