/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between kernel series, and nothing else.
 *
 * The versions are the first of Debian's series (6.12, 7.2, 7.3) that has the
 * newer form, or the release in which it is known to have appeared.
 */
#ifndef _MM_TESTS_GFP_TEST_COMPAT_H
#define _MM_TESTS_GFP_TEST_COMPAT_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/mmzone.h>
#include <linux/pagemap.h>
#include <linux/version.h>

/* pgdat->kswapd_failures: int in 6.12, atomic_t in 7.2; one int in memory. */
static inline void gfp_compat_set_kswapd_failures(pg_data_t *pgdat, int nr)
{
	BUILD_BUG_ON(sizeof(pgdat->kswapd_failures) != sizeof(int));
	WRITE_ONCE(*(int *)&pgdat->kswapd_failures, nr);
}

/* 6.12's does not include what it needs. */
#include <linux/compaction.h>

/* struct folio_batch: its own header has another name in 6.12. */
#include <linux/writeback.h>

/* Direct reclaim's tracepoints: other arguments in 7.2 than in 6.12. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0)
#define GFP_COMPAT_RECLAIM_BEGIN_ARGS					\
	void *data, gfp_t gfp, int order, struct mem_cgroup *memcg
#define GFP_COMPAT_RECLAIM_END_ARGS					\
	void *data, unsigned long nr_reclaimed, struct mem_cgroup *memcg
#else
#define GFP_COMPAT_RECLAIM_BEGIN_ARGS	void *data, int order, gfp_t gfp
#define GFP_COMPAT_RECLAIM_END_ARGS	void *data, unsigned long nr_reclaimed
#endif

/* KUnit's parameter generators are handed the test since 6.18. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0)
#define GFP_COMPAT_GEN_PARAMS_ARGS					\
	struct kunit *test, const void *prev, char *desc
#else
#define GFP_COMPAT_GEN_PARAMS_ARGS	const void *prev, char *desc
#endif

/* vmalloc() for those who cannot wait: 7.2 has it, 6.12 has not. */
#define GFP_COMPAT_VMALLOC_NOWAIT	(LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0))

/* Writes through iomap: the file system's operations are an argument since 6.17. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define GFP_COMPAT_IOMAP_WRITE_OPS
#define GFP_COMPAT_IOMAP_WRITE(iocb, from, ops, write_ops)		\
	iomap_file_buffered_write(iocb, from, ops, write_ops, NULL)
#else
#define GFP_COMPAT_IOMAP_WRITE(iocb, from, ops, write_ops)		\
	iomap_file_buffered_write(iocb, from, ops, NULL)
#endif

/* What iomap_get_folio() takes from the mapping's mask: FGP_NOFS before 7.3. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 3, 0)
#define GFP_COMPAT_IOMAP_TAKES		((__force gfp_t)0)
#else
#define GFP_COMPAT_IOMAP_TAKES		__GFP_FS
#endif

/* The page cache's folios that are dropped after writeback: since 6.14. */
#ifdef FGP_DONTCACHE
#define GFP_COMPAT_FGP_DONTCACHE	FGP_DONTCACHE
#define gfp_compat_dropbehind(folio)	folio_test_dropbehind(folio)
#else
#define GFP_COMPAT_FGP_DONTCACHE	((__force fgf_t)0)
#define gfp_compat_dropbehind(folio)	false
#endif

/* Uncached buffered writes by iomap: since 6.15. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
#define GFP_COMPAT_DONTCACHE		IOCB_DONTCACHE
#else
#define GFP_COMPAT_DONTCACHE		0
#endif

#endif /* _MM_TESTS_GFP_TEST_COMPAT_H */
