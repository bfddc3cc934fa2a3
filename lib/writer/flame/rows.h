/*
 * rows - stacks as rows of names, sorted instead of hashed.
 *
 * Rows in the order of the tree are the tree: each says how many names it shares with the one
 * before.  What is added comes into a buffer; when that is full it is sorted, if it was not
 * in order, and packed as a run, each row as its difference from the one before.  Runs are
 * merged while they are read.  Memory follows distinct stacks: runs become one whenever what
 * was added since is more than what there was.
 */
#ifndef WRITER_FLAME_ROWS_H
#define WRITER_FLAME_ROWS_H

#include "base/intern.h"
#include "stack/weight.h"

struct row {
	const str_id *name; /* from the root */
	size_t n;
	size_t same;     /* names that it shares with the row before */
	uint32_t series; /* what it belongs to, from 0 */
	uint32_t slot;   /* of time, plus one; 0: none */
	struct weight weight;
};

struct rows {
	struct arena *arena;
	const struct interner *names;
	bool chart;         /* rows keep the order of the input */
	bool apart;         /* rows of equal names stay apart */
	struct weight *sum; /* by series */
	size_t nsums, sums_cap;
	/* Private. */
	uint32_t *fresh; /* rows that are in no run */
	size_t nfresh, fresh_cap, last;
	size_t nrows;   /* of fresh */
	bool unsorted;  /* fresh is not in order */
	uint32_t *rank; /* by name: its place in the order of bytes */
	size_t nranks, ranks_cap;
	struct arena runs;
	struct run *run;
	size_t nruns, runs_cap;
	size_t packed, merged; /* bytes of all runs; when they last became one */
	struct row_names {
		str_id *name;
		size_t n, cap;
	} tail;                 /* of the run that was written last */
	struct run_head **heap; /* while rows are read: least row first */
	size_t nheads;
	struct row_names out;
	struct arena *scratch;
};

/* names: what the ids of rows are of. */
void rows_init(struct rows *r, const struct interner *names, struct arena *arena);

void rows_free(struct rows *r);

/* row.same is not looked at.  Nothing is kept of row. */
void rows_add(struct rows *r, const struct row *row);

/* The sum of a series. */
static inline struct weight rows_sum(const struct rows *r, size_t series)
{
	return series < r->nsums ? r->sum[series] : (struct weight){ 0 };
}

/*
 * Before the first rows_next, and to begin again; nothing can be added until then.  Memory of
 * the reading is taken from scratch.
 */
void rows_begin(struct rows *r, struct arena *scratch);

/*
 * The next row, valid until the next call; false: there is none.  Siblings come in the order
 * of their names' bytes, a stack before those that go on from it.
 */
bool rows_next(struct rows *r, struct row *row);

#endif
