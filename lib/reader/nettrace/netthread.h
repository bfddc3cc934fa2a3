/*
 * netthread - the threads of a nettrace.  Private to reader/.
 *
 * In version 6, events contain the index of a thread, and separate blocks contain its process and
 * thread id.  In versions 4 and 5, events contain the thread id, and the file has one process.
 * Source: microsoft/perfview src/TraceEvent/EventPipe/NetTraceFormat.md.
 */
#ifndef READER_NETTRACE_NETTHREAD_H
#define READER_NETTRACE_NETTHREAD_H

#include "base/arena.h"
#include "base/table.h"
#include "reader/nettrace/netfile.h"

struct net_thread {
	int32_t pid, tid; /* -1 if unknown */
};

/* All fields must be 0 before the first block is read. */
struct netthreads {
	struct table at; /* index -> index of thread + 1 */
	struct net_thread *thread;
	size_t n, cap;
};

/*
 * Adds the threads of a block.  Memory comes from `run`.  Returns NULL, or a description of the
 * damage.
 */
const char *netthread_read(struct netthreads *threads, const struct netblock *block,
                           struct arena *run);

/* Returns the thread with number `thread`, which is the field thread or writer of a netevent. */
struct net_thread netthread_of(const struct netthreads *threads, const struct netfile *nf,
                               uint64_t thread);

#endif
