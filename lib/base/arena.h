/*
 * arena - memory that is released together.
 *
 * Allocation never fails to the caller: without memory the program says so and
 * exits with 2, the one exit in lib/.  Nothing is freed one by one; what must
 * grow uses arena_grow.  Not thread safe: a worker has its own.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/str.h"

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first; NULL when empty */
	char *p, *end;              /* free part of the newest small block */
	size_t room;                /* bytes of that block */
	size_t bytes;               /* of all blocks */
};

/* n elements of size bytes, zeroed, aligned to 16. */
void *arena_alloc(struct arena *a, size_t n, size_t size);

#define arena_new(a, type, n) ((type *)arena_alloc((a), (n), sizeof(type)))

/*
 * Room for need elements where *cap were; returns the new place and sets *cap.
 * Doubles, and what is new is zeroed.  old is NULL when *cap is 0.
 */
void *arena_enlarge(struct arena *a, void *old, size_t *cap, size_t need, size_t size);

static inline void *arena_grow(struct arena *a, void *old, size_t *cap, size_t need,
                               size_t size)
{
	return need <= *cap ? old : arena_enlarge(a, old, cap, need, size);
}

/*
 * Frees n elements that arena_alloc or arena_grow returned, if they have a block of their own; what
 * is small stays until arena_release.  p may be NULL.
 */
void arena_drop(struct arena *a, void *p, size_t n, size_t size);

/* A copy of s, NUL terminated behind its n bytes. */
struct str arena_str(struct arena *a, struct str s);

/* printf into the arena. */
struct str arena_fmt(struct arena *a, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/*
 * Returns got, which a library returned; the caller has set errno to 0 before its call.
 * NULL with ENOMEM ends the program, as in arena_alloc: it must not be taken for damage.  If the
 * budget of the input was the reason, NULL is returned, and the budget is spent.
 */
void *arena_checked(void *got);

/* Frees everything; the arena may be used again. */
void arena_release(struct arena *a);

#endif
