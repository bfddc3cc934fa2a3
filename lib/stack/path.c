#include "stack/path.h"

void path_init(struct path *p, struct stacks *stacks, struct interner *names,
               struct arena *arena)
{
	*p = (struct path){ .stacks = stacks, .names = names, .arena = arena };
}

/* Bytes that a and b have in common at their beginning. */
static size_t shared(const char *a, const char *b, size_t most)
{
	size_t i = 0;

	while (i + 8 <= most && memcmp(a + i, b + i, 8) == 0)
		i += 8;
	while (i < most && a[i] == b[i])
		i++;
	return i;
}

static void push_step(struct path *p, size_t end, stack_id id)
{
	if (p->nsteps == p->steps_cap)
		p->step = arena_grow(p->arena, p->step, &p->steps_cap, p->nsteps + 1,
		                     sizeof(*p->step));
	p->step[p->nsteps++] = (struct path_step){ end, id };
}

static bool ends_at(const char *p, size_t n, size_t at)
{
	return at == n || p[at] == ';';
}

/* Drops the steps that line does not share with the one before. */
static void keep_shared(struct path *p, struct str line)
{
	size_t most = line.n < p->last_n ? line.n : p->last_n;
	size_t same = shared(line.p, p->last, most);

	while (p->nsteps) {
		size_t end = p->step[p->nsteps - 1].end;

		if (end < same || (end == same && ends_at(line.p, line.n, end) &&
		                   ends_at(p->last, p->last_n, end)))
			break;
		p->nsteps--;
	}
}

static void remember(struct path *p, struct str line)
{
	if (line.n > p->last_cap)
		p->last = arena_grow(p->arena, p->last, &p->last_cap, line.n, 1);
	if (line.n)
		memcpy(p->last, line.p, line.n);
	p->last_n = line.n;
}

static stack_id walk(struct path *p, struct str line)
{
	stack_id id = 0;
	size_t at = 0;

	keep_shared(p, line);
	if (p->nsteps) {
		id = p->step[p->nsteps - 1].id;
		at = p->step[p->nsteps - 1].end + 1;
	}
	while (at < line.n) {
		struct str rest = str_from(line, at);
		struct str name = str_head(rest, str_find(rest, ';'));

		if (name.n) {
			id = stack_push(p->stacks, id, intern(p->names, name));
			push_step(p, at + name.n, id);
		}
		at += name.n + 1;
	}
	remember(p, line);
	return id;
}

static size_t intern_all(struct path *p, struct str line)
{
	size_t n = 0;

	while (line.n) {
		struct str name = str_cut(&line, ';');

		if (!name.n)
			continue;
		p->name = arena_grow(p->arena, p->name, &p->names_cap, n + 1,
		                     sizeof(*p->name));
		p->name[n++] = intern(p->names, name);
	}
	for (size_t i = 0; p->reverse && i < n / 2; i++) {
		str_id first = p->name[i];

		p->name[i] = p->name[n - 1 - i];
		p->name[n - 1 - i] = first;
	}
	return n;
}

/* A path of new boxes below what the line before shares with this one. */
static stack_id walk_chart(struct path *p, size_t n)
{
	struct stacks *s = p->stacks;
	size_t same = 0;
	stack_id id = 0;

	while (same < n && same < p->nsteps &&
	       s->node[p->step[same].id].name == p->name[same])
		id = p->step[same++].id;
	p->nsteps = same;
	for (size_t i = same; i < n; i++) {
		id = stack_append(s, id, p->name[i]);
		push_step(p, 0, id);
	}
	/* Its own time is a place in the order as well: a child without a name. */
	return stack_append(s, id, 0);
}

static struct str mark_wakers(struct path *p, struct str line)
{
	bool behind = false;
	size_t n = 0;

	while (line.n) {
		struct str name = str_cut(&line, ';');
		bool separator = str_eq(name, STR("--"));

		if (n + name.n + 5 > p->marked_cap)
			p->marked = arena_grow(p->arena, p->marked, &p->marked_cap,
			                       n + name.n + 5, 1);
		if (n)
			p->marked[n++] = ';';
		if (name.n)
			memcpy(p->marked + n, name.p, name.n);
		n += name.n;
		if (behind && name.n && !separator) {
			memcpy(p->marked + n, "_[w]", 4);
			n += 4;
		}
		behind = behind || separator;
	}
	return (struct str){ p->marked, n };
}

stack_id path_add(struct path *p, struct str line, uint64_t weight, uint32_t fraction)
{
	stack_id id = 0;

	if (p->wakers)
		line = mark_wakers(p, line);
	if (!p->reverse && !p->chart) {
		id = walk(p, line);
	} else {
		size_t n = intern_all(p, line);

		if (p->chart)
			id = walk_chart(p, n);
		else
			for (size_t i = 0; i < n; i++)
				id = stack_push(p->stacks, id, p->name[i]);
	}
	stack_add(p->stacks, id, weight, fraction);
	return id;
}
