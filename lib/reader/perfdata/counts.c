/* Follows deliver_sample_group() and deliver_sample_value(), tools/perf/util/session.c. */
#include "reader/perfdata/counts.h"

enum { READ_ID = 4 };

bool counts_read(const struct event_attr *a)
{
	return a->pub.sample_type & HAS_READ && a->read_format & READ_ID;
}

/*
 * Returns the last value of a counter.  Since Linux 6.12, inherited counters have a value for
 * each thread.
 */
static uint64_t *last_of(struct counts *cs, uint64_t id, int32_t tid)
{
	uint32_t *at = table_at(&cs->of, cs->arena, id, (uint32_t)tid);

	return table_item(at, cs->arena, cs->last, cs->n, cs->cap, 0);
}

bool counts_are_known(const struct attrs *as, const struct fields *f)
{
	for (size_t i = 0; i < f->ncounters; i++)
		if (table_get(&as->ids, f->counters[i].id, 0))
			return true;
	return false;
}

bool counts_sample(struct counts *cs, const struct attrs *as, const struct event_attr *a,
                   size_t i, struct event *ev)
{
	const struct counter *c = &ev->fields->counters[i];
	uint32_t of = table_get(&as->ids, c->id, 0);
	uint64_t *last;

	if (!of)
		return false;
	last = last_of(cs, c->id, a->inherit ? ev->tid : 0);
	if (c->value == *last)
		return false;
	ev->weight = c->value - *last;
	ev->attr = &as->attr[of - 1].pub;
	*last = c->value;
	return true;
}

void counts_clear(struct counts *cs)
{
	if (cs->n)
		memset(cs->last, 0, cs->n * sizeof(*cs->last));
}
