/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The model that look-ups of new folios are held to.  It knows what fgf_set_order()
 * and a mapping promise, and nothing of how they keep it.
 */
#ifndef _MM_TESTS_FOLIO_ORDER_H
#define _MM_TESTS_FOLIO_ORDER_H

#include <linux/align.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/types.h>

/**
 * folio_first_order() - the order that a new folio is asked for with at first
 * @index: the page that the folio is to contain
 * @wanted: the order that the caller would like
 * @min: the mapping's minimum order
 * @max: its maximum order
 *
 * The largest one that is wanted, allowed, and naturally aligned at the index;
 * where the index is not aligned to the mapping's minimum, a folio of that order
 * starts before it.
 *
 * Return: the order.
 */
static inline unsigned int folio_first_order(pgoff_t index, unsigned int wanted,
					     unsigned int min, unsigned int max)
{
	unsigned int order = clamp(wanted, min, max);

	index = round_down(index, 1UL << min);
	while (order > min && !IS_ALIGNED(index, 1UL << order))
		order--;
	return order;
}

#endif /* _MM_TESTS_FOLIO_ORDER_H */
