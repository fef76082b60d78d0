/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MM_TESTS_GFP_ATTEMPT_H
#define _MM_TESTS_GFP_ATTEMPT_H

#include "alloc_observer.h"
#include "gfp_rule.h"
#include "gfp_scope.h"
#include "memory_giver.h"
#include "zone_state.h"

/**
 * struct gfp_call - something that allocates, to be made in a proven state
 * @call: makes it
 * @undo: frees what it got; may be called after a call that got nothing
 * @notify: told of each entry into reclaim or compaction, and to pass it on to
 *	memory_giver_notify(); NULL for that alone
 * @terms: when the call is given memory
 * @trace: where its attempts are recorded one by one, or NULL
 */
struct gfp_call {
	void (*call)(struct gfp_call *call);
	void (*undo)(struct gfp_call *call);
	alloc_observer_notify_t notify;
	struct memory_giver_terms terms;
	struct alloc_trace *trace;
};

bool gfp_make_call(struct zone_state *zs, struct gfp_call *call,
		   struct gfp_effects *seen, unsigned long *again);
bool gfp_make_call_unproven(struct zone_state *zs, struct gfp_call *call,
			    struct gfp_effects *seen);
bool gfp_attempt_in_scope(struct zone_state *zs, const struct gfp_cell *cell,
			  enum gfp_scope scope, const struct gfp_promise *promise,
			  struct alloc_trace *trace, struct gfp_effects *seen,
			  unsigned long *again);
bool gfp_attempt(struct zone_state *zs, const struct gfp_cell *cell,
		 const struct gfp_promise *promise, struct gfp_effects *seen,
		 unsigned long *again);

#endif /* _MM_TESTS_GFP_ATTEMPT_H */
