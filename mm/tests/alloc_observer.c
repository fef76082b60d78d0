// SPDX-License-Identifier: GPL-2.0
/*
 * Observe what an attempt to allocate pages does, by tracepoint probes that
 * count only the task under test.
 *
 * The vm_events would not do: COMPACTSTALL, for one, does not count a direct
 * compaction that was deferred or skipped, so that "no stall" can be read
 * although compaction was entered.
 *
 * The tracepoints are not exported.  They are looked up by name, so that the
 * observer also builds as a module.
 */
#include <linux/atomic.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/mmzone.h>
#include <linux/pageblock-flags.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "alloc_observer.h"
#include "gfp_test_compat.h"

struct compact_control;

/*
 * One task is observed at a time.  Only that task writes here, from its own
 * probes, but for @disturbed, which belongs to everybody else.
 *
 * @seen is what it has done so far, @before what it had done when its last
 * attempt ended; @first_priority, @block_scanned and @kswapd_order are those since
 * then.
 */
static struct {
	struct task_struct *task;
	alloc_observer_notify_t notify;
	struct gfp_effects seen;
	bool drains;
	struct alloc_trace *trace;
	struct gfp_effects before;
	int first_priority;
	unsigned int block_scanned;
	int kswapd_order;
	atomic_t disturbed;
} observer;

/*
 * How much of each pageblock the compaction that is under way has looked at.  Blocks
 * that share a slot begin anew each time: with more blocks than slots less is counted.
 */
#define SCAN_SLOTS	1024

struct scan_slot {
	unsigned long block;
	unsigned int compaction;
	unsigned int pages;
};

static struct {
	unsigned int compaction;
	struct scan_slot slots[SCAN_SLOTS];
} scanner;

static bool observed(void)
{
	return READ_ONCE(observer.task) == current && in_task();
}

static void notify(void)
{
	if (observer.notify)
		observer.notify(&observer.seen);
}

static struct gfp_effects effects_since(const struct gfp_effects *before,
					const struct gfp_effects *now)
{
	return (struct gfp_effects){
		.attempts = now->attempts - before->attempts,
		.kswapd_wakes = now->kswapd_wakes - before->kswapd_wakes,
		.kswapd_woken = now->kswapd_wakes - before->kswapd_wakes,
		.kcompactd_wakes = now->kcompactd_wakes - before->kcompactd_wakes,
		.reclaim_entries = now->reclaim_entries - before->reclaim_entries,
		.compact_entries = now->compact_entries - before->compact_entries,
		.first_priority = observer.first_priority,
		.drained_pages = now->drained_pages - before->drained_pages,
		.oom_calls = now->oom_calls - before->oom_calls,
		.warnings = now->warnings - before->warnings,
		.block_scanned = observer.block_scanned,
		.kswapd_order = observer.kswapd_order,
	};
}

static void next_step(void)
{
	observer.before = observer.seen;
	observer.first_priority = GFP_NO_PRIORITY;
	observer.block_scanned = 0;
	observer.kswapd_order = 0;
}

static void add_effects(struct gfp_effects *sum, const struct gfp_effects *more)
{
	sum->attempts += more->attempts;
	sum->kswapd_wakes += more->kswapd_wakes;
	sum->kswapd_woken += more->kswapd_woken;
	sum->kcompactd_wakes += more->kcompactd_wakes;
	sum->reclaim_entries += more->reclaim_entries;
	if (!sum->compact_entries)
		sum->first_priority = more->first_priority;
	sum->compact_entries += more->compact_entries;
	sum->drained_pages += more->drained_pages;
	sum->oom_calls += more->oom_calls;
	sum->warnings += more->warnings;
	sum->block_scanned = max(sum->block_scanned, more->block_scanned);
	sum->kswapd_order = max(sum->kswapd_order, more->kswapd_order);
}

/* The last step, if another attempt like it is to be added to it. */
static struct alloc_step *step_to_merge(struct alloc_trace *trace,
					unsigned int order, gfp_t gfp, bool page)
{
	struct alloc_step *last;

	if (!trace->merge || !page || !trace->nr || trace->missed)
		return NULL;
	last = &trace->steps[trace->nr - 1];
	if (last->order != order || last->gfp != gfp || !last->did.page)
		return NULL;
	return last;
}

