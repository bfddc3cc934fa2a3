/*
 * defer - samples that wait for their user frames; private to reader/.
 *
 * Linux 6.18 can leave the user's part of a call chain to when the thread goes back to
 * user mode: the sample ends in a cookie, and a CALLCHAIN_DEFERRED record of the thread
 * brings the frames.  A thread that never goes back has samples without them.
 */
#ifndef READER_PERFDATA_DEFER_H
#define READER_PERFDATA_DEFER_H

#include "base/table.h"
#include "reader/perfdata/scan.h"

/* A waiting sample: in two lists, of all and of its thread's. */
struct deferred {
	struct scanned record; /* held */
	uint64_t cookie;
	int32_t tid;
	uint32_t older, newer; /* of all; 0: none.  newer: of unused ones, too */
	uint32_t next;         /* of the thread */
};

struct defer {
	struct arena *arena;
	struct deferred *d; /* [0] is not used */
	size_t n, cap;
	struct table of; /* tid -> index into threads + 1 */
	struct defer_thread {
		uint32_t first, last; /* of its list; 0: empty */
	} * threads;
	size_t nthreads, threads_cap;
	uint32_t oldest, newest, unused;
};

void defer_push(struct defer *w, const struct scanned *record, int32_t tid,
                uint64_t cookie);

/* The oldest of the thread; false: none waits. */
bool defer_take(struct defer *w, int32_t tid, struct deferred *out);

/* The oldest of all. */
bool defer_take_any(struct defer *w, struct deferred *out);

/* Forgets all. */
void defer_clear(struct defer *w);

#endif
