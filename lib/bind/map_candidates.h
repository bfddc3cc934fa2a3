/*
 * map_candidates - the perf maps and jitdumps among the sources, the processes that have JIT
 * code, and how much of a process each file names; private to bind/.
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
	int32_t pid;    /* in its name, or in the dump; -1: none is */
	uint32_t next;  /* of the same pid; index + 1 */
	size_t covered; /* addresses of the process, or thousandths of its own code */
};

/* A process that has JIT code. */
struct jit_process {
	int32_t pid;
	size_t of;    /* distinct addresses of its JIT code, or PER_MILLE */
	bool by_code; /* no leaf was sampled in it: what counts is where the code lies */
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

/* Reads it if it is not open.  False: it names no run-time code. */
bool map_candidates_open(const struct map_candidates *c, struct map_candidate *cand);

/* Fills c, of which b, kind and what are set.  The caller releases c->scratch. */
void map_candidates_collect(struct map_candidates *c);

/* The i-th pid, below MAP_NAMES, that a file of process pid may be called after; or -1. */
int32_t map_candidates_name(const struct map_candidates *c, int32_t pid, size_t i);

/* Is named one of them? */
bool map_candidates_is_name(const struct map_candidates *c, int32_t pid, int32_t named);

/* Does it name addr, and where does that code begin? */
bool map_candidates_start(const struct map_candidate *cand, uint64_t addr,
                          uint64_t *start);

/* How many of the addresses sampled in the process it names. */
size_t map_candidates_samples(const struct binder *b, const struct map_candidate *cand,
                              int32_t pid);

/* How many thousandths of its code lie in executable memory of the process. */
size_t map_candidates_code(const struct binder *b, const struct map_candidate *cand,
                           int32_t pid);

/* Opens it, and sets covered for p. */
void map_candidates_try(const struct map_candidates *c, struct map_candidate *cand,
                        const struct jit_process *p);

#endif
