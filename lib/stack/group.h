/*
 * group - assigns the frames of stacks to groups, which are the rows of a table.
 *
 * Names of groups do not contain marks such as "_[i]" (label/label.h), so inlined and
 * ordinary calls of a function are in one group.  If a property of an inlined frame is unknown,
 * the property of the containing function is used.
 */
#ifndef STACK_GROUP_H
#define STACK_GROUP_H

#include "stack/fold.h"
#include "stack/sums.h"

enum group_by {
	GROUP_FUNCTION,
	GROUP_MODULE,
	GROUP_COMM,    /* the thread's name */
	GROUP_PROCESS, /* "COMM-PID".  COMM is the name of the first thread, if known */
	/* "native", "managed", "kernel" or "runtime", depending on the mark */
	GROUP_KIND,
	GROUP_LINE, /* "FILE:LINE" */
	/* .NET assembly or "[stubs]", else the module without directories */
	GROUP_ASSEMBLY,
	GROUP_NAMESPACE, /* namespace, package or crate, else the assembly */
	GROUPS
};

struct groups {
	struct interner names; /* indexed by group */
	uint32_t *of;          /* indexed by node: its group, or 0 */
	/* the group "[no frames]", for samples that have only a root */
	uint32_t no_frames;
};

/*
 * Assigns each node to a group.  f must keep sites, and labels must have all marks.  The groups
 * live in arena `a`.
 */
void group_nodes(struct groups *g, const struct fold *f, enum group_by by,
                 struct arena *a);

/* Returns the sums of each group. */
struct sum *group_sums(const struct groups *g, const struct stacks *s, struct arena *a);

/* Returns "COMM-PID" for a root's site, or an empty string if its process is unknown. */
struct str group_process(const struct fold *f, const struct site *root, struct arena *a);

#endif
