#include "writer/flame/path.h"

void path_init(struct path *p, struct rows *rows, struct interner *names,
               struct arena *arena)
{
	*p = (struct path){ .rows = rows, .names = names, .arena = arena };
}

/* Returns the length of the common prefix of a and b, at most `most`. */
static size_t shared(const char *a, const char *b, size_t most)
{
	size_t i = 0;

	while (i + 16 <= most && memcmp(a + i, b + i, 16) == 0)
		i += 16;
	while (i < most && a[i] == b[i])
		i++;
	return i;
}

static void push_name(struct path *p, str_id name, size_t end)
{
	arena_fit(p->arena, p->name, p->n + 1, p->names_cap);
	arena_fit(p->arena, p->end, p->n + 1, p->ends_cap);
	p->name[p->n] = name;
	p->end[p->n++] = end;
}

static bool ends_at(const char *p, size_t n, size_t at)
{
	return at == n || p[at] == ';';
}

/*
 * Keeps the names of the previous line that are in its common prefix with `line`, and removes the
 * others.
 */
static void keep_shared(struct path *p, struct str line)
{
	size_t most = line.n < p->last_n ? line.n : p->last_n;
	size_t same = shared(line.p, p->last, most);

	while (p->n) {
		size_t end = p->end[p->n - 1];

		if (end < same || (end == same && ends_at(line.p, line.n, end) &&
		                   ends_at(p->last, p->last_n, end)))
			break;
		p->n--;
	}
}

static void remember(struct path *p, struct str line)
{
	arena_fit(p->arena, p->last, line.n, p->last_cap);
	if (line.n)
		memcpy(p->last, line.p, line.n);
	p->last_n = line.n;
}

static void find_names(struct path *p, struct str line)
{
	size_t at;

	keep_shared(p, line);
	at = p->n ? p->end[p->n - 1] + 1 : 0;
	while (at < line.n) {
		struct str rest = str_from(line, at);
		struct str name = str_head(rest, str_find(rest, ';'));

		if (name.n)
			push_name(p, intern(p->names, name), at + name.n);
		at += name.n + 1;
	}
	remember(p, line);
}

static const str_id *turn(struct path *p)
{
	arena_fit(p->arena, p->turned, p->n, p->turned_cap);
	for (size_t i = 0; i < p->n; i++)
		p->turned[i] = p->name[p->n - 1 - i];
	return p->turned;
}

static struct str mark_wakers(struct path *p, struct str line)
{
	bool behind = false;
	size_t n = 0;

	while (line.n) {
		struct str name = str_cut(&line, ';');
		bool separator = str_eq(name, STR("--"));

		arena_fit(p->arena, p->marked, n + name.n + 5, p->marked_cap);
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

void path_add(struct path *p, struct str line, struct row row)
{
	find_names(p, p->wakers ? mark_wakers(p, line) : line);
	if (!row.weight.n && !row.weight.fraction)
		return;
	row.name = p->reverse ? turn(p) : p->name;
	row.n = p->n;
	rows_add(p->rows, &row);
}
