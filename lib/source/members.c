#include "source/members.h"

void members_add(struct source *s, size_t *cap, const struct member *m)
{
	*arena_push(s->state->opts.run, s->members, s->n, *cap) = *m;
}

ORDER(by_name, struct member, str_cmp(a->name, b->name))

void members_sort(struct source *s)
{
	order_by(s->members, s->n, by_name);
	for (struct member *m = s->members; m < s->members + s->n; m++) {
		m->depth = 0;
		for (size_t k = 0; k < m->name.n; k++)
			m->depth += m->name.p[k] == '/';
	}
}
