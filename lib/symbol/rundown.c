#include "symbol/rundown.h"

struct rundown {
	struct locator *l;
	struct interner names;
	struct table map_of; /* pid -> index of map + 1 */
	struct perfmap **map;
	int32_t *pid;
	size_t n, maps_cap, pids_cap;
};

static struct perfmap *map_of(struct rundown *r, int32_t pid)
{
	struct arena *run = r->l->run;
	uint32_t *at = table_at(&r->map_of, run, (uint32_t)pid, 0);

	if (!*at) {
		r->map = arena_grow(run, r->map, &r->maps_cap, r->n + 1, sizeof(*r->map));
		r->pid = arena_grow(run, r->pid, &r->pids_cap, r->n + 1, sizeof(*r->pid));
		r->map[r->n] = arena_new(run, struct perfmap, 1);
		r->map[r->n]->whole = true;
		r->pid[r->n] = pid;
		*at = (uint32_t)++r->n;
	}
	return r->map[*at - 1];
}

void rundown_read(struct locator *l, struct reader *reader, const struct item *of)
{
	struct rundown r = { .l = l };
	struct item from = *of; /* *of moves when items are added */
	struct event ev;
	int got;

	intern_init(&r.names, l->run);
	while ((got = reader_next(reader, &ev)) != 0)
		if (got > 0 && ev.kind == EV_CODE)
			symtab_add(&map_of(&r, ev.pid)->symbols, l->run, ev.map.start,
			           ev.map.len,
			           intern_str(&r.names, intern(&r.names, ev.map.path)));
	for (size_t i = 0; i < r.n; i++) {
		symtab_sort(&r.map[i]->symbols, l->run);
		locate_add_map(l, &from, r.pid[i], r.map[i]);
	}
}
