#include "writer/series.h"

struct series series_take(struct stacks *s, struct str name, struct arena *arena)
{
	struct series taken = { .name = name, .n = s->n };

	taken.self = arena_new(arena, struct weight, s->n);
	for (size_t i = 0; i < s->n; i++) {
		taken.self[i] = (struct weight){ s->node[i].self, s->node[i].fraction };
		s->node[i].self = s->node[i].fraction = 0;
	}
	return taken;
}
