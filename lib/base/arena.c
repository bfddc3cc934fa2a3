#include "base/arena.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/budget.h"
#include "base/out.h"
#include "base/pages.h"

/*
 * Unused memory and some bytes after each allocation are poisoned, so that AddressSanitizer
 * reports invalid accesses in the same way as for malloc.
 */
#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
enum { GAP = 16 };
#else
#define ASAN_POISON_MEMORY_REGION(p, n)   ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
enum { GAP = 0 };
#endif

enum {
	ALIGN = 16,
	FIRST = 4 << 10,
	BLOCK = 64 << 10,
	BIG = 16 << 10,
	LARGE = 2 << 20,
	/* larger memory is usually new, so calloc does not write to it */
	FRESH = 256 << 10,
};

/*
 * Small allocations share blocks.  The first block is small, because many arenas contain only one
 * string.  Each further block is twice as large as the previous one.  A large allocation has a
 * block of its own, which arena_drop and arena_grow can free.
 */
struct arena_block {
	struct arena_block *next, *prev;
	size_t size; /* bytes after the header */
	char pad[8];
};

_Static_assert(sizeof(struct arena_block) % ALIGN == 0, "blocks keep alignment");

static _Noreturn void out_of_memory(size_t size)
{
	if (size)
		fprintf(stderr, "offbox: out of memory (%zu bytes requested)\n", size);
	else
		fputs("offbox: out of memory\n", stderr);
	exit(2);
}

/*
 * Uses large pages for a table.  With small pages, most random accesses need a walk through the
 * page tables.
 */
static void use_large_pages(struct arena_block *b, size_t size)
{
	if (size >= LARGE)
		pages_large(b, sizeof(*b) + size);
}

/*
 * Returns zeroed memory, or NULL.  Its pages are mapped at once, or on their first use if there are
 * more than FRESH bytes.
 */
static void *take(size_t size)
{
	void *p;

	if (size < BIG || size > FRESH)
		return calloc(1, size);
	p = malloc(size);
	if (!p)
		return NULL;
	pages_write(p, size);
	return memset(p, 0, size);
}

static struct arena_block *push_block(struct arena *a, size_t size)
{
	struct arena_block *b = take(sizeof(*b) + size);

	if (!b && budget_extend())
		b = take(sizeof(*b) + size);
	if (!b)
		out_of_memory(size);
	use_large_pages(b, size);
	b->size = size;
	b->next = a->blocks;
	if (b->next)
		b->next->prev = b;
	a->blocks = b;
	a->bytes += size;
	return b;
}

