/* Uses the order of OE_FLUSH__ROUND in tools/perf/util/ordered-events.c. */
#include "reader/perfdata/time_order.h"

void time_order_clear(struct time_order *q)
{
	q->n = q->at = q->nready = 0;
	q->newest = q->limit = 0;
}

void time_order_seen(struct time_order *q, uint64_t time_ns)
{
	if (time_ns > q->newest)
		q->newest = time_ns;
}

void time_order_push(struct time_order *q, struct queued e)
{
	*arena_push(q->arena, q->waiting, q->n, q->cap) = e;
	time_order_seen(q, e.time_ns);
}

/* Returns the end of the ascending run that begins at i. */
static size_t run_end(const struct queued *e, size_t i, size_t n)
{
	for (i++; i < n && e[i - 1].time_ns <= e[i].time_ns; i++)
		;
	return i;
}

static void merge(const struct queued *a, size_t na, const struct queued *b, size_t nb,
                  struct queued *to)
{
	while (na && nb) {
		if (a->time_ns <= b->time_ns) {
			*to++ = *a++;
			na--;
		} else {
			*to++ = *b++;
			nb--;
		}
	}
	memcpy(to, na ? a : b, (na + nb) * sizeof(*to));
}

/* Natural merge sort.  It is stable, and fast if the input consists of a few long runs. */
static void sort(struct time_order *q)
{
	size_t n = q->nready;

	while (run_end(q->ready, 0, n) < n) {
		struct queued *swap = q->ready;
		size_t cap = q->ready_cap;

		arena_fit(q->arena, q->spare, n, q->spare_cap);
		for (size_t i = 0, mid, end; i < n; i = end) {
			mid = run_end(q->ready, i, n);
			end = mid < n ? run_end(q->ready, mid, n) : n;
			merge(q->ready + i, mid - i, q->ready + mid, end - mid,
			      q->spare + i);
		}
		q->ready = q->spare;
		q->ready_cap = q->spare_cap;
		q->spare = swap;
		q->spare_cap = cap;
	}
}

static void let_go(struct time_order *q, uint64_t limit)
{
	size_t kept = 0;

	q->at = q->nready = 0;
	arena_fit(q->arena, q->ready, q->n, q->ready_cap);
	for (size_t i = 0; i < q->n; i++) {
		if (q->waiting[i].time_ns <= limit)
			q->ready[q->nready++] = q->waiting[i];
		else
			q->waiting[kept++] = q->waiting[i];
	}
	q->n = kept;
	if (q->nready)
		sort(q);
}

void time_order_round(struct time_order *q)
{
	let_go(q, q->limit);
	q->limit = q->newest;
}

void time_order_end(struct time_order *q)
{
	let_go(q, UINT64_MAX);
}

const char *time_order_first(const struct time_order *q)
{
	return q->n ? q->waiting[0].p : NULL;
}

const struct queued *time_order_take(struct time_order *q)
{
	return q->at < q->nready ? &q->ready[q->at++] : NULL;
}
