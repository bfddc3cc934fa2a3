#include "image/dotnet/clr_lines.h"

/*
 * Sorts code by start, then by time.  If two elements have the same start and time, the element
 * without an IL map is first.
 */
ORDER(by_start, struct clr_code,
      num_cmp(a->start, b->start) ?: num_cmp(a->time_ns, b->time_ns)
              ?: num_cmp(a->il.n, b->il.n))

void clr_lines_sort(struct clr_lines *t)
{
	order_by(t->code, t->n, by_start);
}

const struct clr_code *clr_lines_find(const struct clr_lines *t, uint64_t start,
                                      uint64_t time_ns)
{
	const struct clr_code *c = t->code;
	size_t low = bisect(t->n, i,
	                    c[i].start < start ||
	                            (c[i].start == start && c[i].time_ns <= time_ns));

	if (low && t->code[low - 1].start == start)
		return &t->code[low - 1];
	return low < t->n && t->code[low].start == start ? &t->code[low] : NULL;
}
