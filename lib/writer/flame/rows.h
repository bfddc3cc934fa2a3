/*
 * rows - keeps stacks as sorted rows of names, instead of as a hash table.  Sorted rows describe
 * the tree of stacks, because each row states how many names it shares with the previous row.
 * New rows are added to a buffer.  When the buffer is full, its rows are sorted and packed as a
 * run.  In a run, each row is stored as a difference from the previous row.  Runs are merged while
 * they are read.  They are also merged if the newer runs use more memory than the last merged
 * run, so memory is proportional to the number of distinct stacks.
 */
#ifndef WRITER_FLAME_ROWS_H
#define WRITER_FLAME_ROWS_H

#include "base/intern.h"
#include "stack/weight.h"

struct row {
	const str_id *name; /* names, starting at the root */
	size_t n;
	size_t same;     /* number of names shared with the previous row */
	uint32_t series; /* number of the series of the row, from 0 */
	uint32_t slot;   /* slot of time + 1, or 0 for no slot */
	struct weight weight;
};

struct rows {
	struct arena *arena;
	const struct interner *names;
	bool chart;         /* keep the order of the input */
	bool apart;         /* do not merge rows with equal names */
	struct weight *sum; /* sum of all weights, indexed by series */
	size_t nsums, sums_cap;
	/* Private. */
	uint32_t *fresh; /* buffer of new rows */
	size_t nfresh, fresh_cap, last;
	size_t nrows;   /* rows in fresh */
	bool unsorted;  /* the rows in fresh are not in order */
	uint32_t *rank; /* indexed by name: its rank in the order of bytes */
	size_t nranks, ranks_cap;
	struct arena runs;
	struct run *run;
	size_t nruns, runs_cap;
	/* size of all runs in bytes: now, and directly after the last merge */
	size_t packed, merged;
	struct row_names {
		str_id *name;
		size_t n, cap;
	} tail; /* names of the last row of the last run */
	/* heap of the runs that are being read.  heap[0] has the least row */
	struct run_head **heap;
	size_t nheads;
	struct row_names out;
	struct arena *scratch;
};

/* Initialises r.  Rows use the ids of `names`. */
void rows_init(struct rows *r, const struct interner *names, struct arena *arena);

void rows_free(struct rows *r);

/* Adds a copy of *row.  Ignores row->same. */
void rows_add(struct rows *r, const struct row *row);

/* Returns the sum of the weights in a series. */
static inline struct weight rows_sum(const struct rows *r, size_t series)
{
	return series < r->nsums ? r->sum[series] : (struct weight){ 0 };
}

/*
 * Starts to read the rows.  No rows may be added while rows are read.  Memory for reading is
 * allocated in scratch.
 */
void rows_begin(struct rows *r, struct arena *scratch);

/*
 * Sets *row to the next row, valid until the next call.  Returns false at the end.  Siblings are
 * sorted by the bytes of their names, and a stack precedes all stacks that begin with it.
 */
bool rows_next(struct rows *r, struct row *row);

#endif
