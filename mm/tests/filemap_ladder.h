/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ladder of __filemap_get_folio(): from the wanted order down to the
 * mapping's minimum, one attempt each, until one gets a folio.
 */
#ifndef _MM_TESTS_FILEMAP_LADDER_H
#define _MM_TESTS_FILEMAP_LADDER_H

#include <linux/pagemap.h>

#include "alloc_observer.h"
#include "test_inode.h"
#include "zone_state.h"

/**
 * struct ladder_call - what is asked for, and where
 * @state: the zone state
 * @min: the mapping's minimum order
 * @max: the mapping's maximum order
 * @wanted: the order that the caller's length asks for
 * @index: where in the file
 * @fgp: flags, without FGP_CREAT and the order
 * @gfp: the caller's mask
 * @writeback: whether the mapping's dirty folios can be written back
 * @readahead: read ahead one folio of the minimum order instead; @gfp is the
 *	mapping's mask then, and there are no flags
 */
struct ladder_call {
	enum zone_state_id state;
	unsigned int min;
	unsigned int max;
	unsigned int wanted;
	pgoff_t index;
	fgf_t fgp;
	gfp_t gfp;
	bool writeback;
	bool readahead;
};

/**
 * struct ladder - a call and what came of it
 * @call: the call
 * @trace: its attempts
 * @seen: its effects, all attempts together
 * @err: why there is no folio, or 0; the rest is about the folio then
 * @order: its order
 * @index: its index
 * @locked: whether it was returned locked
 * @referenced: whether it is marked accessed
 * @dropbehind: whether it is dropped after writeback
 */
struct ladder {
	struct ladder_call call;
	struct alloc_trace trace;
	struct gfp_effects seen;
	int err;
	unsigned int order;
	pgoff_t index;
	bool locked;
	bool referenced;
	bool dropbehind;
};

/**
 * struct ladder_files - the files that folios are asked for
 * @plain: one without writeback
 * @disk: one with
 */
struct ladder_files {
	struct test_inode plain;
	struct test_inode disk;
};

int ladder_files_init(struct ladder_files *files);
void ladder_files_exit(struct ladder_files *files);
bool ladder_climb(struct zone_state *zs, struct ladder_files *files,
		  struct ladder *ladder, unsigned long *again);
void ladder_describe(const struct ladder_call *call, char *buf, size_t size);

#endif /* _MM_TESTS_FILEMAP_LADDER_H */
