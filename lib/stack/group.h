/*
 * group - groups the frames of stacks by the rows of a table.
 *
 * Marks are not part of a name here, so an inlined function and the function itself are in one
 * group.  If a property of an inlined frame is unknown, the containing function's is used.
 */
#ifndef STACK_GROUP_H
#define STACK_GROUP_H

#include "stack/fold.h"
#include "stack/sums.h"

enum group_by {
	GROUP_FUNCTION,
	GROUP_MODULE,
	GROUP_COMM,    /* the thread's name */
	GROUP_PROCESS, /* "COMM-PID", with the COMM of its first thread if known */
	/* "native", "managed", "kernel" or "runtime", as the mark shows */
	GROUP_KIND,
	GROUP_LINE, /* "FILE:LINE" */
	/* assembly of .NET or "[stubs]", else the module without directories */
	GROUP_ASSEMBLY,
	GROUP_NAMESPACE, /* namespace, package or crate, else the assembly */
	GROUPS
};

struct groups {
	struct interner names; /* name of each group */
	uint32_t *of;          /* group of each node, or 0 for no group */
	/* the group "[no frames]": roots that have samples without frames */
	uint32_t no_frames;
};

/* Assigns each node to a group.  f must keep sites, with all marks.  The groups live in a. */
void group_nodes(struct groups *g, const struct fold *f, enum group_by by,
                 struct arena *a);

/* Returns the sums of each group. */
struct sum *group_sums(const struct groups *g, const struct stacks *s, struct arena *a);

/* Returns "COMM-PID" for a root's site, or an empty string if its process is unknown. */
struct str group_process(const struct fold *f, const struct site *root, struct arena *a);

#endif
