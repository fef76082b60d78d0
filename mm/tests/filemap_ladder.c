// SPDX-License-Identifier: GPL-2.0
/*
 * Ask __filemap_get_folio() for a folio that is not there, and see the attempts.
 */
#include <linux/container_of.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/sprintf.h>

#include "filemap_ladder.h"
#include "gfp_attempt.h"
#include "gfp_test_compat.h"

/*
 * Bits that user pages of the page cache are asked for with, and slab pages, such
 * as the nodes of its tree, are not.
 */
#define LADDER_STEP_GFP		__GFP_HARDWALL

static const struct {
	fgf_t flag;
	const char *name;
} ladder_flags[] = {
	{ FGP_LOCK, "FGP_LOCK" },
	{ FGP_FOR_MMAP, "FGP_FOR_MMAP" },
	{ FGP_WRITE, "FGP_WRITE" },
	{ FGP_NOFS, "FGP_NOFS" },
	{ FGP_NOWAIT, "FGP_NOWAIT" },
	{ FGP_ACCESSED, "FGP_ACCESSED" },
	{ FGP_STABLE, "FGP_STABLE" },
	{ GFP_COMPAT_FGP_DONTCACHE, "FGP_DONTCACHE" },
};

static void read_nothing(struct readahead_control *ractl)
{
	struct folio *folio;

	while ((folio = readahead_folio(ractl)))
		folio_end_read(folio, true);
}

/* Nobody writes to these folios, or back from them. */
static const struct address_space_operations ladder_aops = {
	.dirty_folio = noop_dirty_folio,
	.readahead = read_nothing,
};

/**
 * ladder_files_init() - make the files
 * @files: to be initialised
 *
 * Return: 0 or a negative error.
 */
int ladder_files_init(struct ladder_files *files)
{
	int err;

	*files = (struct ladder_files){};
	err = test_inode_init(&files->plain, false);
	if (!err)
		err = test_inode_init(&files->disk, true);
	if (err) {
		ladder_files_exit(files);
		return err;
	}
	files->plain.inode->i_mapping->a_ops = &ladder_aops;
	files->disk.inode->i_mapping->a_ops = &ladder_aops;
	return 0;
}

/**
 * ladder_files_exit() - free the files
 * @files: initialised or zeroed
 */
void ladder_files_exit(struct ladder_files *files)
{
	test_inode_exit(&files->plain);
	test_inode_exit(&files->disk);
}

/* A ladder being climbed. */
struct climb {
	struct gfp_call call;
	struct ladder *ladder;
	struct address_space *mapping;
	struct folio *folio;
};

static void read_ahead(struct gfp_call *call)
{
	struct climb *climb = container_of(call, struct climb, call);
	const struct ladder_call *asked = &climb->ladder->call;
	struct address_space *mapping = climb->mapping;
	struct file_ra_state ra = {};
	DEFINE_READAHEAD(ractl, NULL, &ra, mapping, asked->index);

	filemap_invalidate_lock_shared(mapping);
	page_cache_ra_unbounded(&ractl, 1UL << asked->min, 0);
	filemap_invalidate_unlock_shared(mapping);
	climb->folio = filemap_get_folio(mapping, asked->index);
}

static void climb_up(struct gfp_call *call)
{
	struct climb *climb = container_of(call, struct climb, call);
	const struct ladder_call *asked = &climb->ladder->call;
	fgf_t fgp = asked->fgp | FGP_CREAT;

	climb->folio = __filemap_get_folio(climb->mapping, asked->index,
					   fgp | fgf_set_order(PAGE_SIZE << asked->wanted),
					   asked->gfp);
}

/* Note what the folio is like, and take it out of the file again. */
static void climb_down(struct gfp_call *call)
{
	struct climb *climb = container_of(call, struct climb, call);
	struct ladder *ladder = climb->ladder;
	struct folio *folio = climb->folio;

	ladder->err = PTR_ERR_OR_ZERO(folio);
	if (ladder->err)
		return;
	ladder->order = folio_order(folio);
	ladder->index = folio->index;
	ladder->locked = folio_test_locked(folio);
	ladder->referenced = folio_test_referenced(folio);
	ladder->dropbehind = gfp_compat_dropbehind(folio);
	if (ladder->locked)
		folio_unlock(folio);
	folio_put(folio);
	truncate_inode_pages(climb->mapping, 0);
}

/**
 * ladder_climb() - make the call
 * @zs: the state that it is about
 * @files: the files
 * @ladder: its @call says what to ask for; the rest is filled in
 * @again: see gfp_make_call()
 *
 * Return: false if there was nothing to judge; @zs->why says why.
 */
bool ladder_climb(struct zone_state *zs, struct ladder_files *files,
		  struct ladder *ladder, unsigned long *again)
{
	const struct ladder_call *call = &ladder->call;
	struct test_inode *file = call->writeback ? &files->disk : &files->plain;
	struct climb climb = {
		.call = {
			.call = call->readahead ? read_ahead : climb_up,
			.undo = climb_down,
			.trace = &ladder->trace,
		},
		.ladder = ladder,
		.mapping = file->inode->i_mapping,
	};

	mapping_set_folio_order_range(climb.mapping, call->min, call->max);
	mapping_set_gfp_mask(climb.mapping, call->gfp);
	ladder->trace.with = LADDER_STEP_GFP;
	return gfp_make_call(zs, &climb.call, &ladder->seen, again);
}

static size_t print_flags(fgf_t fgp, char *buf, size_t size)
{
	size_t len = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(ladder_flags); i++) {
		if (fgp & ladder_flags[i].flag)
			len += scnprintf(buf + len, size - len, "%s%s",
					 len ? "|" : "", ladder_flags[i].name);
	}
	return len;
}

/**
 * ladder_describe() - spell a call out
 * @call: the call
 * @buf: where the text goes
 * @size: size of @buf
 */
void ladder_describe(const struct ladder_call *call, char *buf, size_t size)
{
	gfp_t gfp = call->gfp;
	char flags[100] = "readahead";

	if (!call->readahead)
		print_flags(call->fgp, flags, sizeof(flags));
	scnprintf(buf, size, "state %s, mapping %u to %u%s, order %u at index %lu, %s, %pGg",
		  zone_state_name(call->state), call->min, call->max,
		  call->writeback ? " with writeback" : "", call->wanted,
		  call->index, flags, &gfp);
}
