#include "image/dotnet/clr_lines.h"

#include <stdlib.h>

void clr_lines_add(struct clr_lines *t, struct arena *a, const struct clr_code *code)
{
	*arena_push(a, t->code, t->n, t->cap) = *code;
}

/*
 * Sorts code by start, then by time.  If both are equal, code without an IL map is first.
 */
static int by_start(const void *pa, const void *pb)
{
	const struct clr_code *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return (a->il.n > b->il.n) - (a->il.n < b->il.n);
}

void clr_lines_sort(struct clr_lines *t)
{
	if (t->n)
		qsort(t->code, t->n, sizeof(*t->code), by_start);
}

const struct clr_code *clr_lines_find(const struct clr_lines *t, uint64_t start,
                                      uint64_t time_ns)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct clr_code *c = &t->code[mid];

		if (c->start < start || (c->start == start && c->time_ns <= time_ns))
			low = mid + 1;
		else
			high = mid;
	}
	if (low && t->code[low - 1].start == start)
		return &t->code[low - 1];
	return low < t->n && t->code[low].start == start ? &t->code[low] : NULL;
}
