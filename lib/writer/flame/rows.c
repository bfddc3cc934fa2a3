#include "writer/flame/rows.h"

#include "base/cursor.h"
#include "base/sort.h"

enum {
	/* maximum size of `fresh` in words if its rows are in order */
	SORTED_MOST = 64 << 10,
	/* maximum size of `fresh` in words if its rows are not in order */
	FRESH_MOST = 2 << 20,
	LEB_MOST = 10,   /* maximum bytes of a LEB128 number */
	RUNS_LEAST = 16, /* minimum number of runs to merge */
};

/* A row in `fresh` begins with this head.  The names follow. */
struct fresh_head {
	uint32_t n, series, slot, fraction;
	uint32_t weight[2]; /* lower and upper half of weight.n */
};

enum { HEAD_WORDS = sizeof(struct fresh_head) / sizeof(uint32_t) };

/*
 * Packed rows.  A row consists of LEB128 numbers: 2 * the number of names shared with the
 * previous row (+ 1 if there is a fraction), the number of the other names, the series, the
 * slot, the weight, the fraction, and the ids of the other names.
 */
struct run {
	char *p;
	size_t n, cap;
};

/* A run while it is read. */
struct run_head {
	struct cursor rest;
	struct row_names names;
	struct row row;
};

void rows_init(struct rows *r, const struct interner *names, struct arena *arena)
{
	*r = (struct rows){ .names = names, .arena = arena };
}

void rows_free(struct rows *r)
{
	arena_release(&r->runs);
}

static void view(const struct rows *r, size_t at, struct row *row)
{
	struct fresh_head h;

	memcpy(&h, r->fresh + at, sizeof(h));
	*row = (struct row){ .name = r->fresh + at + HEAD_WORDS,
		             .n = h.n,
		             .series = h.series,
		             .slot = h.slot,
		             .weight = { (uint64_t)h.weight[1] << 32 | h.weight[0],
		                         h.fraction } };
}

static size_t count_same(const struct row *a, const str_id *name, size_t n)
{
	size_t most = a->n < n ? a->n : n, i = 0;

	while (i < most && a->name[i] == name[i])
		i++;
	return i;
}

static int compare_names(const struct rows *r, str_id a, str_id b)
{
	if (a < r->nranks && b < r->nranks)
		return r->rank[a] < r->rank[b] ? -1 : 1;
	return str_cmp(intern_str(r->names, a), intern_str(r->names, b));
}

static uint64_t tag_of(const struct row *row)
{
	return (uint64_t)row->series << 32 | row->slot;
}

static int compare(const struct rows *r, const struct row *a, const struct row *b)
{
	size_t same = count_same(a, b->name, b->n);

	if (same < a->n && same < b->n)
		return compare_names(r, a->name[same], b->name[same]);
	return num_cmp(a->n, b->n) ?: num_cmp(tag_of(a), tag_of(b));
}

static bool is_equal(const struct row *a, const struct row *b)
{
	return a->n == b->n && tag_of(a) == tag_of(b) &&
	       count_same(a, b->name, b->n) == a->n;
}

static bool name_key(const void *ctx, uint32_t id, size_t at, uint64_t *key)
{
	return sort_str_key(intern_str(ctx, id), at, key);
}

/* Sets rank[] of all names. */
static void rank_names(struct rows *r)
{
	arena_scope(scratch);
	struct sort_item *items;
	size_t n = r->names->n;

	if (r->nranks == n)
		return;
	items = arena_new(&scratch, struct sort_item, n);
	for (size_t i = 0; i < n; i++)
		items[i].id = (uint32_t)i;
	sort_by_keys(items, n, name_key, r->names);
	arena_fit(r->arena, r->rank, n, r->ranks_cap);
	for (size_t i = 0; i < n; i++)
		r->rank[items[i].id] = (uint32_t)i;
	r->nranks = n;
}

/*
 * Sets *key to word number `at` of a row's sort key.  The words contain the ranks of the names
 * and a 0 for the end.  The last word contains the series and the slot.  Returns false if the
 * key has no word `at`.
 */
