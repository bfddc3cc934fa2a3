/*
 * map_candidates - lists the input files that are perf maps or jitdumps, and the processes with JIT
 * code.  Counts how many addresses of a process each file names.  Private to bind/.
 */
#ifndef BIND_MAP_CANDIDATES_H
#define BIND_MAP_CANDIDATES_H

#include "bind/binder.h"

enum { PER_MILLE = 1000, MAP_NAMES = 3 };

/* A perf map or jitdump, with the number of addresses that it names in the current process. */
struct map_candidate {
	struct item *item;
	/* both are NULL before the item is opened */
	const struct perfmap *map;
	const struct jitdump *dump;
	int32_t pid;   /* the pid in the file name or in the dump, or -1 */
	uint32_t next; /* index + 1 of the next candidate with this pid, or 0 */
	/*
	 * number of sampled addresses that the file names.  If jit_process.by_code is
	 * set: how many thousandths of the file's code are mapped in the process
	 */
	size_t covered;
};

/* A process that has JIT code. */
struct jit_process {
	int32_t pid;
	/*
	 * number of distinct sampled addresses in its JIT code, or PER_MILLE if by_code
	 */
	size_t of;
	/*
	 * no sample is in JIT code of the process, so candidates are compared by the
	 * addresses of their code
	 */
	bool by_code;
};

struct map_candidates {
	struct arena scratch;
	struct binder *b;
	enum item_kind kind;
	const char *what; /* "perf map" or "jitdump", for messages */
	struct jit_process *process;
	size_t n, cap;
	struct table index; /* pid -> index of the jit_process + 1 */
	/* pid -> 1 + the pid in the name of a jitdump that this process mapped */
	struct table mapped;
	/* set of pids that may occur in the file names of the processes' maps */
	struct table called;
	struct map_candidate *candidate;
	size_t ncandidates, candidates_cap;
	struct table by_pid; /* pid -> index + 1 of its first candidate */
};

/* How a candidate differs from the maps bound to a process, in numbers of sampled addresses. */
struct map_comparison {
	size_t alone;  /* addresses that only the candidate names */
	size_t common; /* addresses that both name */
	size_t equal;  /* of `common`: the function has the same start in both */
};

static inline bool map_candidates_is_open(const struct map_candidate *cand)
{
	return cand->map || cand->dump;
}

/* Opens cand unless it is open.  Returns false if it names no JIT code. */
bool map_candidates_open(const struct map_candidates *c, struct map_candidate *cand);

/* Fills c.  The caller sets b, kind and `what` first, and releases c->scratch later. */
void map_candidates_collect(struct map_candidates *c);

/*
 * Returns one of the MAP_NAMES pids that the file name of the process's map may contain, or -1 if
 * it is unknown: the pid in the namespace (i is 0), the pid in the profile (1), or the pid in the
 * name of a mapped jitdump (2).
 */
int32_t map_candidates_name(const struct map_candidates *c, int32_t pid, size_t i);

/* Returns true if `named` is one of the pids that map_candidates_name returns for pid. */
bool map_candidates_is_name(const struct map_candidates *c, int32_t pid, int32_t named);

/* Returns true if cand names addr.  Sets *start to the start of the named code. */
bool map_candidates_start(const struct map_candidate *cand, uint64_t addr,
                          uint64_t *start);

/* Returns how many sampled addresses of the process have a name in cand. */
size_t map_candidates_samples(const struct binder *b, const struct map_candidate *cand,
                              int32_t pid);

/* Returns how many thousandths of cand's code are in executable memory of the process. */
size_t map_candidates_code(const struct binder *b, const struct map_candidate *cand,
                           int32_t pid);

/* Compares cand with the maps bound to process pid. */
struct map_comparison map_candidates_compare(const struct binder *b,
                                             const struct map_candidate *cand,
                                             int32_t pid);

/* Opens cand, and sets cand->covered for process p. */
void map_candidates_try(const struct map_candidates *c, struct map_candidate *cand,
                        const struct jit_process *p);

#endif
