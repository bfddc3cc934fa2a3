/*
 * otlp_groups - joins samples of OpenTelemetry profiles that differ only in their weights, times
 * and unused attributes.  Only reader/otlp/ uses it.
 *
 * The number of groups is limited.  If there are too many, all groups are dropped.
 */
#ifndef READER_OTLP_OTLP_GROUPS_H
#define READER_OTLP_OTLP_GROUPS_H

#include "base/table.h"

/* The profile and the thread of a sample. */
struct otlp_thread {
	size_t profile;   /* index of the profile */
	int32_t pid, tid; /* -1 if unknown */
	struct str comm;
};

/* Samples of a thread with the same stack. */
struct otlp_group {
	uint64_t at;                /* offset of the first sample in the input */
	uint64_t first_ns, last_ns; /* times, or 0 */
	int64_t weight;             /* sum of the values */
	uint32_t n;                 /* number of values */
	uint32_t stack;             /* number of the stack, or 0 */
	uint32_t thread;            /* index in otlp_groups.thread */
};

struct otlp_groups {
	struct arena *run;
	struct otlp_group *group; /* in the order of the first samples */
	struct otlp_thread *thread;
	struct table groups;  /* (thread, stack) -> index + 1 in `group` */
	struct table ids;     /* (pid, tid) -> number */
	struct table threads; /* (profile and number of ids, comm) -> index + 1 */
	/* indexed by stack: index of the group of this stack that was found last */
	uint32_t *last;
	size_t n, cap, nthreads, threads_cap, nids, last_cap;
	uint32_t now; /* index of the thread that was found last */
	bool dropped; /* there are too many groups, or samples with damage */
};

void otlp_groups_init(struct otlp_groups *g, struct arena *run);

/*
 * Adds the values of a sample to its group.  values: its `at`, `weight`, `n` and `stack`.  Returns
 * true if the group is new, or if all groups were dropped.
 */
bool otlp_groups_add(struct otlp_groups *g, const struct otlp_thread *thread,
                     const struct otlp_group *values);

void otlp_groups_drop(struct otlp_groups *g);

#endif