static bool row_key(const void *ctx, uint32_t id, size_t at, uint64_t *key)
{
	const struct rows *r = ctx;
	unsigned bits = 64 - (unsigned)__builtin_clzll(r->nranks);
	size_t each = 64 / bits, from = at * each;
	struct row row;

	view(r, id, &row);
	*key = at == row.n / each + 1 ? tag_of(&row) : 0;
	for (size_t i = from; from <= row.n && i < from + each; i++)
		*key = *key << bits | (i < row.n ? r->rank[row.name[i]] + 1 : 0);
	return at <= row.n / each + 1;
}

/* Returns the offsets of the rows in `fresh`, sorted by row. */
static struct sort_item *sort_fresh(struct rows *r, struct arena *scratch)
{
	struct sort_item *items = arena_new(scratch, struct sort_item, r->nrows);

	for (size_t i = 0, at = 0; i < r->nrows; i++) {
		items[i].id = (uint32_t)at;
		at += HEAD_WORDS + r->fresh[at];
	}
	if (r->unsorted) {
		rank_names(r);
		sort_by_keys(items, r->nrows, row_key, r);
	}
	return items;
}

static void put_leb(struct run *run, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		run->p[run->n++] = (char)(v | 0x80);
	run->p[run->n++] = (char)v;
}

static void set_names(struct row_names *to, const struct row *row, size_t same,
                      struct arena *arena)
{
	arena_fit(arena, to->name, row->n, to->cap);
	if (row->n > same)
		memcpy(to->name + same, row->name + same,
		       (row->n - same) * sizeof(*to->name));
	to->n = row->n;
}

static void put_row(struct rows *r, struct run *run, const struct row *row)
{
	size_t same = count_same(row, r->tail.name, r->tail.n), from = run->n;

	arena_fit(&r->runs, run->p, run->n + (6 + row->n - same) * LEB_MOST, run->cap);
	put_leb(run, same * 2 + (row->weight.fraction != 0));
	put_leb(run, row->n - same);
	put_leb(run, row->series);
	put_leb(run, row->slot);
	put_leb(run, row->weight.n);
	if (row->weight.fraction)
		put_leb(run, row->weight.fraction);
	for (size_t i = same; i < row->n; i++)
		put_leb(run, row->name[i]);
	set_names(&r->tail, row, same, r->arena);
	r->packed += run->n - from;
}

/*
 * Returns the last run if the row `first` sorts after the last row of this run.  Otherwise begins
 * a new run and returns it.
 */
static struct run *find_run(struct rows *r, const struct row *first)
{
	struct row tail = { .name = r->tail.name, .n = r->tail.n };

	if (r->nruns && (r->chart || compare(r, &tail, first) < 0))
		return &r->run[r->nruns - 1];
	arena_fit(r->arena, r->run, r->nruns + 1, r->runs_cap);
	r->run[r->nruns] = (struct run){ 0 };
	r->tail.n = 0;
	return &r->run[r->nruns++];
}

/* Sorts the rows in `fresh`, packs them as a run, and empties `fresh`. */
static void flush(struct rows *r)
{
	arena_scope(scratch);
	struct sort_item *items;
	struct row row, next;
	struct run *run;

	if (!r->nrows)
		return;
	items = sort_fresh(r, &scratch);
	view(r, items[0].id, &row);
	run = find_run(r, &row);
	for (size_t i = 1; i < r->nrows; i++, row = next) {
		view(r, items[i].id, &next);
		if (!r->apart && is_equal(&row, &next))
			next.weight = weight_sum(row.weight, next.weight);
		else
			put_row(r, run, &row);
	}
	put_row(r, run, &row);
	r->nrows = r->nfresh = 0;
	r->unsorted = false;
}

/* Reads the next row of a run.  Returns false at the end of the run. */
static bool step(struct run_head *h, struct arena *scratch)
{
	struct row *row = &h->row;
	uint64_t same, more;

	if (!cur_left(&h->rest))
		return false;
	same = cur_uleb(&h->rest);
	more = cur_uleb(&h->rest);
	row->series = (uint32_t)cur_uleb(&h->rest);
	row->slot = (uint32_t)cur_uleb(&h->rest);
	row->weight.n = cur_uleb(&h->rest);
	row->weight.fraction = same & 1 ? (uint32_t)cur_uleb(&h->rest) : 0;
	row->n = same / 2 + more;
	arena_fit(scratch, h->names.name, row->n, h->names.cap);
	for (size_t i = same / 2; i < row->n; i++)
		h->names.name[i] = (str_id)cur_uleb(&h->rest);
	row->name = h->names.name;
	return true;
}

