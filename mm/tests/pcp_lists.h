/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keep the per-CPU page lists of a node out of the way, or put a page on them.
 */
#ifndef _MM_TESTS_PCP_LISTS_H
#define _MM_TESTS_PCP_LISTS_H

#include <linux/mmzone.h>
#include <linux/types.h>

struct pcp_list_limits;

/**
 * struct pcp_lists - the per-CPU lists of all zones of a node
 * @pgdat: the node
 * @saved: the limits of each list before pcp_lists_bypass()
 * @bypassed: whether pages now go straight to the buddy lists
 */
struct pcp_lists {
	pg_data_t *pgdat;
	struct pcp_list_limits *saved;
	bool bypassed;
};

int pcp_lists_init(struct pcp_lists *pcp, pg_data_t *pgdat);
void pcp_lists_exit(struct pcp_lists *pcp);
void pcp_lists_bypass(struct pcp_lists *pcp);
void pcp_lists_restore(struct pcp_lists *pcp);
void pcp_lists_empty(struct pcp_lists *pcp);
void pcp_lists_empty_all_cpus(struct pcp_lists *pcp);
void pcp_lists_plant(struct pcp_lists *pcp);
unsigned long pcp_lists_count(const struct pcp_lists *pcp);

#endif /* _MM_TESTS_PCP_LISTS_H */
