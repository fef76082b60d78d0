// SPDX-License-Identifier: GPL-2.0
/*
 * A file of our own, without a disk or a name: an inode and its page cache.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/pseudo_fs.h>

#include "test_inode.h"

#define TEST_INODE_MAGIC	0x67667074	/* "gfpt" */

static int test_inode_init_fs_context(struct fs_context *fc)
{
	return init_pseudo(fc, TEST_INODE_MAGIC) ? 0 : -ENOMEM;
}

static struct file_system_type test_inode_fs = {
	.owner = THIS_MODULE,
	.name = "gfp_test",
	.init_fs_context = test_inode_init_fs_context,
	.kill_sb = kill_anon_super,
};

/**
 * test_inode_init() - make an empty file
 * @file: to be initialised
 * @writeback: whether its dirty folios can be written back, as on a disk; the
 *	caller provides the operations
 *
 * Return: 0 or a negative error.
 */
int test_inode_init(struct test_inode *file, bool writeback)
{
	struct inode *inode;
	int err = 0;

	*file = (struct test_inode){};
	file->mnt = kern_mount(&test_inode_fs);
	if (IS_ERR(file->mnt)) {
		err = PTR_ERR(file->mnt);
		file->mnt = NULL;
		return err;
	}
	if (writeback)
		err = super_setup_bdi(file->mnt->mnt_sb);
	if (err)
		goto out;
	inode = alloc_anon_inode(file->mnt->mnt_sb);
	if (IS_ERR(inode)) {
		err = PTR_ERR(inode);
		goto out;
	}
	file->inode = inode;
	return 0;
out:
	test_inode_exit(file);
	return err;
}
EXPORT_SYMBOL_GPL(test_inode_init);

/**
 * test_inode_exit() - free the file and its page cache
 * @file: initialised or zeroed
 */
void test_inode_exit(struct test_inode *file)
{
	if (file->inode)
		iput(file->inode);
	if (file->mnt)
		kern_unmount(file->mnt);
	*file = (struct test_inode){};
}
EXPORT_SYMBOL_GPL(test_inode_exit);
