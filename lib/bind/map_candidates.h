/*
 * map_candidates - the perf maps and jitdumps among the sources, the processes with JIT code, and
 * how much of a process each file names.  Private to bind/.
 */
#ifndef BIND_MAP_CANDIDATES_H
#define BIND_MAP_CANDIDATES_H

#include "bind/binder.h"

enum { PER_MILLE = 1000, MAP_NAMES = 3 };

/* A perf map or jitdump, and how much of the current process it covers. */
struct map_candidate {
	struct item *item;
	/* map and dump are both NULL until the item is opened */
	const struct perfmap *map;
	const struct jitdump *dump;
	int32_t pid;   /* the pid in the file name or in the dump, or -1 */
	uint32_t next; /* index + 1 of the next candidate of the same pid, or 0 */
	/* addresses of the process that it names, or thousandths of its own code */
	size_t covered;
};

/* A process that has JIT code. */
struct jit_process {
	int32_t pid;
	size_t of; /* distinct addresses of its JIT code, or PER_MILLE */
	/*
	 * true if no address was sampled in JIT code of the process.  Candidates are then
	 * compared by the place of their code
	 */
	bool by_code;
};

struct map_candidates {
	struct arena scratch;
	struct binder *b;
	enum item_kind kind;
	const char *what; /* "perf map" or "jitdump", in messages */
	struct jit_process *process;
	size_t n, cap;
	struct table index; /* pid -> index of jit_process + 1 */
	/* pid -> 1 + pid in the name of a jitdump that the process mapped */
	struct table mapped;
	struct table called; /* pid that may be in a file name of some process -> 1 */
	struct map_candidate *candidate;
	size_t ncandidates, candidates_cap;
	struct table by_pid; /* pid -> index + 1 of the first candidate with it */
};

static inline bool map_candidates_is_open(const struct map_candidate *cand)
{
	return cand->map || cand->dump;
}

/* Opens cand if it is not open.  Returns false if it names no run-time code. */
bool map_candidates_open(const struct map_candidates *c, struct map_candidate *cand);

/* Fills c, whose b, kind and what the caller has set.  The caller releases c->scratch. */
void map_candidates_collect(struct map_candidates *c);

/*
 * Returns the i-th pid, i < MAP_NAMES, that the file name of a map of process pid may contain,
 * or -1.
 */
int32_t map_candidates_name(const struct map_candidates *c, int32_t pid, size_t i);

/* Returns true if map_candidates_name returns `named` for any i. */
bool map_candidates_is_name(const struct map_candidates *c, int32_t pid, int32_t named);

/* Returns true if cand names addr, and sets the start of that code. */
bool map_candidates_start(const struct map_candidate *cand, uint64_t addr,
                          uint64_t *start);

/* Returns how many of the addresses sampled in the process cand names. */
size_t map_candidates_samples(const struct binder *b, const struct map_candidate *cand,
                              int32_t pid);

/* Returns how many thousandths of cand's code are in executable memory of the process. */
size_t map_candidates_code(const struct binder *b, const struct map_candidate *cand,
                           int32_t pid);

/* Opens cand, and sets cand->covered for process p. */
void map_candidates_try(const struct map_candidates *c, struct map_candidate *cand,
                        const struct jit_process *p);

#endif