static void record_step(struct alloc_trace *trace, unsigned int order, gfp_t gfp,
			bool page)
{
	struct gfp_effects did = effects_since(&observer.before, &observer.seen);
	struct alloc_step *step = step_to_merge(trace, order, gfp, page);

	if (step) {
		step->times++;
		add_effects(&step->did, &did);
		return;
	}
	if (trace->nr == ALLOC_TRACE_STEPS) {
		trace->missed++;
		return;
	}
	step = &trace->steps[trace->nr++];
	*step = (struct alloc_step){
		.order = order, .gfp = gfp, .times = 1, .did = did,
	};
	step->did.page = page;
}

static void probe_page_alloc(void *data, struct page *page, unsigned int order,
			     gfp_t gfp, int migratetype)
{
	struct alloc_trace *trace = observer.trace;

	if (!observed())
		return;
	observer.seen.attempts++;
	if (trace && (gfp & trace->with) == trace->with)
		record_step(trace, order, gfp, page);
	next_step();
}

static void probe_wakeup_kswapd(void *data, int nid, int zid, int order,
				gfp_t gfp)
{
	if (!observed())
		return;
	observer.seen.kswapd_wakes++;
	observer.kswapd_order = max(observer.kswapd_order, order);
}

static void probe_wakeup_kcompactd(void *data, int nid, int order,
				   enum zone_type highest_zoneidx)
{
	if (observed())
		observer.seen.kcompactd_wakes++;
}

static void probe_reclaim_begin(GFP_COMPAT_RECLAIM_BEGIN_ARGS)
{
	if (!observed())
		return;
	observer.seen.reclaim_entries++;
	observer.drains = false;
	notify();
}

static void probe_reclaim_end(GFP_COMPAT_RECLAIM_END_ARGS)
{
	if (observed())
		observer.drains = true;
}

static void probe_compact(void *data, int order, gfp_t gfp, int prio)
{
	if (!observed())
		return;
	if (!observer.seen.compact_entries)
		observer.seen.first_priority = prio;
	if (observer.seen.compact_entries == observer.before.compact_entries)
		observer.first_priority = prio;
	observer.seen.compact_entries++;
	observer.drains = false;
	notify();
}

static void probe_pcpu_drain(void *data, struct page *page, unsigned int order,
			     int migratetype)
{
	if (observed() && observer.drains)
		observer.seen.drained_pages++;
}

/* Warnings are told from other messages by their first word. */
static void probe_console(void *data, const char *text, size_t len)
{
	if (observed() && strnstr(text, "WARNING: ", len))
		observer.seen.warnings++;
}

/* Somebody else scans memory: what the task sees now is not its own doing. */
static void disturb(void)
{
	if (READ_ONCE(observer.task) && !observed())
		atomic_inc(&observer.disturbed);
}

static void probe_compaction_begin(void *data, struct compact_control *cc,
				   unsigned long zone_start,
				   unsigned long zone_end, bool sync)
{
	if (observed())
		scanner.compaction++;
	disturb();
}

static void probe_isolate_migratepages(void *data, unsigned long start_pfn,
				       unsigned long end_pfn, unsigned long nr_scanned,
				       unsigned long nr_taken)
{
	unsigned long block = pageblock_start_pfn(start_pfn);
	struct scan_slot *slot;

	if (!observed())
		return;
	slot = &scanner.slots[(block / pageblock_nr_pages) % SCAN_SLOTS];
	if (slot->block != block || slot->compaction != scanner.compaction) {
		slot->block = block;
		slot->compaction = scanner.compaction;
		slot->pages = 0;
	}
	slot->pages += nr_scanned;
	observer.block_scanned = max(observer.block_scanned, slot->pages);
	observer.seen.block_scanned = max(observer.seen.block_scanned, slot->pages);
}

static void probe_kswapd_wake(void *data, int nid, int zid, int order)
{
	disturb();
}

#define PROBE(_name, _probe) { .name = #_name, .probe = (void *)(_probe) }

