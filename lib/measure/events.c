#include "measure/events.h"

#include "reader/event_name.h"

enum { MAX_LIST = 400 }; /* bytes after which a list ends in "..." */

void events_init(struct events *e, struct arena *run, const char *want)
{
	*e = (struct events){ .want = want, .base = event_name_base };
	intern_init(&e->names, run);
}

void events_begin(struct events *e)
{
	e->first = (struct str){ 0 };
	for (size_t i = 0; i < e->cap; i++)
		e->seen[i].known = false;
}

bool events_wants(const struct events *e, struct str name)
{
	struct str want = str_of(e->want);

	return str_eq(want, STR("all")) || str_eq(want, name) ||
	       str_eq(want, e->base(name));
}

static bool wanted(struct events *e, struct str name)
{
	struct str base = e->base(name);

	if (!e->first.p)
		e->first = base;
	return e->want ? events_wants(e, name) : str_eq(base, e->first);
}

static struct event_seen *find_seen(struct events *e, struct str name)
{
	str_id id = e->last_id, before = e->before_id;

	if (!str_eq(intern_str(&e->names, id), name)) {
		e->before_id = id;
		id = str_eq(intern_str(&e->names, before), name)
		             ? before
		             : intern(&e->names, name);
		e->last_id = id;
	}
	arena_fit(e->names.arena, e->seen, id + 1u, e->cap);
	return &e->seen[id];
}

/* Returns the counts of an event.  Sets `wanted` if `known` is not set yet. */
static struct event_seen *know(struct events *e, struct str name)
{
	struct event_seen *seen = find_seen(e, name);

	if (!seen->known) {
		seen->known = true;
		seen->wanted = wanted(e, intern_str(&e->names, e->last_id));
	}
	return seen;
}

void events_add(struct events *e, struct str name, uint64_t taken, uint64_t left_out)
{
	struct event_seen *seen = know(e, name);

	seen->taken += taken;
	seen->left_out += left_out;
}

void events_clear_counts(struct events *e)
{
	for (size_t i = 0; i < e->cap; i++)
		e->seen[i].taken = e->seen[i].left_out = 0;
}

bool events_take_times(struct events *e, struct str name, uint64_t times)
{
	struct event_seen *seen = know(e, name);

	if (seen->wanted)
		seen->taken += times;
	else
		seen->left_out += times;
	return seen->wanted;
}

bool events_take(struct events *e, struct str name)
{
	return events_take_times(e, name, 1);
}

bool events_leave(struct events *e, struct str name)
{
	return !find_seen(e, name)->left_out++;
}

struct str events_list_left_out(const struct events *e, struct arena *a)
{
	struct str list = { 0 };

	for (size_t i = 0; i < e->cap; i++) {
		struct str name =
		        i < e->names.n ? intern_str(&e->names, (str_id)i) : list;

		if (!e->seen[i].left_out)
			continue;
		if (list.n > MAX_LIST)
			return arena_fmt(a, PRSTR " ...", STRARG(list));
		list = arena_fmt(a, PRSTR "%s" PRSTR " (%llu sample%s)", STRARG(list),
		                 list.n ? ", " : "",
		                 STRARG(name.n ? name : STR("no name")),
		                 (unsigned long long)e->seen[i].left_out,
		                 e->seen[i].left_out == 1 ? "" : "s");
	}
	return list;
}

struct str events_list_taken(const struct events *e, struct arena *a)
{
	struct str list = { 0 };

	for (size_t i = 0; i < e->cap; i++)
		if (e->seen[i].known && e->seen[i].wanted)
			list = arena_fmt(a, PRSTR "%s" PRSTR, STRARG(list),
			                 list.n ? "," : "",
			                 STRARG(event_name_base(
			                         intern_str(&e->names, (str_id)i))));
	return list;
}
