/*
 * group - the frames of stacks, put together by what a table has a row for.
 *
 * Marks are no part of a name here: a function is one, inlined or not.  What is not known
 * of an inlined frame is that of the function it is inlined into.
 */
#ifndef STACK_GROUP_H
#define STACK_GROUP_H

#include "stack/fold.h"
#include "stack/sums.h"

enum group_by {
	GROUP_FUNCTION,
	GROUP_MODULE,
	GROUP_COMM,    /* the thread's name */
	GROUP_PROCESS, /* "COMM-PID", COMM being its first thread's where that was seen */
	GROUP_KIND,    /* "native", "managed", "kernel", "runtime", as marks have it */
	GROUP_LINE,    /* "FILE:LINE" */
};

struct groups {
	struct interner names; /* by group */
	uint32_t *of;          /* by node; 0: none */
	uint32_t no_frames;    /* "[no frames]": roots with samples that have none */
};

/* f keeps sites, with all marks.  What is made lives in a. */
void group_nodes(struct groups *g, const struct fold *f, enum group_by by,
                 struct arena *a);

/* The sums of each group. */
struct sum *group_sums(const struct groups *g, const struct stacks *s, struct arena *a);

/* "COMM-PID" of a root's site; empty: no process is known. */
struct str group_process(const struct fold *f, const struct site *root, struct arena *a);

#endif
