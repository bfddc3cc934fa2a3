/*
 * netthread - reads the ids and names of the threads of a nettrace.  Private to reader/.
 *
 * In version 6, events contain the index of a thread, and other blocks map this index to pid and
 * tid.  In versions 4 and 5, events contain the tid, and the file has only one process.  Source:
 * microsoft/perfview src/TraceEvent/EventPipe/NetTraceFormat.md.
 */
#ifndef READER_NETTRACE_NETTHREAD_H
#define READER_NETTRACE_NETTHREAD_H

#include "base/table.h"
#include "reader/nettrace/netfile.h"

struct net_thread {
	int32_t pid, tid; /* -1 if unknown */
};

/* Zero all fields before the first block is read. */
struct netthreads {
	struct table at; /* index of a thread in the file -> index in `thread` + 1 */
	struct net_thread *thread;
	size_t n, cap;
};

/*
 * Reads a block of threads.  Memory comes from `run`.  Returns NULL, or a description of the
 * damage.
 */
const char *netthread_read(struct netthreads *threads, const struct netblock *block,
                           struct arena *run);

/* Returns a thread.  `thread`: value of the field thread or writer of a netevent. */
struct net_thread netthread_of(const struct netthreads *threads, const struct netfile *nf,
                               uint64_t thread);

#endif
