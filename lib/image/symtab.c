#include "image/symtab.h"

#include <stdlib.h>

/*
 * One sweep over the addresses: of the definitions that hold a byte, the latest
 * has it.  `order` is when it was added.
 */
struct span {
	uint64_t start, end;
	uint32_t order;
};

struct sweep {
	struct span *heap; /* latest definition first */
	size_t n;
	const struct symbol *from;
	struct symtab *to;
	struct arena *arena;
};

void symtab_add(struct symtab *t, struct arena *a, uint64_t start, uint64_t size,
                struct str name)
{
	uint64_t end;

	if (!size || __builtin_add_overflow(start, size, &end))
		return;
	t->sym = arena_grow(a, t->sym, &t->cap, t->n + 1, sizeof(*t->sym));
	t->sym[t->n++] = (struct symbol){ start, end, start, name };
}

static int by_start(const void *pa, const void *pb)
{
	const struct span *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static void swap_spans(struct span *a, struct span *b)
{
	struct span t = *a;

	*a = *b;
	*b = t;
}

static void heap_push(struct sweep *w, struct span s)
{
	size_t i = w->n++;

	w->heap[i] = s;
	for (; i && w->heap[(i - 1) / 2].order < w->heap[i].order; i = (i - 1) / 2)
		swap_spans(&w->heap[(i - 1) / 2], &w->heap[i]);
}

static void heap_pop(struct sweep *w)
{
	size_t i = 0, child;

	w->heap[0] = w->heap[--w->n];
	while ((child = 2 * i + 1) < w->n) {
		if (child + 1 < w->n && w->heap[child + 1].order > w->heap[child].order)
			child++;
		if (w->heap[i].order >= w->heap[child].order)
			break;
		swap_spans(&w->heap[i], &w->heap[child]);
		i = child;
	}
}

static void emit(struct sweep *w, uint64_t start, uint64_t end, uint32_t order)
{
	const struct symbol *s = &w->from[order];
	struct symtab *to = w->to;

	if (to->n && to->sym[to->n - 1].end == start &&
	    to->sym[to->n - 1].name.p == s->name.p &&
	    to->sym[to->n - 1].base == s->base) {
		to->sym[to->n - 1].end = end;
		return;
	}
	to->sym = arena_grow(w->arena, to->sym, &to->cap, to->n + 1, sizeof(*to->sym));
	to->sym[to->n++] = (struct symbol){ start, end, s->base, s->name };
}

/* Everything in the heap has begun before `from`; emits what is before `upto`. */
static void drain(struct sweep *w, uint64_t from, uint64_t upto)
{
	while (w->n && from < upto) {
		uint64_t end = w->heap[0].end;

		if (end <= from) {
			heap_pop(w);
			continue;
		}
		if (end > upto)
			end = upto;
		emit(w, from, end, w->heap[0].order);
		from = end;
	}
}

void symtab_sort(struct symtab *t, struct arena *a)
{
	struct arena scratch = { 0 };
	struct span *span = arena_new(&scratch, struct span, t->n + 1);
	struct symtab sorted = { .sorted = true };
	struct sweep w = { .from = t->sym, .to = &sorted, .arena = a };

	w.heap = arena_new(&scratch, struct span, t->n + 1);
	for (size_t i = 0; i < t->n; i++)
		span[i] = (struct span){ t->sym[i].start, t->sym[i].end, (uint32_t)i };
	qsort(span, t->n, sizeof(*span), by_start);
	for (size_t i = 0; i < t->n; i++) {
		heap_push(&w, span[i]);
		drain(&w, span[i].start, i + 1 < t->n ? span[i + 1].start : UINT64_MAX);
	}
	arena_release(&scratch);
	*t = sorted;
}

const struct symbol *symtab_find(const struct symtab *t, uint64_t addr)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->sym[mid].end <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < t->n && t->sym[low].start <= addr ? &t->sym[low] : NULL;
}
