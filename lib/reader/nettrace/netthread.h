/*
 * netthread - the threads of a nettrace.  Private to reader/.
 *
 * Version 6 numbers them by an index, and has process and thread in separate blocks.  In versions
 * 4 and 5 an event has its thread's id, and the file has one process.  Source: microsoft/perfview
 * src/TraceEvent/EventPipe/NetTraceFormat.md.
 */
#ifndef READER_NETTRACE_NETTHREAD_H
#define READER_NETTRACE_NETTHREAD_H

#include "base/arena.h"
#include "base/table.h"
#include "reader/nettrace/netfile.h"

struct net_thread {
	int32_t pid, tid; /* -1 if unknown */
};

/* All 0 in front of the first block. */
struct netthreads {
	struct table at; /* index -> index of thread + 1 */
	struct net_thread *thread;
	size_t n, cap;
};

/*
 * Adds the threads of a block, in memory of run.  Returns NULL, or the reason why the block is
 * damaged.
 */
const char *netthread_read(struct netthreads *threads, const struct netblock *block,
                           struct arena *run);

/* The thread of an event (netevent.thread or .writer). */
struct net_thread netthread_of(const struct netthreads *threads, const struct netfile *nf,
                               uint64_t thread);

#endif
