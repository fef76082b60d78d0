/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules about the attempts that a write makes, and other promises about writes.
 * The rules themselves are in iomap_folio_contract.h.
 */
#ifndef _IOMAP_FOLIO_RULE_H
#define _IOMAP_FOLIO_RULE_H

#include "gfp_rule.h"
#include "gfp_suite.h"
#include "gfp_test_compat.h"

/* What iomap asks for on behalf of our files, whose mask is GFP_HIGHUSER_MOVABLE. */
#define IOMAP_CALLER_GFP	(GFP_HIGHUSER_MOVABLE & ~GFP_COMPAT_IOMAP_TAKES)

/**
 * struct iomap_rule - one promise, about some attempts to allocate a folio
 * @name: also the name of its KUnit case
 * @source: where the promise is written
 * @nowait: whether the write has %IOCB_NOWAIT
 * @states: the zone states, a set of BIT(enum zone_state_id)
 * @orders: the orders
 * @has: bits that the mask must have
 * @lacks: bits that it must not have
 * @documented: the bounds under the contract "documented"
 * @nodirect: the bounds under the contract "nodirect"
 *
 * Other than in &struct gfp_rule, the mask does not decide which rule an attempt
 * belongs to: it is the kernel's choice here, and judged.
 */
struct iomap_rule {
	const char *name;
	const char *source;
	bool nowait;
	unsigned long states;
	struct gfp_range orders;
	gfp_t has;
	gfp_t lacks;
	struct gfp_promise documented;
	struct gfp_promise nodirect;
};

/* One for each rule, in the order of iomap_folio_contract.h. */
enum iomap_rule_id {
#define IOMAP_RULE(_name, ...)	IOMAP_RULE_##_name,
#include "iomap_folio_contract.h"
#undef IOMAP_RULE
	NR_IOMAP_RULES,
};

extern const struct iomap_rule iomap_rules[NR_IOMAP_RULES];

const struct gfp_promise *iomap_rule_promise(const struct iomap_rule *rule,
					     enum gfp_verdict_id id);
bool iomap_rule_covers(const struct iomap_rule *rule, enum zone_state_id state,
		       unsigned int order, bool nowait);
bool iomap_step_kept(const struct iomap_rule *rule, enum gfp_verdict_id id,
		     enum zone_state_id state, const struct alloc_step *step);
void iomap_describe_breach(const struct iomap_rule *rule, enum gfp_verdict_id id,
			   enum zone_state_id state,
			   const struct alloc_step *step, char *buf, size_t size);

#endif /* _IOMAP_FOLIO_RULE_H */
