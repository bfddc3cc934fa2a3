/* Uses the order of OE_FLUSH__ROUND in tools/perf/util/ordered-events.c. */
#include "reader/perfdata/queue.h"

void queue_init(struct queue *q, struct arena *arena)
{
	*q = (struct queue){ .arena = arena };
}

void queue_clear(struct queue *q)
{
	q->n = q->at = q->nready = 0;
	q->newest = q->limit = 0;
}

void queue_seen(struct queue *q, uint64_t time_ns)
{
	if (time_ns > q->newest)
		q->newest = time_ns;
}

void queue_push(struct queue *q, struct queued e)
{
	*arena_push(q->arena, q->waiting, q->n, q->cap) = e;
	queue_seen(q, e.time_ns);
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
static void sort(struct queue *q)
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

static void let_go(struct queue *q, uint64_t limit)
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

void queue_round(struct queue *q)
{
	let_go(q, q->limit);
	q->limit = q->newest;
}

void queue_end(struct queue *q)
{
	let_go(q, UINT64_MAX);
}

const char *queue_first(const struct queue *q)
{
	return q->n ? q->waiting[0].p : NULL;
}

const struct queued *queue_take(struct queue *q)
{
	return q->at < q->nready ? &q->ready[q->at++] : NULL;
}
