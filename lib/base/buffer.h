/* buffer - an array of bytes in an arena, which grows when bytes are appended. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include "base/arena.h"

struct buffer {
	struct arena *arena;
	char *p;
	size_t n, cap;
};

static inline struct str buffer_str(const struct buffer *b)
{
	return (struct str){ b->p, b->n };
}

static inline void buffer_put(struct buffer *b, struct str s)
{
	arena_fit(b->arena, b->p, b->n + s.n, b->cap);
	if (s.n)
		memcpy(b->p + b->n, s.p, s.n);
	b->n += s.n;
}

#endif
