// SPDX-License-Identifier: GPL-2.0
/*
 * Clean page cache that holds memory apart.
 *
 * Folios of an evictable file can be reclaimed, and also migrated.  Those of
 * an unevictable one can only be migrated: a clean folio of an evictable file
 * is reclaimed rather than moved, so that what an attempt meets would depend
 * on who came first.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/migrate.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/pagemap.h>
#include <linux/pseudo_fs.h>

#include "gfp_test_compat.h"
#include "zone_holder.h"
#include "zone_fragment.h"

#define ZONE_HOLDER_MAGIC	0x67667074	/* "gfpt" */

static int zone_holder_init_fs_context(struct fs_context *fc)
{
	return init_pseudo(fc, ZONE_HOLDER_MAGIC) ? 0 : -ENOMEM;
}

static struct file_system_type zone_holder_fs = {
	.owner = THIS_MODULE,
	.name = "gfp_test",
	.init_fs_context = zone_holder_init_fs_context,
	.kill_sb = kill_anon_super,
};

static const struct address_space_operations zone_holder_aops = {
	.dirty_folio = noop_dirty_folio,
	.migrate_folio = filemap_migrate_folio,
};

/**
 * zone_holder_init() - make an empty file
 * @holder: to be initialised
 * @evictable: whether reclaim may free its folios
 *
 * Return: 0 or a negative error.
 */
int zone_holder_init(struct zone_holder *holder, bool evictable)
{
	struct vfsmount *mnt;
	struct inode *inode;

	*holder = (struct zone_holder){};
	mnt = kern_mount(&zone_holder_fs);
	if (IS_ERR(mnt))
		return PTR_ERR(mnt);
	inode = alloc_anon_inode(mnt->mnt_sb);
	if (IS_ERR(inode)) {
		kern_unmount(mnt);
		return PTR_ERR(inode);
	}
	inode->i_mapping->a_ops = &zone_holder_aops;
	mapping_set_gfp_mask(inode->i_mapping, GFP_USER | __GFP_MOVABLE);
	if (!evictable)
		mapping_set_unevictable(inode->i_mapping);
	holder->mnt = mnt;
	holder->inode = inode;
	return 0;
}

/**
 * zone_holder_exit() - free the file and all that it holds
 * @holder: initialised or zeroed
 */
void zone_holder_exit(struct zone_holder *holder)
{
	if (holder->inode)
		iput(holder->inode);
	if (holder->mnt)
		kern_unmount(holder->mnt);
	*holder = (struct zone_holder){};
}

/**
 * zone_holder_add() - let the file hold a page
 * @holder: the file
 * @page: a page of order 0 with one reference, which the file takes over
 *
 * Return: 0, or a negative error; the page is the caller's still then.
 */
int zone_holder_add(struct zone_holder *holder, struct page *page)
{
	struct folio *folio = page_folio(page);
	int err;

	err = filemap_add_folio(holder->inode->i_mapping, folio, holder->next,
				ZONE_FRAGMENT_GFP);
	if (err)
		return err;
	holder->next++;
	folio_mark_uptodate(folio);
	folio_unlock(folio);
	folio_put(folio);
	return 0;
}

/**
 * zone_holder_thin() - free one of every two pages that are buddies
 * @holder: the file
 *
 * Pages that compaction moved fill the gaps between others.  Without one of
 * each pair, every other page is free again.
 */
void zone_holder_thin(struct zone_holder *holder)
{
	struct address_space *mapping = holder->inode->i_mapping;
	struct folio_batch batch;
	pgoff_t index = 0;
	unsigned int i;

	folio_batch_init(&batch);
	while (filemap_get_folios(mapping, &index, ULONG_MAX, &batch)) {
		for (i = 0; i < folio_batch_count(&batch); i++) {
			struct folio *folio = batch.folios[i];
			struct page *buddy = pfn_to_page(folio_pfn(folio) ^ 1);

			if (page_folio(buddy)->mapping == mapping)
				truncate_inode_pages_range(mapping,
							   folio_pos(folio),
							   folio_pos(folio) + PAGE_SIZE - 1);
		}
		folio_batch_release(&batch);
		cond_resched();
	}
}

/**
 * zone_holder_drop() - free all that the file holds, and keep the file
 * @holder: the file
 */
void zone_holder_drop(struct zone_holder *holder)
{
	if (holder->inode)
		truncate_inode_pages(holder->inode->i_mapping, 0);
	holder->next = 0;
}

/**
 * zone_holder_pages() - how many pages the file holds
 * @holder: the file
 *
 * Return: the number of pages in the page cache.
 */
unsigned long zone_holder_pages(const struct zone_holder *holder)
{
	return holder->inode ? holder->inode->i_mapping->nrpages : 0;
}
