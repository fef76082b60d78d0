/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file of our own, without a disk or a name.
 */
#ifndef _MM_TESTS_TEST_INODE_H
#define _MM_TESTS_TEST_INODE_H

#include <linux/types.h>

struct inode;
struct vfsmount;

/**
 * struct test_inode - a file
 * @mnt: the file system that it lives in, its only user
 * @inode: the file
 */
struct test_inode {
	struct vfsmount *mnt;
	struct inode *inode;
};

int test_inode_init(struct test_inode *file, bool writeback);
void test_inode_exit(struct test_inode *file);

#endif /* _MM_TESTS_TEST_INODE_H */
