/*
 * arena - memory that is released together.
 *
 * Allocation never fails for the caller.  If memory runs out, the program reports this and exits
 * with 2, which is the only exit in lib/.  Single allocations cannot be freed, except for large
 * ones (arena_drop).  Use arena_push for an array that grows.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/str.h"

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first, or NULL */
	char *p, *end;              /* free part of the newest block */
	size_t room;                /* size of the newest block */
	size_t bytes;               /* total size of all blocks */
};

/* Allocates n elements of `size` bytes, zeroed and aligned to 16 bytes. */
void *arena_alloc(struct arena *a, size_t n, size_t size);

/* As arena_alloc, for memory of which most pages are used soon. */
void *arena_alloc_dense(struct arena *a, size_t n, size_t size);

#define arena_new(a, type, n) ((type *)arena_alloc((a), (n), sizeof(type)))

/*
 * Makes room for `need` elements.  `old` has room for *cap elements, or is NULL if *cap
 * is 0.  Returns the new address and sets *cap.  The room at least doubles, and the new
 * part is zeroed.
 */
void *arena_enlarge(struct arena *a, void *old, size_t *cap, size_t need, size_t size);

static inline void *arena_grow(struct arena *a, void *old, size_t *cap, size_t need,
                               size_t size)
{
	return need <= *cap ? old : arena_enlarge(a, old, cap, need, size);
}

/* Makes room for `need` elements in the array `items`, whose room is `cap`. */
#define arena_fit(a, items, need, cap)                                                   \
	((items) = arena_grow((a), (items), &(cap), (need), sizeof(*(items))))

/* Frees the room of the array `items` after its n elements, if it has a block of its own. */
void *arena_shrink(struct arena *a, void *old, size_t *cap, size_t n, size_t size);
#define arena_trim(a, items, n, cap)                                                     \
	((items) = arena_shrink((a), (items), &(cap), (n), sizeof(*(items))))

/* Adds an element to the array `items` with n elements, and returns its address. */
#define arena_push(a, items, n, cap) (arena_fit(a, items, (n) + 1, cap), &(items)[(n)++])

/*
 * Frees n elements from arena_alloc or arena_grow if they have a block of their own.  Smaller
 * allocations stay until arena_release.  p may be NULL.
 */
void arena_drop(struct arena *a, void *p, size_t n, size_t size);

/* Returns a copy of s, followed by a NUL. */
struct str arena_str(struct arena *a, struct str s);

/* Returns two hexadecimal digits for each byte. */
struct str arena_hex(struct arena *a, struct str bytes);

/* Formats like printf, into the arena. */
struct str arena_fmt(struct arena *a, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/*
 * Checks `got`, the result of a library call, and returns it.  The caller must set errno to 0
 * before that call.  If `got` is NULL and errno is ENOMEM, ends the program like arena_alloc,
 * because a lack of memory must not look like damage.  If the memory limit of the input's budget
 * was the cause (base/budget.h), marks the budget as spent and returns NULL instead.
 */
void *arena_checked(void *got);

/* Frees all memory.  The arena can be reused. */
void arena_release(struct arena *a);

/* Declares an empty arena, which is released at the end of the block. */
#define arena_scope(name)                                                                \
	struct arena name __attribute__((cleanup(arena_release))) = { 0 }

#endif
