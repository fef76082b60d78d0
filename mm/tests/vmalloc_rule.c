// SPDX-License-Identifier: GPL-2.0
/*
 * Which calls a rule is about, what each attempt of a call is for, and whether
 * the rule was kept.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "vmalloc_rule.h"

const struct vmalloc_rule vmalloc_rules[NR_VMALLOC_RULES] = {
#define VMALLOC_RULE(_name, ...)					\
	[VMALLOC_RULE_##_name] = { .name = #_name, __VA_ARGS__ },
#include "vmalloc_contract.h"
#undef VMALLOC_RULE
};

static const char * const api_names[NR_VMALLOC_APIS] = {
	[VMALLOC_API_VMALLOC] = "vmalloc",
	[VMALLOC_API_HUGE] = "vmalloc_huge",
	[VMALLOC_API_KVMALLOC] = "kvmalloc",
};

static const char * const scope_texts[] = {
	[GFP_SCOPE_NONE] = "",
	[GFP_SCOPE_NOFS] = ", in a NOFS scope",
	[GFP_SCOPE_NOIO] = ", in a NOIO scope",
};

/**
 * vmalloc_rule_promise() - the bounds of a rule under a contract
 * @rule: the rule
 * @id: which contract
 *
 * Return: the bounds.
 */
const struct vmalloc_promise *vmalloc_rule_promise(const struct vmalloc_rule *rule,
						   enum gfp_verdict_id id)
{
	return gfp_is_nodirect(id) ? &rule->nodirect : &rule->documented;
}

/**
 * vmalloc_rule_covers() - whether a rule is about a call
 * @rule: the rule
 * @call: the call
 *
 * Return: true if it is.
 */
bool vmalloc_rule_covers(const struct vmalloc_rule *rule,
			 const struct vmalloc_call *call)
{
	return (rule->states & BIT(call->state)) &&
	       (rule->apis & BIT(call->api)) && rule->scope == call->scope &&
	       call->pages >= rule->pages.min && call->pages <= rule->pages.max &&
	       (call->gfp & rule->with) == rule->with &&
	       !(call->gfp & rule->without);
}

/**
 * vmalloc_mapping_order() - the order of blocks that a call would map as one
 * @call: the call
 *
 * Return: the order; 0 if it maps pages only.
 */
unsigned int vmalloc_mapping_order(const struct vmalloc_call *call)
{
	unsigned long size = (unsigned long)call->pages << PAGE_SHIFT;

	if (!IS_ENABLED(CONFIG_HAVE_ARCH_HUGE_VMALLOC) ||
	    call->api == VMALLOC_API_VMALLOC || !(call->gfp & __GFP_DIRECT_RECLAIM))
		return 0;
	if (size >= PMD_SIZE)
		return PMD_SHIFT - PAGE_SHIFT;
	return arch_vmap_pte_supported_shift(size) - PAGE_SHIFT;
}

/**
 * vmalloc_leg_of() - what an attempt was for
 * @call: the call
 * @result: its attempts
 * @nth: which of them
 *
 * vmalloc adds __GFP_HIGHMEM to the mask for memory that it will map, and slab
 * pages are compound.  kvmalloc() tries one block before anything else; of two
 * pages that is part of a larger slab.
 *
 * Return: what it was for.
 */
enum vmalloc_leg vmalloc_leg_of(const struct vmalloc_call *call,
				const struct vmalloc_result *result, int nth)
{
	const struct alloc_step *step = &result->trace.steps[nth];
	size_t size = (size_t)call->pages << PAGE_SHIFT;

	if (call->api == VMALLOC_API_KVMALLOC && (step->gfp & __GFP_COMP) && step->order &&
	    (call->pages == 2 || (!nth && step->order == get_order(size))))
		return VMALLOC_LEG_BLOCK;
	if (!step->order)
		return step->gfp & __GFP_HIGHMEM ? VMALLOC_LEG_PAGE : VMALLOC_LEG_OTHER;
	if ((step->gfp & __GFP_HIGHMEM) && (step->gfp & __GFP_DIRECT_RECLAIM) &&
	    step->order == vmalloc_mapping_order(call))
		return VMALLOC_LEG_MAPPING;
	return VMALLOC_LEG_LARGE;
}

/**
 * vmalloc_describe_call() - spell a call out
 * @call: the call
 * @buf: where the text goes
 * @size: size of @buf
 */
void vmalloc_describe_call(const struct vmalloc_call *call, char *buf, size_t size)
{
	gfp_t gfp = call->gfp;

	scnprintf(buf, size, "state %s, %s of %u pages, %pGg%s",
		  zone_state_name(call->state), api_names[call->api], call->pages,
		  &gfp, scope_texts[call->scope]);
}

