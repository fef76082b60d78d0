/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One write in a proven zone state, observed attempt by attempt.
 */
#ifndef _IOMAP_FOLIO_WRITE_H
#define _IOMAP_FOLIO_WRITE_H

#include "alloc_observer.h"
#include "iomap_folio_file.h"
#include "zone_state.h"

/**
 * struct iomap_seen - what one write did
 * @ret: what it returned
 * @whole: its effects
 * @trace: its attempts to allocate folios, the first %ALLOC_TRACE_STEPS of them
 * @complete: whether it did all that it should, see iomap_test_complete()
 * @why: what is wrong if it did not
 */
struct iomap_seen {
	ssize_t ret;
	struct gfp_effects whole;
	struct alloc_trace trace;
	bool complete;
	char why[120];
};

bool iomap_observe(struct zone_state *zs, struct iomap_test_file *file,
		   const struct iomap_test_write *write, void *buf, int flags,
		   struct iomap_seen *seen, unsigned long *again);
void iomap_observe_unproven(struct zone_state *zs, struct iomap_test_file *file,
			    const struct iomap_test_write *write, void *buf,
			    int flags, struct iomap_seen *seen);
unsigned int iomap_first_order(pgoff_t index, size_t len, unsigned int min,
			       unsigned int max);

#endif /* _IOMAP_FOLIO_WRITE_H */
