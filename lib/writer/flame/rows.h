/*
 * rows - keeps stacks as sorted rows of names, instead of as a hash table.  Sorted rows describe
 * the tree of stacks, because each row states how many names it shares with the previous row. New
 * rows are added to a buffer.  When it is full, it is sorted and packed as a run.  In a run, each
 * row is stored as a difference from the previous row. Runs are merged while they are read.  They
 * are also merged whenever the new runs exceed the earlier ones, so memory is proportional to the
 * number of distinct stacks.
 */
#ifndef WRITER_FLAME_ROWS_H
#define WRITER_FLAME_ROWS_H

#include "base/intern.h"
#include "stack/weight.h"

struct row {
	const str_id *name; /* from the root */
	size_t n;
	size_t same;     /* number of names shared with the previous row */
	uint32_t series; /* its series, from 0 */
	uint32_t slot;   /* slot of time + 1, or 0 for no slot */
	struct weight weight;
};

struct rows {
	struct arena *arena;
	const struct interner *names;
	bool chart;         /* rows keep the order of the input */
	bool apart;         /* rows with equal names are not merged */
	struct weight *sum; /* by series */
	size_t nsums, sums_cap;
	/* Private. */
	uint32_t *fresh; /* the buffer of new rows */
	size_t nfresh, fresh_cap, last;
	size_t nrows;   /* rows in fresh */
	bool unsorted;  /* the rows in fresh are not in order */
	uint32_t *rank; /* indexed by name: its rank in the order of bytes */
	size_t nranks, ranks_cap;
	struct arena runs;
	struct run *run;
	size_t nruns, runs_cap;
	size_t packed, merged; /* bytes of all runs now, and after the last merge */
	struct row_names {
		str_id *name;
		size_t n, cap;
	} tail; /* names of the last row of the last run */
	/* heap of the runs that are being read.  The first has the least row */
	struct run_head **heap;
	size_t nheads;
	struct row_names out;
	struct arena *scratch;
};

/* Initialises r.  The names of rows are ids of `names`. */
void rows_init(struct rows *r, const struct interner *names, struct arena *arena);

void rows_free(struct rows *r);

/* Adds a copy of *row.  Its field `same` is ignored. */
void rows_add(struct rows *r, const struct row *row);

/* Returns the sum of a series. */
static inline struct weight rows_sum(const struct rows *r, size_t series)
{
	return series < r->nsums ? r->sum[series] : (struct weight){ 0 };
}

/*
 * Begins to read the rows, from the first row on.  Rows must not be added while they are
 * read.  Memory for reading comes from scratch.
 */
void rows_begin(struct rows *r, struct arena *scratch);

/*
 * Sets *row to the next row, valid until the next call.  Returns false at the end.
 * Siblings are in the order of their names' bytes, and a stack precedes its extensions.
 */
bool rows_next(struct rows *r, struct row *row);

#endif