static void scale(struct gfp_range *range, unsigned int times)
{
	if (range->max != U16_MAX)
		range->max *= times;
}

/* Hold a call, or so many attempts in a row, to the bounds of each. */
static bool effects_kept(const struct gfp_promise *bounds, unsigned int times,
			 const struct gfp_cell *cell,
			 const struct gfp_effects *seen, char *breach, size_t size)
{
	struct gfp_promise promise = *bounds;

	scale(&promise.reclaim, times);
	scale(&promise.compact, times);
	/* Served from what an earlier attempt of the call had made free. */
	if (seen->page && promise.kswapd == GFP_WAKE_IF_ASKED)
		promise.kswapd = GFP_WAKE_ALLOWED;
	if (gfp_promise_kept(&promise, cell, seen))
		return true;
	gfp_describe_breach(&promise, cell, seen, breach, size);
	return false;
}

static bool mask_kept(const struct vmalloc_promise *promise,
		      const struct alloc_step *step, char *breach, size_t size)
{
	gfp_t gfp = step->gfp;
	gfp_t wrong = (gfp & promise->never) | (~gfp & promise->always);

	if (!wrong)
		return true;
	scnprintf(breach, size, "order %u, %pGg: %s %pGg; contract: %s it",
		  step->order, &gfp, wrong & gfp ? "the mask has" : "the mask lacks",
		  &wrong, wrong & gfp ? "never has" : "always has");
	return false;
}

static bool attempts_kept(const struct vmalloc_rule *rule,
			  const struct vmalloc_promise *promise,
			  const struct vmalloc_call *call,
			  const struct vmalloc_result *result,
			  char *breach, size_t size)
{
	int i;

	for (i = 0; i < result->trace.nr; i++) {
		const struct alloc_step *step = &result->trace.steps[i];
		const struct gfp_cell cell = {
			.state = call->state, .order = step->order, .gfp = step->gfp,
		};

		if (!(rule->legs & BIT(vmalloc_leg_of(call, result, i))))
			continue;
		if (!effects_kept(&promise->effects, step->times, &cell, &step->did,
				  breach, size) ||
		    !mask_kept(promise, step, breach, size))
			return false;
	}
	return true;
}

/*
 * The array of pages may itself be vmalloc'ed: its pages are zeroed, and their
 * orders fall by themselves.
 */
static bool orders_fall(const struct vmalloc_call *call,
			const struct vmalloc_result *result,
			char *breach, size_t size)
{
	unsigned int failed[2] = { NR_PAGE_ORDERS, NR_PAGE_ORDERS };
	int i;

	for (i = 0; i < result->trace.nr; i++) {
		const struct alloc_step *step = &result->trace.steps[i];
		enum vmalloc_leg leg = vmalloc_leg_of(call, result, i);
		unsigned int *lowest = &failed[!!(step->gfp & __GFP_ZERO)];

		if (leg == VMALLOC_LEG_MAPPING && !step->did.page) {
			failed[0] = NR_PAGE_ORDERS;
			failed[1] = NR_PAGE_ORDERS;
		}
		if (leg != VMALLOC_LEG_LARGE || !(step->gfp & __GFP_HIGHMEM))
			continue;
		if (step->order >= *lowest) {
			scnprintf(breach, size,
				  "order %u after order %u had failed; contract: no order again",
				  step->order, *lowest);
			return false;
		}
		if (!step->did.page)
			*lowest = step->order;
	}
	return true;
}

static bool call_kept(const struct vmalloc_promise *promise,
		      const struct vmalloc_call *call,
		      const struct vmalloc_result *result, char *breach, size_t size)
{
	const struct gfp_cell cell = { .state = call->state, .gfp = call->gfp };

	if (promise->contiguous && result->area) {
		scnprintf(breach, size, "memory in the vmalloc area; contract: one block");
		return false;
	}
	return effects_kept(&promise->effects, 1, &cell, &result->seen, breach, size);
}

/**
 * vmalloc_promise_kept() - judge a call
 * @rule: the rule, which says what of the call is judged
 * @promise: the bounds
 * @call: what was asked for
 * @result: what it did
 * @breach: where the first breach is spelled out
 * @size: size of @breach
 *
 * Return: true if everything stayed in the bounds.
 */
bool vmalloc_promise_kept(const struct vmalloc_rule *rule,
			  const struct vmalloc_promise *promise,
			  const struct vmalloc_call *call,
			  const struct vmalloc_result *result,
			  char *breach, size_t size)
{
	if (!rule->legs)
		return call_kept(promise, call, result, breach, size);
	if (promise->falls && !orders_fall(call, result, breach, size))
		return false;
	return attempts_kept(rule, promise, call, result, breach, size);
}
