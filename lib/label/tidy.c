#include "label/tidy.h"

void tidy_put(struct tidy *t, struct str s)
{
	arena_fit(t->arena, t->p, t->n + s.n, t->cap);
	if (s.n)
		memcpy(t->p + t->n, s.p, s.n);
	t->n += s.n;
}

size_t tidy_depth(size_t depth, char c, const char *open, const char *close)
{
	if (c && strchr(open, c))
		return depth + 1;
	return c && strchr(close, c) && depth ? depth - 1 : depth;
}

size_t tidy_close(struct str s, size_t at)
{
	char open = s.p[at], close = open == '(' ? ')' : open == '[' ? ']' : '>';
	size_t depth = 0;

	for (size_t i = at; i < s.n; i++) {
		depth += s.p[i] == open;
		depth -= s.p[i] == close;
		if (!depth)
			return i + 1;
	}
	return s.n;
}
