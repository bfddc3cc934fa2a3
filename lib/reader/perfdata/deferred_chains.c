/* Follows evlist__deliver_deferred_callchain() of Linux 6.19, tools/perf/util/session.c. */
#include "reader/perfdata/deferred_chains.h"

static struct deferred_thread *thread_of(struct deferred_chains *w, int32_t tid)
{
	uint32_t *at = table_at(&w->of, w->arena, (uint32_t)tid, 0);

	return table_item(at, w->arena, w->threads, w->nthreads, w->threads_cap,
	                  (struct deferred_thread){ 0 });
}

static uint32_t take_slot(struct deferred_chains *w)
{
	uint32_t i = w->unused;

	if (i) {
		w->unused = w->d[i].newer;
		return i;
	}
	arena_fit(w->arena, w->d, w->n + 2, w->cap);
	return (uint32_t)++w->n;
}

void deferred_chains_push(struct deferred_chains *w, const struct scanned *record,
                          int32_t tid, uint64_t cookie)
{
	struct deferred_thread *t = thread_of(w, tid);
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

bool deferred_chains_take(struct deferred_chains *w, int32_t tid, struct deferred *out)
{
	struct deferred_thread *t = thread_of(w, tid);
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

bool deferred_chains_take_any(struct deferred_chains *w, struct deferred *out)
{
	/* The oldest sample is also the oldest of its thread, so take the thread's oldest. */
	return w->oldest && deferred_chains_take(w, w->d[w->oldest].tid, out);
}

void deferred_chains_clear(struct deferred_chains *w)
{
	w->n = 0;
	w->oldest = w->newest = w->unused = 0;
	for (size_t i = 0; i < w->nthreads; i++)
		w->threads[i] = (struct deferred_thread){ 0 };
}