/* Moves heap[i] down until neither of its children in the heap is less. */
static void sift(struct rows *r, size_t i)
{
	struct run_head *moved = r->heap[i];
	size_t least = i;

	for (;; i = least) {
		for (size_t k = 2 * i + 1; k < 2 * i + 3 && k < r->nheads; k++)
			if (compare(r, &r->heap[k]->row, &r->heap[least]->row) < 0)
				least = k;
		if (least == i)
			return;
		r->heap[i] = r->heap[least];
		r->heap[least] = moved;
	}
}

static void open_runs(struct rows *r, struct arena *scratch)
{
	r->heap = arena_new(scratch, struct run_head *, r->nruns + 1);
	r->nheads = 0;
	r->out = (struct row_names){ 0 };
	if (r->nruns > 1)
		rank_names(r);
	for (size_t i = 0; i < r->nruns; i++) {
		struct run_head *h = arena_new(scratch, struct run_head, 1);

		h->rest = cur_over((struct str){ r->run[i].p, r->run[i].n }, false);
		if (step(h, scratch))
			r->heap[r->nheads++] = h;
	}
	for (size_t i = r->nheads; i-- > 0;)
		sift(r, i);
}

static void advance(struct rows *r, struct arena *scratch)
{
	if (!step(r->heap[0], scratch))
		r->heap[0] = r->heap[--r->nheads];
	if (r->nheads > 1)
		sift(r, 0);
}

static bool next_row(struct rows *r, struct row *row, struct arena *scratch)
{
	if (!r->nheads)
		return false;
	*row = r->heap[0]->row;
	row->same = count_same(row, r->out.name, r->out.n);
	set_names(&r->out, row, row->same, scratch);
	row->name = r->out.name;
	advance(r, scratch);
	while (!r->apart && r->nheads && is_equal(row, &r->heap[0]->row)) {
		row->weight = weight_sum(row->weight, r->heap[0]->row.weight);
		advance(r, scratch);
	}
	return true;
}

/* Merges all runs into one. */
static void merge_runs(struct rows *r)
{
	struct arena scratch = { 0 }, old = r->runs;
	struct run merged = { 0 };
	struct row row;

	open_runs(r, &scratch);
	r->runs = (struct arena){ 0 };
	r->tail.n = r->packed = 0;
	while (next_row(r, &row, &scratch))
		put_row(r, &merged, &row);
	r->run[0] = merged;
	r->nruns = 1;
	r->merged = r->packed;
	arena_release(&scratch);
	arena_release(&old);
}

static void count(struct rows *r, const struct row *row)
{
	if (row->series >= r->nsums) {
		r->nsums = row->series + 1u;
		arena_fit(r->arena, r->sum, r->nsums, r->sums_cap);
	}
	r->sum[row->series] = weight_sum(r->sum[row->series], row->weight);
}

void rows_add(struct rows *r, const struct row *row)
{
	struct fresh_head h = { (uint32_t)row->n,
		                row->series,
		                row->slot,
		                row->weight.fraction,
		                { (uint32_t)row->weight.n,
		                  (uint32_t)(row->weight.n >> 32) } };
	struct row last;

	count(r, row);
	if (r->nfresh >= (r->unsorted ? FRESH_MOST : SORTED_MOST)) {
		flush(r);
		if (r->nruns >= RUNS_LEAST && r->packed > 2 * r->merged)
			merge_runs(r);
	}
	if (r->nrows && !r->unsorted && !r->chart) {
		view(r, r->last, &last);
		r->unsorted = compare(r, &last, row) > 0;
	}
	arena_fit(r->arena, r->fresh, r->nfresh + HEAD_WORDS + row->n, r->fresh_cap);
	r->last = r->nfresh;
	memcpy(r->fresh + r->nfresh, &h, sizeof(h));
	if (row->n)
		memcpy(r->fresh + r->nfresh + HEAD_WORDS, row->name,
		       row->n * sizeof(*row->name));
	r->nfresh += HEAD_WORDS + row->n;
	r->nrows++;
}

void rows_begin(struct rows *r, struct arena *scratch)
{
	flush(r);
	r->scratch = scratch;
	open_runs(r, scratch);
}

bool rows_next(struct rows *r, struct row *row)
{
	return next_row(r, row, r->scratch);
}
