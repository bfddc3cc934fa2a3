/*
 * deferred_chains - a queue of samples that wait for their user frames.  Private to reader/.
 *
 * Linux 6.18 can postpone the user part of a call chain until the thread returns to user mode.
 * The chain of the sample then ends with a cookie.  A later CALLCHAIN_DEFERRED record of the
 * thread contains the cookie and the user frames.  If the thread never returns, its samples are
 * delivered without user frames.
 */
#ifndef READER_PERFDATA_DEFERRED_CHAINS_H
#define READER_PERFDATA_DEFERRED_CHAINS_H

#include "reader/perfdata/scan.h"

/* A waiting sample.  It is in the list of all samples, and in the list of its thread. */
struct deferred {
	struct scanned record; /* chunk_hold keeps it valid */
	uint64_t cookie;
	int32_t tid;
	/* neighbours in the list of all samples, or 0.  `newer` also links unused elements */
	uint32_t older, newer;
	uint32_t next; /* next sample of the same thread, or 0 */
};

struct deferred_chains {
	struct arena *arena;
	struct deferred *d; /* d[0] is not used */
	size_t n, cap;
	struct table of; /* tid -> index into threads + 1 */
	struct deferred_thread {
		uint32_t first, last; /* first and last sample of the thread, or 0 */
	} * threads;
	size_t nthreads, threads_cap;
	uint32_t oldest, newest, unused;
};

void deferred_chains_push(struct deferred_chains *w, const struct scanned *record,
                          int32_t tid, uint64_t cookie);

/* Removes the oldest sample of the thread.  Returns false if no sample of the thread waits. */
bool deferred_chains_take(struct deferred_chains *w, int32_t tid, struct deferred *out);

/* Removes the oldest sample of all threads.  Returns false if no sample waits. */
bool deferred_chains_take_any(struct deferred_chains *w, struct deferred *out);

/* Removes all samples. */
void deferred_chains_clear(struct deferred_chains *w);

#endif
