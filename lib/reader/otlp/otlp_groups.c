#include "reader/otlp/otlp_groups.h"

enum { GROUPS_MOST = 1 << 19, THREADS_MOST = 1 << 16 };

void otlp_groups_init(struct otlp_groups *g, struct arena *run)
{
	*g = (struct otlp_groups){ .run = run };
}

void otlp_groups_drop(struct otlp_groups *g)
{
	arena_drop(g->run, g->group, g->cap, sizeof(*g->group));
	arena_drop(g->run, g->groups.slots, g->groups.nslots, sizeof(*g->groups.slots));
	arena_drop(g->run, g->last, g->last_cap, sizeof(*g->last));
	*g = (struct otlp_groups){ .run = g->run, .dropped = true };
}

/* Comms of equal text may have several addresses.  Their samples are then in several groups. */
static bool is_same(const struct otlp_thread *a, const struct otlp_thread *b)
{
	return a->profile == b->profile && a->pid == b->pid && a->tid == b->tid &&
	       a->comm.p == b->comm.p && a->comm.n == b->comm.n;
}

/* Sets g->now to the index of a thread.  Returns false if there are too many threads. */
static bool find_thread(struct otlp_groups *g, const struct otlp_thread *t)
{
	uint64_t ids = (uint64_t)(uint32_t)t->pid << 32 | (uint32_t)t->tid;
	uint32_t *id, *at;

	if (g->now < g->nthreads && is_same(&g->thread[g->now], t))
		return true;
	if (g->nthreads == THREADS_MOST)
		return false;
	id = table_at(&g->ids, g->run, ids, t->comm.n);
	if (!*id)
		*id = (uint32_t)++g->nids;
	at = table_at(&g->threads, g->run, (uint64_t)t->profile << 32 | *id,
	              (uint64_t)(uintptr_t)t->comm.p);
	table_item(at, g->run, g->thread, g->nthreads, g->threads_cap, *t);
	g->now = *at - 1;
	return true;
}

/* Adds values to a group.  Returns false if the sum is too large. */
static bool adds(struct otlp_group *to, const struct otlp_group *values)
{
	struct otlp_group sum = *to;

	if (__builtin_add_overflow(to->weight, values->weight, &sum.weight) ||
	    __builtin_add_overflow(to->n, values->n, &sum.n))
		return false;
	if (values->last_ns && (!to->last_ns || values->first_ns < to->first_ns))
		sum.first_ns = values->first_ns;
	if (values->last_ns > to->last_ns)
		sum.last_ns = values->last_ns;
	*to = sum;
	return true;
}

bool otlp_groups_add(struct otlp_groups *g, const struct otlp_thread *thread,
                     const struct otlp_group *values)
{
	struct otlp_group made = *values;
	uint32_t *last, *known;

	if (!g->dropped && !find_thread(g, thread))
		otlp_groups_drop(g);
	if (g->dropped)
		return true;
	made.thread = g->now;
	arena_fit(g->run, g->last, made.stack + (size_t)1, g->last_cap);
	last = &g->last[made.stack];
	if (g->n && g->group[*last].stack == made.stack &&
	    g->group[*last].thread == made.thread && adds(&g->group[*last], &made))
		return false;
	known = table_at(&g->groups, g->run, made.thread, made.stack);
	if (*known && adds(&g->group[*known - 1], &made)) {
		*last = *known - 1;
		return false;
	}
	if (g->n == GROUPS_MOST) {
		otlp_groups_drop(g);
		return true;
	}
	*last = (uint32_t)g->n;
	*arena_push(g->run, g->group, g->n, g->cap) = made;
	*known = (uint32_t)g->n;
	return true;
}
