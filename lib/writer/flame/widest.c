#include "writer/flame/widest.h"

#include <math.h>

static void swap(double *a, double *b)
{
	double kept = *a;

	*a = *b;
	*b = kept;
}

/* Moves heap[i] down until neither of its children in the heap is less. */
static void sift(struct widest *w, size_t i)
{
	for (size_t least = i;; i = least) {
		for (size_t k = 2 * i + 1; k < 2 * i + 3 && k < w->n; k++)
			if (w->heap[k] < w->heap[least])
				least = k;
		if (least == i)
			return;
		swap(&w->heap[i], &w->heap[least]);
	}
}

void widest_add(struct widest *w, double v)
{
	if (w->n > w->most) {
		if (v > w->heap[0]) {
			w->heap[0] = v;
			sift(w, 0);
		}
		return;
	}
	arena_fit(w->arena, w->heap, w->n + 1, w->cap);
	w->heap[w->n] = v;
	for (size_t i = w->n++; i && w->heap[(i - 1) / 2] > w->heap[i]; i = (i - 1) / 2)
		swap(&w->heap[(i - 1) / 2], &w->heap[i]);
}

double widest_limit(const struct widest *w)
{
	return w->n > w->most ? w->heap[0] : -INFINITY;
}
