// SPDX-License-Identifier: GPL-2.0
/*
 * Which rule an attempt belongs to, and whether it was kept.
 */
#include <kunit/test.h>
#include <linux/string.h>

#include "iomap_folio_rule.h"

const struct iomap_rule iomap_rules[NR_IOMAP_RULES] = {
#define IOMAP_RULE(_name, ...)						\
	[IOMAP_RULE_##_name] = { .name = #_name, __VA_ARGS__ },
#include "iomap_folio_contract.h"
#undef IOMAP_RULE
};

/**
 * iomap_rule_promise() - the bounds of a rule
 * @rule: the rule
 * @id: under which contract
 *
 * Return: the bounds.
 */
const struct gfp_promise *iomap_rule_promise(const struct iomap_rule *rule,
					     enum gfp_verdict_id id)
{
	return gfp_is_nodirect(id) ? &rule->nodirect : &rule->documented;
}

/**
 * iomap_rule_covers() - whether an attempt belongs to a rule
 * @rule: the rule
 * @state: the zone state
 * @order: the order of the attempt
 * @nowait: whether the write has %IOCB_NOWAIT
 *
 * Return: true if it does.
 */
bool iomap_rule_covers(const struct iomap_rule *rule, enum zone_state_id state,
		       unsigned int order, bool nowait)
{
	return (rule->states & BIT(state)) && rule->nowait == nowait &&
	       order >= rule->orders.min && order <= rule->orders.max;
}

static struct gfp_cell cell_of(enum zone_state_id state,
			       const struct alloc_step *step)
{
	return (struct gfp_cell){
		.state = state, .order = step->order, .gfp = step->gfp,
	};
}

static bool mask_kept(const struct iomap_rule *rule, gfp_t gfp)
{
	return (gfp & rule->has) == rule->has && !(gfp & rule->lacks);
}

/**
 * iomap_step_kept() - judge an attempt
 * @rule: the rule that it belongs to
 * @id: under which contract
 * @state: the zone state
 * @step: the attempt
 *
 * Return: true if its mask is as promised and all effects stayed in their
 * bounds.
 */
bool iomap_step_kept(const struct iomap_rule *rule, enum gfp_verdict_id id,
		     enum zone_state_id state, const struct alloc_step *step)
{
	const struct gfp_cell cell = cell_of(state, step);

	return mask_kept(rule, step->gfp) &&
	       gfp_promise_kept(iomap_rule_promise(rule, id), &cell, &step->did);
}

/**
 * iomap_describe_breach() - say in one line what an attempt broke
 * @rule: the rule that it belongs to
 * @id: under which contract
 * @state: the zone state
 * @step: the attempt
 * @buf: where the text goes
 * @size: size of @buf
 */
void iomap_describe_breach(const struct iomap_rule *rule, enum gfp_verdict_id id,
			   enum zone_state_id state,
			   const struct alloc_step *step, char *buf, size_t size)
{
	const struct gfp_cell cell = cell_of(state, step);
	gfp_t missing = rule->has & ~step->gfp;
	gfp_t extra = rule->lacks & step->gfp;

	if (mask_kept(rule, step->gfp)) {
		gfp_describe_breach(iomap_rule_promise(rule, id), &cell,
				    &step->did, buf, size);
		return;
	}
	gfp_describe_cell(&cell, buf, size);
	if (missing)
		scnprintf(buf + strlen(buf), size - strlen(buf),
			  "; contract: the mask has %pGg", &missing);
	if (extra)
		scnprintf(buf + strlen(buf), size - strlen(buf),
			  "; contract: the mask has no %pGg", &extra);
}
