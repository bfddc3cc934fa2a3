/*
 * rows - collects stacks as rows of names, and sorts them.
 *
 * Sorted rows represent the tree, because each contains the number of names that it shares with
 * the previous row.  New rows go to a buffer.  When it is full, the rows are sorted, if
 * necessary, and packed as a run, in which each row is stored as a difference to the previous
 * one.  Runs are merged while they are read.  They are also merged when new runs exceed the older
 * ones, so memory is proportional to the number of distinct stacks.
 */
#ifndef WRITER_FLAME_ROWS_H
#define WRITER_FLAME_ROWS_H

#include "base/intern.h"
#include "stack/weight.h"

struct row {
	const str_id *name; /* names, starting at the root */
	size_t n;
	size_t same;     /* number of names shared with the previous row */
	uint32_t series; /* number of the series, starting at 0 */
	uint32_t slot;   /* time slot + 1, or 0 */
	struct weight weight;
};

struct rows {
	struct arena *arena;
	const struct interner *names;
	bool chart;         /* keep the order of the input */
	bool apart;         /* do not merge rows with equal names */
	struct weight *sum; /* indexed by series */
	size_t nsums, sums_cap;
	/* Private. */
	uint32_t *fresh; /* buffer of new rows */
	size_t nfresh, fresh_cap, last;
	size_t nrows;   /* number of rows in fresh */
	bool unsorted;  /* the rows in fresh are unsorted */
	uint32_t *rank; /* indexed by name: position in the order of bytes */
	size_t nranks, ranks_cap;
	struct arena runs;
	struct run *run;
	size_t nruns, runs_cap;
	/* size of all runs in bytes, now and after the last merge */
	size_t packed, merged;
	struct row_names {
		str_id *name;
		size_t n, cap;
	} tail; /* names in the last row of the last run */
	/* runs that are being read, as a heap by their next row */
	struct run_head **heap;
	size_t nheads;
	struct row_names out;
	struct arena *scratch;
};

/* Initialises r.  Names of rows are ids in `names`. */
void rows_init(struct rows *r, const struct interner *names, struct arena *arena);

void rows_free(struct rows *r);

/* Adds a copy of *row.  Ignores row->same. */
void rows_add(struct rows *r, const struct row *row);

/* Returns the sum of a series. */
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
 * sorted by the bytes of their names, and a stack precedes the stacks that it is a prefix of.
 */
bool rows_next(struct rows *r, struct row *row);

#endif