static struct {
	const char *name;
	void *probe;
	struct tracepoint *tp;
	bool registered;
} probes[] = {
	PROBE(mm_page_alloc, probe_page_alloc),
	PROBE(mm_vmscan_wakeup_kswapd, probe_wakeup_kswapd),
	PROBE(mm_vmscan_direct_reclaim_begin, probe_reclaim_begin),
	PROBE(mm_vmscan_direct_reclaim_end, probe_reclaim_end),
	PROBE(mm_page_pcpu_drain, probe_pcpu_drain),
	PROBE(console, probe_console),
	PROBE(mm_vmscan_kswapd_wake, probe_kswapd_wake),
#ifdef CONFIG_COMPACTION
	PROBE(mm_compaction_try_to_compact_pages, probe_compact),
	PROBE(mm_compaction_begin, probe_compaction_begin),
	PROBE(mm_compaction_isolate_migratepages, probe_isolate_migratepages),
	PROBE(mm_compaction_wakeup_kcompactd, probe_wakeup_kcompactd),
#endif
};

static void find_tracepoint(struct tracepoint *tp, void *data)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (!strcmp(tp->name, probes[i].name))
			probes[i].tp = tp;
	}
}

/**
 * alloc_observer_register() - attach the probes
 *
 * Return: 0, -ENOENT if a tracepoint does not exist in this kernel (it is
 * named in the log), or the error of tracepoint_probe_register().
 */
int alloc_observer_register(void)
{
	int i, err = 0;

	for_each_kernel_tracepoint(find_tracepoint, NULL);
	for (i = 0; i < ARRAY_SIZE(probes) && !err; i++) {
		if (!probes[i].tp) {
			pr_err("no tracepoint %s\n", probes[i].name);
			err = -ENOENT;
			break;
		}
		err = tracepoint_probe_register(probes[i].tp, probes[i].probe,
						NULL);
		probes[i].registered = !err;
	}
	if (err)
		alloc_observer_unregister();
	return err;
}
EXPORT_SYMBOL_GPL(alloc_observer_register);

/**
 * alloc_observer_unregister() - detach the probes
 *
 * Returns when no probe runs any more.  Does nothing if none is attached.
 */
void alloc_observer_unregister(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (probes[i].registered)
			tracepoint_probe_unregister(probes[i].tp,
						    probes[i].probe, NULL);
		probes[i].registered = false;
	}
	tracepoint_synchronize_unregister();
}
EXPORT_SYMBOL_GPL(alloc_observer_unregister);

/**
 * alloc_observer_start() - count the effects of the current task from here on
 * @notify: called at each entry into reclaim and compaction, or NULL
 */
void alloc_observer_start(alloc_observer_notify_t notify)
{
	observer.notify = notify;
	observer.seen = (struct gfp_effects){
		.first_priority = GFP_NO_PRIORITY,
	};
	observer.drains = true;
	next_step();
	atomic_set(&observer.disturbed, 0);
	WRITE_ONCE(observer.task, current);
}
EXPORT_SYMBOL_GPL(alloc_observer_start);

/**
 * alloc_observer_trace() - from the next alloc_observer_start() to
 *	alloc_observer_stop() also record the attempts one by one
 * @trace: where they go; its @with says which, the rest is initialised here
 */
void alloc_observer_trace(struct alloc_trace *trace)
{
	trace->nr = 0;
	trace->missed = 0;
	observer.trace = trace;
}
EXPORT_SYMBOL_GPL(alloc_observer_trace);

/**
 * alloc_observer_stop() - stop counting
 * @seen: where the effects go
 *
 * Return: false if kswapd, kcompactd or another task reclaimed or compacted
 * in between, so that the effects may not be the task's own.
 */
bool alloc_observer_stop(struct gfp_effects *seen)
{
	WRITE_ONCE(observer.task, NULL);
	observer.trace = NULL;
	*seen = observer.seen;
	return !atomic_read(&observer.disturbed);
}
EXPORT_SYMBOL_GPL(alloc_observer_stop);

/**
 * alloc_observer_count_oom() - count an OOM notifier call
 *
 * There is no tracepoint between the decision to call the OOM killer and the
 * choice of a victim; whoever registers an OOM notifier reports it here.
 */
void alloc_observer_count_oom(void)
{
	if (observed())
		observer.seen.oom_calls++;
}
