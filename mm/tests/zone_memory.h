/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Account for the memory of a node, to the page.
 */
#ifndef _MM_TESTS_ZONE_MEMORY_H
#define _MM_TESTS_ZONE_MEMORY_H

#include <linux/mmzone.h>

struct pcp_lists;

/**
 * struct zone_memory - what a node's memory is worth, in pages
 * @free: free pages, wherever they wait
 * @stacks: pages of kernel stacks
 */
struct zone_memory {
	long free;
	long stacks;
};

long zone_memory_stack_cache(void);
long zone_memory_free(pg_data_t *pgdat);
void zone_memory_settle(struct zone_memory *memory, pg_data_t *pgdat,
			struct pcp_lists *pcp);
long zone_memory_wait(const struct zone_memory *before, pg_data_t *pgdat,
		      struct pcp_lists *pcp);

#endif /* _MM_TESTS_ZONE_MEMORY_H */
