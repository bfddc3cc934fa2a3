#include "measure/extent.h"

static void add_time(struct extent *e, uint64_t us)
{
	if (!e->last_us || us < e->first_us)
		e->first_us = us;
	if (us > e->last_us)
		e->last_us = us;
}

void extent_join(struct extent *e, const struct extent *other)
{
	if (other->last_us) {
		add_time(e, other->first_us);
		add_time(e, other->last_us);
	}
	e->other_cpus |= other->other_cpus;
	for (size_t i = 0; i < EXTENT_CPUS / 64; i++)
		e->cpu[i] |= other->cpu[i];
}

void extent_add(struct extent *e, const struct event *ev)
{
	if (ev->has_time)
		add_time(e, ev->time_ns / 1000);
	if (ev->until_ns)
		add_time(e, ev->until_ns / 1000);
	if (ev->cpu < 0 || ev->cpu >= EXTENT_CPUS)
		e->other_cpus = true;
	else
		e->cpu[ev->cpu / 64] |= (uint64_t)1 << ev->cpu % 64;
}

void extent_state(const struct extent *e, struct head *h)
{
	h->duration_us = e->last_us - e->first_us;
	h->cpus = 0;
	for (size_t i = 0; i < EXTENT_CPUS / 64 && !e->other_cpus; i++)
		h->cpus += (unsigned)__builtin_popcountll(e->cpu[i]);
}
