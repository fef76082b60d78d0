/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scopes: what a task says about all that it allocates for a while.
 */
#ifndef _MM_TESTS_GFP_SCOPE_H
#define _MM_TESTS_GFP_SCOPE_H

#include <linux/sched/mm.h>

/**
 * enum gfp_scope - a scope
 * @GFP_SCOPE_NONE: no scope
 * @GFP_SCOPE_NOFS: memalloc_nofs_save()
 * @GFP_SCOPE_NOIO: memalloc_noio_save()
 * @GFP_SCOPE_NORECLAIM: memalloc_noreclaim_save()
 */
enum gfp_scope {
	GFP_SCOPE_NONE,
	GFP_SCOPE_NOFS,
	GFP_SCOPE_NOIO,
	GFP_SCOPE_NORECLAIM,
};

/**
 * gfp_scope_enter() - enter a scope
 * @scope: the scope
 *
 * Return: what gfp_scope_leave() is to be told.
 */
static inline unsigned int gfp_scope_enter(enum gfp_scope scope)
{
	switch (scope) {
	case GFP_SCOPE_NOFS:
		return memalloc_nofs_save();
	case GFP_SCOPE_NOIO:
		return memalloc_noio_save();
	case GFP_SCOPE_NORECLAIM:
		return memalloc_noreclaim_save();
	default:
		return 0;
	}
}

/**
 * gfp_scope_leave() - leave a scope
 * @scope: the scope
 * @flags: what gfp_scope_enter() returned
 */
static inline void gfp_scope_leave(enum gfp_scope scope, unsigned int flags)
{
	switch (scope) {
	case GFP_SCOPE_NOFS:
		memalloc_nofs_restore(flags);
		break;
	case GFP_SCOPE_NOIO:
		memalloc_noio_restore(flags);
		break;
	case GFP_SCOPE_NORECLAIM:
		memalloc_noreclaim_restore(flags);
		break;
	default:
		break;
	}
}

#endif /* _MM_TESTS_GFP_SCOPE_H */
