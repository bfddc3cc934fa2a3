#include "image/symtab.h"

/*
 * A range during the sweep over all addresses.  If several ranges contain a byte, the one with
 * the greatest `order`, which was added last, wins.
 */
struct span {
	uint64_t start, end;
	uint32_t order;
};

struct sweep {
	struct span *heap; /* a heap with the newest range at the top */
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
	*arena_push(a, t->sym, t->n, t->cap) = (struct symbol){ start, end, start, name };
}

/* Sorts by one byte of `start`.  The sort is stable. */
static void sort_byte(const struct span *from, struct span *to, size_t n, unsigned shift)
{
	size_t place[257] = { 0 };

	for (size_t i = 0; i < n; i++)
		place[(from[i].start >> shift & 0xff) + 1]++;
	for (size_t i = 1; i < 256; i++)
		place[i] += place[i - 1];
	for (size_t i = 0; i < n; i++)
		to[place[from[i].start >> shift & 0xff]++] = from[i];
}

/*
 * Sorts by `start`, one byte after another.  The sort is stable.  Skips bytes that are equal in
 * all spans.
 */
static void sort_spans(struct span **span, struct span **spare, size_t n)
{
	struct span *s = *span, *to = *spare, *t;
	uint64_t differ = 0;
	bool sorted = true;

	for (size_t i = 1; i < n; i++) {
		differ |= s[i].start ^ s[0].start;
		sorted &= s[i - 1].start <= s[i].start;
	}
	for (unsigned shift = 0; !sorted && shift < 64; shift += 8) {
		if (!(differ >> shift & 0xff))
			continue;
		sort_byte(s, to, n, shift);
		t = s;
		s = to;
		to = t;
	}
	*span = s;
	*spare = to;
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

/* Returns true if `next`, from `start` on, continues the range of s. */
static bool continues(const struct symbol *s, uint64_t start, const struct symbol *next)
{
	return s->end == start && s->name.p == next->name.p && s->base == next->base;
}

static void emit(struct sweep *w, uint64_t start, uint64_t end, uint32_t order)
{
	const struct symbol *s = &w->from[order];
	struct symtab *to = w->to;

	if (to->n && continues(&to->sym[to->n - 1], start, s)) {
		to->sym[to->n - 1].end = end;
		return;
	}
	*arena_push(w->arena, to->sym, to->n, to->cap) =
	        (struct symbol){ start, end, s->base, s->name };
}

/*
 * Emits the symbols for addresses from `from` up to `upto`.  No span in the heap begins after
 * `from`.
 */
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

/* Returns true if symtab_sort would not change the ranges. */
static bool is_sorted(const struct symtab *t)
{
	for (size_t i = 1; i < t->n; i++) {
		const struct symbol *s = &t->sym[i];

		if (s[-1].end > s->start || continues(&s[-1], s->start, s))
			return false;
	}
	return true;
}

void symtab_sort(struct symtab *t, struct arena *a)
{
	arena_scope(scratch);
	struct symtab sorted = { .sorted = true, .cap = t->n };
	struct sweep w = { .from = t->sym, .to = &sorted, .arena = a };
	struct span *span;

	t->sorted = true;
	if (is_sorted(t))
		return;
	span = arena_new(&scratch, struct span, t->n);
	sorted.sym = arena_new(a, struct symbol, t->n);
	w.heap = arena_new(&scratch, struct span, t->n);
	for (size_t i = 0; i < t->n; i++)
		span[i] = (struct span){ t->sym[i].start, t->sym[i].end, (uint32_t)i };
	sort_spans(&span, &w.heap, t->n);
	for (size_t i = 0; i < t->n; i++) {
		uint64_t next = i + 1 < t->n ? span[i + 1].start : UINT64_MAX;

		if (!w.n && span[i].end <= next) {
			emit(&w, span[i].start, span[i].end, span[i].order);
			continue;
		}
		heap_push(&w, span[i]);
		drain(&w, span[i].start, next);
	}
	*t = sorted;
}

/*
 * Ends of the symbols that start at or before the current address.  `last` is the greatest end,
 * and `name` is the name of its symbol.  `other` is the greatest end of a symbol with a
 * different name.  From the current address up to `other`, addresses have at least two names.
 */
struct ends {
	struct str name;
	uint64_t last, other;
};

static void take_end(struct ends *e, const struct symbol *s)
{
	bool same = str_eq(s->name, e->name);

	if (s->end > e->last) {
		if (!same)
			e->other = e->last;
		e->name = s->name;
		e->last = s->end;
	} else if (!same && s->end > e->other) {
		e->other = s->end;
	}
}

void symtab_shared(const struct symtab *t, struct symtab *out, struct arena *a)
{
	arena_scope(scratch);
	struct span *span = arena_new(&scratch, struct span, t->n + 1);
	struct span *spare = arena_new(&scratch, struct span, t->n + 1);
	struct ends ends = { 0 };

	for (size_t i = 0; i < t->n; i++)
		span[i] = (struct span){ t->sym[i].start, t->sym[i].end, (uint32_t)i };
	sort_spans(&span, &spare, t->n);
	for (size_t i = 0; i < t->n; i++) {
		uint64_t next = i + 1 < t->n ? span[i + 1].start : UINT64_MAX;
		uint64_t end;

		take_end(&ends, &t->sym[span[i].order]);
		end = ends.other < next ? ends.other : next;
		if (end > span[i].start)
			symtab_add(out, a, span[i].start, end - span[i].start, ends.name);
	}
	symtab_sort(out, a);
}

/* Returns the index of the first symbol that ends after addr. */
static size_t index_of(const struct symtab *t, uint64_t addr)
{
	return bisect(t->n, i, t->sym[i].end <= addr);
}

const struct symbol *symtab_find(const struct symtab *t, uint64_t addr)
{
	size_t i = index_of(t, addr);

	return i < t->n && t->sym[i].start <= addr ? &t->sym[i] : NULL;
}

const struct symbol *symtab_find_near(const struct symtab *t, uint64_t addr, size_t *near)
{
	const struct symbol *s;

	if (*near < t->n && t->sym[*near].start <= addr && addr < t->sym[*near].end)
		return &t->sym[*near];
	s = symtab_find(t, addr);
	if (s)
		*near = (size_t)(s - t->sym);
	return s;
}

bool symtab_is_padding(struct str name)
{
	return str_starts(name, STR("__pfx_")) || str_starts(name, STR("__cfi_")) ||
	       str_ends(name, STR("-CodeInfoPrologue"));
}

const struct symbol *symtab_find_frame(const struct symtab *t, uint64_t addr, bool caller,
                                       struct symtab_span *span)
{
	uint64_t at = caller ? addr - 1 : addr, start, end;
	size_t i = index_of(t, at);
	const struct symbol *s = i < t->n && t->sym[i].start <= at ? &t->sym[i] : NULL;
	bool code = s && !symtab_is_padding(s->name);

	if (s) {
		start = s->start;
		end = s->end;
	} else {
		start = i ? t->sym[i - 1].end : 0;
		end = i < t->n ? t->sym[i].start : UINT64_MAX;
	}
	/*
	 * If `at` is not in a function, a return address at `end` gets the symbol that
	 * begins there, so the span ends one byte earlier.
	 */
	if (span)
		*span = (struct symtab_span){ at - start, end - at - !code };
	if (code || !caller || at + 1 != end)
		return s;
	i += s != NULL;
	return i < t->n && t->sym[i].base == addr ? &t->sym[i] : s;
}
