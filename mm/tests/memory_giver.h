/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Give memory back to an attempt that cannot end without it.
 */
#ifndef _MM_TESTS_MEMORY_GIVER_H
#define _MM_TESTS_MEMORY_GIVER_H

#include <linux/types.h>

struct zone_state;
struct gfp_effects;

/**
 * struct memory_giver_terms - when an attempt is given memory
 * @must_succeed: the attempt does not end by itself (__GFP_NOFAIL)
 * @min_reclaim: not before it has entered direct reclaim this often
 * @min_compact: and direct compaction this often
 */
struct memory_giver_terms {
	bool must_succeed;
	unsigned int min_reclaim;
	unsigned int min_compact;
};

int memory_giver_start(void);
void memory_giver_stop(void);
void memory_giver_arm(struct zone_state *zs,
		      const struct memory_giver_terms *terms);
bool memory_giver_disarm(void);
void memory_giver_notify(const struct gfp_effects *seen);

#endif /* _MM_TESTS_MEMORY_GIVER_H */
