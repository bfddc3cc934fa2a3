/* process_private - the state of process.c, which file_offset.c also reads. */
#ifndef PROCESS_PROCESS_PRIVATE_H
#define PROCESS_PROCESS_PRIVATE_H

#include "base/table.h"
#include "process/process.h"
#include "process/ranges.h"

struct thread {
	int32_t pid;
	str_id comm;
	bool named;
};

struct process {
	int32_t pid, parent; /* parent: -1 if no known process forked it */
	bool owns;           /* the process has, or had, a mapping */
	bool has_parent;     /* a FORK of the process was read */
	/* result of process_state for its current mappings, or 0 if not assigned yet */
	uint64_t state;
	struct range *ranges;
	/*
	 * owner of the nodes of `ranges` that this process may change, or 0 if it shares
	 * all nodes with other processes
	 */
	uint32_t owner;
	/* index + 1 in `maps` of the newest mapping of the process, or 0 */
	uint32_t last;
	/* index + 1 in `maps` of the newest mapping that note_offsets has added, or 0 */
	uint32_t indexed;
	/* number of mappings of the process, not counting inherited ones */
	uint32_t n;
};

/*
 * The mappings of a file in a process, by file offset.  If mappings overlap, the newest one wins.
 */
struct offsets {
	struct range *ranges; /* ranges of file offsets */
	uint32_t last;        /* index + 1 in `older` of the newest mapping, or 0 */
	/* index + 1 in `older` of the newest mapping that `ranges` contains, or 0 */
	uint32_t indexed;
};

/* A mapping of a file.  If another file replaces the newest mapping, an older mapping is used. */
struct older {
	const struct mapping *m;
	/* index + 1 in `older` of the previous mapping of the file, or 0 */
	uint32_t next;
};

struct processes {
	struct arena *run;
	struct interner *names;
	struct table thread_ids, process_ids; /* (pid or tid, 0) -> index + 1 */
	struct thread *threads;
	size_t nthreads, threads_cap;
	struct process *list;
	size_t n, cap;
	uint32_t last; /* index + 1 of the process that was found last, or 0 */
	/* number of processes that ever had a mapping, and pid of the first such process */
	size_t owners;
	int32_t owner;
	const struct mapping **listed; /* indexed by map.number */
	size_t nlisted;
	struct range *kernel;
	/* number of the newest owner of nodes.  The owner of `kernel` has the number 0 */
	uint32_t range_owners;
	const struct mapping *core; /* mapping of the kernel itself */
	const struct mapping **maps;
	size_t nmaps, maps_cap;
	/* for each element of `maps`: index + 1 of the previous mapping of the process, or 0 */
	uint32_t *prior;
	size_t prior_cap;
	const struct mapping *const *known; /* mappings of an earlier pass */
	size_t nknown;
	uint32_t last_id;        /* id of the last mapping */
	struct table offset_ids; /* (pid, module) -> index in `offsets` + 1 */
	struct offsets *offsets;
	size_t noffsets, offsets_cap;
	struct older *older;
	size_t nolder, older_cap;
	struct table assumed_ids; /* name of the mapping -> index in `assumed` + 1 */
	const struct mapping **assumed;
	size_t nassumed, assumed_cap;
	uint64_t changes; /* how often mappings have changed */
	/*
	 * number of the last state, and of the last state in which the kernel's mappings
	 * changed
	 */
	uint64_t states;
	uint64_t kernel_states;
	const struct mapping *hint; /* the last mapping that was found */
	int32_t hint_pid;
};

/* Returns the key of a pid or tid in a table. */
static inline uint64_t process_key(int32_t id)
{
	return (uint32_t)id;
}

#endif
