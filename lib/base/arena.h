/*
 * arena - memory that is released together.
 *
 * Allocation never fails for the caller: without memory the program reports it and exits with 2,
 * which is the only exit in lib/.  Blocks are not freed one by one.  Use arena_grow for memory
 * that must grow.  Not thread safe: each worker has its own.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/str.h"

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first, or NULL */
	char *p, *end;              /* free part of the newest small block */
	size_t room;                /* bytes of that block */
	size_t bytes;               /* of all blocks */
};

/* n elements of size bytes, zeroed, aligned to 16. */
void *arena_alloc(struct arena *a, size_t n, size_t size);

#define arena_new(a, type, n) ((type *)arena_alloc((a), (n), sizeof(type)))

/*
 * Makes room for need elements in place of *cap.  Returns the new address and sets *cap. The size
 * doubles, and the new part is zeroed.  old is NULL if *cap is 0.
 */
void *arena_enlarge(struct arena *a, void *old, size_t *cap, size_t need, size_t size);

static inline void *arena_grow(struct arena *a, void *old, size_t *cap, size_t need,
                               size_t size)
{
	return need <= *cap ? old : arena_enlarge(a, old, cap, need, size);
}

/*
 * Frees n elements that arena_alloc or arena_grow returned, if they have their own block.  Small
 * ones stay until arena_release.  p may be NULL.
 */
void arena_drop(struct arena *a, void *p, size_t n, size_t size);

/* Returns a copy of s with a NUL after its n bytes. */
struct str arena_str(struct arena *a, struct str s);

/* printf into the arena. */
struct str arena_fmt(struct arena *a, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/*
 * Returns got, the result of a library call before which the caller set errno to 0.  NULL with
 * ENOMEM ends the program, as in arena_alloc, because it must not be treated as damage.  If the
 * budget of the input was the reason, NULL is returned, and the budget is spent.
 */
void *arena_checked(void *got);

/* Frees all memory.  The arena can be used again. */
void arena_release(struct arena *a);

#endif
