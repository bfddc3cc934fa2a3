#include "stack/slices.h"

enum { US = 1000, SECOND = 1000000 /* in us */ };

bool slices_every(struct slices_opts *opts, const char *text)
{
	static const struct {
		const char *name;
		uint64_t us;
	} units[] = { { "s", SECOND }, { "ms", US }, { "us", 1 } };
	struct str s = str_of(text);
	uint64_t n;

	*opts = (struct slices_opts){ 0 };
	if (!str_take_dec(&s, &n) || !n || n > UINT64_MAX / SECOND)
		return false;
	if (!s.n)
		opts->samples = n;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (str_eq(s, str_of(units[i].name)))
			opts->us = n * units[i].us;
	return slices_wanted(opts);
}

bool slices_by_second(struct slices_opts *opts, const char *text)
{
	uint64_t n = SLICES_PER_SECOND;

	if (text && (!str_is_dec(str_of(text), &n) || !n || n > SLICES_PER_SECOND_MOST))
		return false;
	*opts = (struct slices_opts){ .per_second = (unsigned)n };
	return true;
}

void slices_init(struct slices *s, struct arena *arena, const struct slices_opts *opts)
{
	*s = (struct slices){ .arena = arena, .opts = *opts };
}

static uint64_t slice_of(const struct slices *s, uint64_t time_ns)
{
	uint64_t us = time_ns / US, n = s->opts.per_second;

	if (s->opts.samples)
		return s->samples / s->opts.samples;
	return n ? us / SECOND * n + us % SECOND * n / SECOND : us / s->opts.us;
}

/* Returns the end time of a slice.  The next slice begins at this time. */
static uint64_t end_of(const struct slices *s, uint64_t slice)
{
	uint64_t n = s->opts.per_second, us;

	if (n)
		us = (slice + 1) / n * SECOND + ((slice + 1) % n * SECOND + n - 1) / n;
	else if (__builtin_mul_overflow(slice + 1, s->opts.us, &us))
		us = UINT64_MAX;
	return us > UINT64_MAX / US ? UINT64_MAX : us * US;
}

static struct slice_weight *add(struct slices *s, uint64_t slice, stack_id stack,
                                uint64_t weight)
{
	uint32_t *at = table_at(&s->at, s->arena, slice, stack);
	struct slice_weight *w;

	w = table_item(at, s->arena, s->weight, s->n, s->cap,
	               (struct slice_weight){ .slice = slice, .stack = stack });
	if (__builtin_add_overflow(w->weight, weight, &w->weight))
		w->weight = UINT64_MAX;
	return w;
}

static void count(struct slices *s, struct slice_weight *w)
{
	w->samples += w->samples < UINT32_MAX;
	s->samples++;
}

void slices_add(struct slices *s, uint64_t time_ns, stack_id stack, uint64_t weight)
{
	count(s, add(s, slice_of(s, time_ns), stack, weight));
}

/*
 * Returns the end of the part of an interval that is in the slice.  If there were too many parts,
 * returns the end of the interval.
 */
static uint64_t last_of(struct slices *s, uint64_t slice, uint64_t to_ns)
{
	uint64_t end = s->opts.samples ? to_ns : end_of(s, slice);

	if (end >= to_ns)
		return to_ns;
	if (s->parts == SLICES_PARTS_MOST) {
		s->undivided++;
		return to_ns;
	}
	s->parts++;
	return end;
}

void slices_add_span(struct slices *s, uint64_t from_ns, uint64_t to_ns, stack_id stack)
{
	uint64_t slice = slice_of(s, from_ns), end = last_of(s, slice, to_ns);

	count(s, add(s, slice, stack, end - from_ns));
	while (end < to_ns) {
		from_ns = end;
		end = last_of(s, ++slice, to_ns);
		add(s, slice, stack, end - from_ns);
	}
}

void slices_rename(struct slices *s, const stack_id *to)
{
	for (size_t i = 0; i < s->n; i++)
		s->weight[i].stack = to[s->weight[i].stack];
}

ORDER(compare, struct slice_weight,
      num_cmp(a->slice, b->slice) ?: num_cmp(a->stack, b->stack))

void slices_sort(struct slices *s)
{
	if (!s->n)
		return;
	order_by(s->weight, s->n, compare);
	s->count = 1;
	for (size_t i = 1; i < s->n; i++)
		s->count += s->weight[i].slice != s->weight[i - 1].slice;
	s->first = s->weight[0].slice;
	if (s->opts.per_second)
		s->first -= s->first % s->opts.per_second;
}

bool slices_next(const struct slices *s, size_t *at, struct slice *out)
{
	const struct slice_weight *w = s->weight + *at;

	if (*at == s->n)
		return false;
	*out = (struct slice){ .number = w->slice - s->first, .weight = w };
	for (; *at < s->n && s->weight[*at].slice == w->slice; ++*at, out->n++)
		out->samples += s->weight[*at].samples;
	return true;
}

void slices_stacks(const struct slice *slice, const struct stacks *all, str_id root,
                   struct stacks *out)
{
	stack_id *path = NULL, top;
	size_t cap = 0;

	stack_init(out, out->arena);
	top = root ? stack_push(out, 0, root) : 0;
	for (size_t i = 0; i < slice->n; i++) {
		const struct slice_weight *w = &slice->weight[i];
		stack_id id = top;
		size_t n = 0;

		for (stack_id k = w->stack; k; k = all->node[k].parent)
			*arena_push(out->arena, path, n, cap) = k;
		while (n)
			id = stack_push(out, id, all->node[path[--n]].name);
		stack_add(out, id, w->weight, 0);
	}
}

struct str slices_name(const struct slices *s, uint64_t number, struct arena *a)
{
	unsigned n = s->opts.per_second, digits = 1;
	uint64_t parts = 10;

	if (!n)
		return arena_fmt(a, "%06llu", (unsigned long long)number);
	for (; parts < n; parts *= 10)
		digits++;
	return arena_fmt(a, "%llu.%0*llu", (unsigned long long)(number / n), (int)digits,
	                 (unsigned long long)((number % n * parts + n / 2) / n));
}

uint64_t slices_begin_us(const struct slices *s)
{
	if (s->opts.per_second)
		return s->first / s->opts.per_second * SECOND;
	return s->first * s->opts.us;
}
