#include "image/source/source_path.h"

bool source_path_add(struct source_paths *s, const char *arg, struct arena *a)
{
	struct str to = str_of(arg), from = str_cut(&to, '=');

	if (!from.n || from.n == strlen(arg))
		return false;
	s->path = arena_grow(a, s->path, &s->cap, s->n + 1, sizeof(*s->path));
	s->path[s->n++] = (struct source_path){ from, to };
	return true;
}

struct str source_path_map(const struct source_paths *s, struct str path, struct arena *a)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_starts(path, s->path[i].from))
			return arena_fmt(a, PRSTR PRSTR, STRARG(s->path[i].to),
			                 STRARG(str_from(path, s->path[i].from.n)));
	return (struct str){ 0 };
}
