#include "source/members.h"

#include <stdlib.h>

void members_add(struct source *s, size_t *cap, const struct member *m)
{
	*arena_push(s->state->opts.run, s->members, s->n, *cap) = *m;
}

static int by_name(const void *a, const void *b)
{
	return str_cmp(((const struct member *)a)->name,
	               ((const struct member *)b)->name);
}

void members_sort(struct source *s)
{
	if (s->n)
		qsort(s->members, s->n, sizeof(*s->members), by_name);
	for (struct member *m = s->members; m < s->members + s->n; m++) {
		m->depth = 0;
		for (size_t k = 0; k < m->name.n; k++)
			m->depth += m->name.p[k] == '/';
	}
}
