#include "image/source/source_path.h"

bool source_path_add(struct source_paths *s, const char *arg, struct arena *a)
{
	struct str to = str_of(arg), from = str_cut(&to, '=');

	if (!from.n || from.n == strlen(arg))
		return false;
	*arena_push(a, s->path, s->n, s->cap) = (struct source_path){ from, to };
	return true;
}

/* Paths from Windows compilers contain backslashes. */
struct str source_path_slashes(struct str path, struct arena *a)
{
	char *p = arena_alloc(a, path.n + 1, 1);

	for (size_t i = 0; i < path.n; i++)
		p[i] = path.p[i] == '\\' ? '/' : path.p[i];
	return (struct str){ p, path.n };
}

/* Returns true if a path with slashes never leaves its start directory. */
static bool stays_inside(struct str path)
{
	size_t depth = 0;

	if (str_find(path, '\0') < path.n)
		return false;
	while (path.n) {
		struct str part = str_cut(&path, '/');

		if (!part.n || str_eq(part, STR(".")))
			continue;
		if (!str_eq(part, STR("..")))
			depth++;
		else if (!depth--)
			return false;
	}
	return true;
}

/* Replaces the prefix of a path.  Returns an empty string if the prefix does not match. */
static struct str replace(const struct source_path *s, struct str path, struct arena *a)
{
	struct str rest = str_from(path, s->from.n), slash = STR("/");
	char last = s->from.p[s->from.n - 1];

	if (!str_starts(path, s->from))
		return (struct str){ 0 };
	rest = source_path_slashes(rest, a);
	/* The prefix must end at the end of a component. */
	if (rest.n && *rest.p != '/' && last != '/' && last != '\\')
		return (struct str){ 0 };
	if (!stays_inside(rest))
		return (struct str){ 0 };
	/* A URL in `to` may end inside a component, so it gets no slash. */
	if (!s->to.n || !rest.n || *rest.p == '/' || str_ends(s->to, slash) ||
	    str_find(s->to, ':') < s->to.n)
		slash.n = 0;
	return arena_fmt(a, PRSTR PRSTR PRSTR, STRARG(s->to), STRARG(slash),
	                 STRARG(rest));
}

struct str source_path_map(const struct source_paths *s, struct str path, struct arena *a)
{
	struct str to = { 0 };

	for (size_t i = 0; i < s->n && !to.n; i++)
		to = replace(&s->path[i], path, a);
	return to;
}