static size_t total(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes) || bytes > PTRDIFF_MAX - BLOCK)
		out_of_memory(SIZE_MAX);
	return (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

static void push_small_block(struct arena *a, size_t bytes)
{
	a->room = a->room ? a->room * 2 : FIRST;
	while (a->room < bytes)
		a->room *= 2;
	if (a->room > BLOCK)
		a->room = BLOCK;
	a->p = (char *)(push_block(a, a->room) + 1);
	a->end = a->p + a->room;
	ASAN_POISON_MEMORY_REGION(a->p, a->room);
}

void *arena_alloc(struct arena *a, size_t n, size_t size)
{
	size_t bytes = total(n, size);
	char *p;

	if (bytes >= BIG) {
		p = (char *)(push_block(a, bytes) + 1);
		ASAN_POISON_MEMORY_REGION(p + n * size, bytes - n * size);
		return p;
	}
	bytes += GAP;
	if ((size_t)(a->end - a->p) < bytes)
		push_small_block(a, bytes);
	p = a->p;
	a->p += bytes;
	ASAN_UNPOISON_MEMORY_REGION(p, n * size);
	return p;
}

/* Corrects the list after a block has moved, and sets its size. */
static void moved_block(struct arena *a, struct arena_block *b, size_t bytes)
{
	a->bytes += bytes - b->size;
	b->size = bytes;
	if (b->prev)
		b->prev->next = b;
	else
		a->blocks = b;
	if (b->next)
		b->next->prev = b;
}

static void *regrow(struct arena *a, void *old, size_t n, size_t size)
{
	struct arena_block *b = (struct arena_block *)old - 1, *grown;
	size_t was = b->size, bytes = total(n, size);

	grown = malloc(sizeof(*b) + bytes);
	if (!grown && budget_extend())
		grown = malloc(sizeof(*b) + bytes);
	if (!grown)
		out_of_memory(bytes);
	/* Not realloc, because its copy has a page fault for each page. */
	use_large_pages(grown, bytes);
	pages_write(grown, sizeof(*b) + bytes);
	ASAN_UNPOISON_MEMORY_REGION(b + 1, was);
	memcpy(grown, b, sizeof(*b) + was);
	free(b);
	b = grown;
	moved_block(a, b, bytes);
	memset((char *)(b + 1) + was, 0, bytes - was);
	ASAN_POISON_MEMORY_REGION((char *)(b + 1) + n * size, bytes - n * size);
	return b + 1;
}

void *arena_enlarge(struct arena *a, void *old, size_t *cap, size_t need, size_t size)
{
	size_t was = *cap, now = was ? was : 16;
	void *p;

	while (now < need)
		if (__builtin_mul_overflow(now, 2, &now))
			out_of_memory(SIZE_MAX);
	*cap = now;
	if (was && total(was, size) >= BIG)
		return regrow(a, old, now, size);
	p = arena_alloc(a, now, size);
	if (was)
		memcpy(p, old, was * size);
	return p;
}

void *arena_shrink(struct arena *a, void *old, size_t *cap, size_t n, size_t size)
{
	size_t bytes = total(n, size);
	struct arena_block *b;

	if (bytes < BIG || n >= *cap)
		return old;
	b = realloc((struct arena_block *)old - 1, sizeof(*b) + bytes);
	if (!b)
		return old;
	moved_block(a, b, bytes);
	memset((char *)(b + 1) + n * size, 0, bytes - n * size);
	ASAN_POISON_MEMORY_REGION((char *)(b + 1) + n * size, bytes - n * size);
	*cap = n;
	return b + 1;
}

void arena_drop(struct arena *a, void *p, size_t n, size_t size)
{
	struct arena_block *b;

	if (!p || total(n, size) < BIG)
		return;
	b = (struct arena_block *)p - 1;
	a->bytes -= b->size;
	if (b->prev)
		b->prev->next = b->next;
	else
		a->blocks = b->next;
	if (b->next)
		b->next->prev = b->prev;
	free(b);
}

void *arena_alloc_dense(struct arena *a, size_t n, size_t size)
{
	char *p = arena_alloc(a, n, size);

	if (n * size >= FRESH)
		pages_write(p, n * size);
	return p;
}

struct str arena_str(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n + 1, 1);

	if (s.n)
		memcpy(p, s.p, s.n);
	return (struct str){ p, s.n };
}

struct str arena_hex(struct arena *a, struct str bytes)
{
	char *to = arena_alloc(a, bytes.n + 1, 2);

	return (struct str){ to, out_bytes_at(to, bytes) };
}

struct str arena_fmt(struct arena *a, const char *fmt, ...)
{
	va_list ap, again;
	char *p;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	p = arena_alloc(a, (size_t)(n < 0 ? 0 : n) + 1, 1);
	if (n > 0)
		vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return (struct str){ p, (size_t)(n < 0 ? 0 : n) };
}

void *arena_checked(void *got)
{
	if (!got && errno == ENOMEM && !budget_extend())
		out_of_memory(0);
	return got;
}

void arena_release(struct arena *a)
{
	struct arena_block *b = a->blocks, *next;

	for (; b; b = next) {
		next = b->next;
		free(b);
	}
	*a = (struct arena){ 0 };
}
