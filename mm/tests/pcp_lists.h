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
 * @saved: the limits of each list before
 */
struct pcp_lists {
	pg_data_t *pgdat;
	struct pcp_list_limits *saved;
};

int pcp_lists_init(struct pcp_lists *pcp, pg_data_t *pgdat);
void pcp_lists_exit(struct pcp_lists *pcp);
void pcp_lists_bypass(struct pcp_lists *pcp);
void pcp_lists_batch(struct pcp_lists *pcp);
void pcp_lists_empty(struct pcp_lists *pcp);
void pcp_lists_plant(struct pcp_lists *pcp);
unsigned long pcp_lists_count(const struct pcp_lists *pcp);

#endif /* _MM_TESTS_PCP_LISTS_H */
