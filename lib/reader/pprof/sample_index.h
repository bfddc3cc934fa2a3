/*
 * sample_index - finds equal stacks and equal samples of a pprof.  Only reader/pprof/ uses it.
 *
 * Each sample is added once, while the tables are read.  Stacks with equal location ids get one
 * number, and samples with equal bytes form a group.  Later passes then need not compare bytes.
 * The tables have limits.  Samples beyond a limit have no number, or no group.
 */
#ifndef READER_PPROF_SAMPLE_INDEX_H
#define READER_PPROF_SAMPLE_INDEX_H

#include "base/intern.h"
#include "base/table.h"

/* Samples with equal bytes. */
struct sample_group {
	uint64_t at;      /* offset of the first sample in the input */
	uint32_t repeats; /* number of further samples */
	uint32_t stack;   /* number of the stack, or 0 */
	uint32_t rest;    /* private: number of the bytes after the location ids */
};

enum { SAMPLE_INDEX_STEP = 64, SAMPLE_INDEX_RECENT = 1 << 13 };

struct sample_index {
	struct arena *run;
	struct interner
	        stacks; /* packed location ids.  The id is the number of the stack */
	size_t id_bytes;
	/* indexed by number of the stack: index of its group that was found last */
	uint32_t *last;
	size_t last_cap;
	struct interner rests; /* bytes after the location ids: values and labels */
	size_t rest_bytes;
	/* All samples, in the order of the first sample of each group. */
	struct sample_group *group;
	struct table groups; /* (stack, rest) -> index in `group` + 1 */
	size_t ngroups, groups_cap;
	bool ungrouped; /* there are too many groups, or damaged samples */
	bool damaged;   /* at least one sample is damaged */
	/* Caches of `stacks` and `rests`: hash of the bytes -> id, or 0. */
	str_id *recent_stack, *recent_rest;
	/* offset of each sample whose index is a multiple of SAMPLE_INDEX_STEP */
	uint64_t *step;
	size_t nsteps, steps_cap;
	uint32_t unstepped; /* samples after the last element of `step` */
};

void sample_index_init(struct sample_index *x, struct arena *run);

/* Adds a sample.  at: its offset in the input. */
void sample_index_add(struct sample_index *x, struct str message, uint64_t at);

/*
 * Returns the number of a stack with these packed ids.  If the stack is new, adds it.  Returns 0 if
 * there is no room.
 */
uint32_t sample_index_number(struct sample_index *x, struct str ids);

/* Returns the packed ids of a stack. */
static inline struct str sample_index_ids(const struct sample_index *x, uint32_t stack)
{
	return intern_str(&x->stacks, stack);
}

/* Returns the index of the first group that begins at offset `at` or later. */
size_t sample_index_group(const struct sample_index *x, uint64_t at);

/*
 * Returns the number of the bytes after the location ids of a sample, or 0 if they have no number.
 * Bytes with a number have no damage and no negative values.
 */
uint32_t sample_index_rest(struct sample_index *x, struct str rest);

#endif
