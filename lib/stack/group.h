/*
 * group - assigns the frames of stacks to groups, such as functions or modules, which are the
 * rows of a table.  Names are compared without marks, so an inlined function and the function
 * itself are in one group.  If a property of an inlined frame is unknown, that of the containing
 * function is used.
 */
#ifndef STACK_GROUP_H
#define STACK_GROUP_H

#include "stack/fold.h"
#include "stack/sums.h"

enum group_by {
	GROUP_FUNCTION,
	GROUP_MODULE,
	GROUP_COMM,    /* the thread's name */
	GROUP_PROCESS, /* "COMM-PID" of a process (site_command) */
	/* "native", "managed", "kernel" or "runtime", from the mark */
	GROUP_KIND,
	GROUP_LINE, /* "FILE:LINE" */
	/* assembly of .NET or "[stubs]", else the module without directories */
	GROUP_ASSEMBLY,
	GROUP_NAMESPACE, /* namespace, package or crate, else the assembly */
	GROUPS
};

struct groups {
	struct interner names; /* name of each group */
	uint32_t *of;          /* indexed by node: its group, or 0 for no group */
	/* number of the group "[no frames]", which has the roots of samples without frames */
	uint32_t no_frames;
};

/*
 * Assigns each node to a group.  f must keep sites, and its labels must have all marks.  The
 * groups live in a.
 */
void group_nodes(struct groups *g, const struct fold *f, enum group_by by,
                 struct arena *a);

/* Returns the sums of each group. */
struct sum *group_sums(const struct groups *g, const struct stacks *s, struct arena *a);

/* Returns "COMM-PID" for a root's site, or an empty string if its process is unknown. */
struct str group_process(const struct fold *f, const struct site *root, struct arena *a);

#endif
