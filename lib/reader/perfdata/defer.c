/* Follows evlist__deliver_deferred_callchain() of Linux 6.19, tools/perf/util/session.c. */
#include "reader/perfdata/defer.h"

static struct defer_thread *thread_of(struct defer *w, int32_t tid)
{
	uint32_t *at = table_at(&w->of, w->arena, (uint32_t)tid, 0);

	if (!*at) {
		*arena_push(w->arena, w->threads, w->nthreads, w->threads_cap) =
		        (struct defer_thread){ 0 };
		*at = (uint32_t)w->nthreads;
	}
	return &w->threads[*at - 1];
}

static uint32_t take_slot(struct defer *w)
{
	uint32_t i = w->unused;

	if (i) {
		w->unused = w->d[i].newer;
		return i;
	}
	arena_fit(w->arena, w->d, w->n + 2, w->cap);
	return (uint32_t)++w->n;
}

void defer_push(struct defer *w, const struct scanned *record, int32_t tid,
                uint64_t cookie)
{
	struct defer_thread *t = thread_of(w, tid);
	uint32_t i = take_slot(w);

	w->d[i] = (struct deferred){
		.record = *record, .cookie = cookie, .tid = tid, .older = w->newest
	};
	if (w->newest)
		w->d[w->newest].newer = i;
	else
		w->oldest = i;
	w->newest = i;
	if (t->last)
		w->d[t->last].next = i;
	else
		t->first = i;
	t->last = i;
}

bool defer_take(struct defer *w, int32_t tid, struct deferred *out)
{
	struct defer_thread *t = thread_of(w, tid);
	uint32_t i = t->first;

	if (!i)
		return false;
	*out = w->d[i];
	t->first = out->next;
	if (!t->first)
		t->last = 0;
	if (out->older)
		w->d[out->older].newer = out->newer;
	else
		w->oldest = out->newer;
	if (out->newer)
		w->d[out->newer].older = out->older;
	else
		w->newest = out->older;
	w->d[i].newer = w->unused;
	w->unused = i;
	return true;
}

bool defer_take_any(struct defer *w, struct deferred *out)
{
	/* The oldest sample is also the oldest of its thread. */
	return w->oldest && defer_take(w, w->d[w->oldest].tid, out);
}

void defer_clear(struct defer *w)
{
	w->n = 0;
	w->oldest = w->newest = w->unused = 0;
	for (size_t i = 0; i < w->nthreads; i++)
		w->threads[i] = (struct defer_thread){ 0 };
}
