// SPDX-License-Identifier: GPL-2.0
/*
 * Clean page cache that holds memory apart.
 *
 * Folios of an evictable file can be reclaimed, and also migrated.  Those of
 * an unevictable one can only be migrated: a clean folio of an evictable file
 * is reclaimed rather than moved, so that what an attempt meets would depend
 * on who came first.
 */
#include <linux/fs.h>
#include <linux/migrate.h>
#include <linux/mm.h>
#include <linux/pagemap.h>

#include "gfp_test_compat.h"
#include "zone_holder.h"
#include "zone_fragment.h"

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
	struct address_space *mapping;
	int err;

	*holder = (struct zone_holder){};
	err = test_inode_init(&holder->file, false);
	if (err)
		return err;
	mapping = holder->file.inode->i_mapping;
	mapping->a_ops = &zone_holder_aops;
	mapping_set_gfp_mask(mapping, GFP_USER | __GFP_MOVABLE);
	if (!evictable)
		mapping_set_unevictable(mapping);
	return 0;
}

/**
 * zone_holder_exit() - free the file and all that it holds
 * @holder: initialised or zeroed
 */
void zone_holder_exit(struct zone_holder *holder)
{
	test_inode_exit(&holder->file);
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

	err = filemap_add_folio(holder->file.inode->i_mapping, folio, holder->next,
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
	struct address_space *mapping = holder->file.inode->i_mapping;
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
	if (holder->file.inode)
		truncate_inode_pages(holder->file.inode->i_mapping, 0);
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
	return holder->file.inode ? holder->file.inode->i_mapping->nrpages : 0;
}
