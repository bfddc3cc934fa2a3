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
	const struct perfmap *map; /* neither it nor the dump is set: it is not open */
	const struct jitdump *dump;
	int32_t pid;    /* in its name, or in the dump, or -1 */
	uint32_t next;  /* of the same pid: index + 1 */
	size_t covered; /* addresses of the process, or thousandths of its own code */
};

/* A process that has JIT code. */
struct jit_process {
	int32_t pid;
	size_t of;    /* distinct addresses of its JIT code, or PER_MILLE */
	bool by_code; /* it has no sampled leaf, so the place of its code counts */
};

struct map_candidates {
	struct arena scratch;
	struct binder *b;
	enum item_kind kind;
	const char *what; /* "perf map" or "jitdump", in messages */
	struct jit_process *process;
	size_t n, cap;
	struct table index;  /* pid -> index of process + 1 */
	struct table mapped; /* pid -> pid in the name of the dump that it mapped + 1 */
	struct table called; /* pid in the name of a file of a process -> 1 */
	struct map_candidate *candidate;
	size_t ncandidates, candidates_cap;
	struct table by_pid; /* pid of a candidate -> its index + 1 */
};

static inline bool map_candidates_is_open(const struct map_candidate *cand)
{
	return cand->map || cand->dump;
}

/* Reads it if it is not open.  Returns false if it names no run-time code. */
bool map_candidates_open(const struct map_candidates *c, struct map_candidate *cand);

/* Fills c, with b, kind and what already set.  The caller releases c->scratch. */
void map_candidates_collect(struct map_candidates *c);

/*
 * Returns the i-th pid, below MAP_NAMES, that the name of a map of process pid may have, or -1.
 */
int32_t map_candidates_name(const struct map_candidates *c, int32_t pid, size_t i);

/* Returns true if named is one of them. */
bool map_candidates_is_name(const struct map_candidates *c, int32_t pid, int32_t named);

/* Returns true if it names addr, and sets the start of that code. */
bool map_candidates_start(const struct map_candidate *cand, uint64_t addr,
                          uint64_t *start);

/* How many of the addresses sampled in the process it names. */
size_t map_candidates_samples(const struct binder *b, const struct map_candidate *cand,
                              int32_t pid);

/* Returns how many thousandths of its code are in executable memory of the process. */
size_t map_candidates_code(const struct binder *b, const struct map_candidate *cand,
                           int32_t pid);

/* Opens it, and sets covered for p. */
void map_candidates_try(const struct map_candidates *c, struct map_candidate *cand,
                        const struct jit_process *p);

#endif
