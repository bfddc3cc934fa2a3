#include "writer/flame/spans.h"

#include "base/clock.h"

enum { SECONDS_MOST = 4000000 };

bool spans_time(struct str s, uint64_t *ns)
{
	struct str seconds = str_cut(&s, '.');
	uint64_t whole, unit = CLOCK_SECOND_NS / 10;

	if (!str_is_dec(seconds, &whole) || whole > SECONDS_MOST || s.n > 9)
		return false;
	*ns = whole * CLOCK_SECOND_NS;
	for (size_t i = 0; i < s.n; i++, unit /= 10) {
		if (!str_is_digit(s.p[i]))
			return false;
		*ns += unit * (uint64_t)(s.p[i] - '0');
	}
	return true;
}

/* Reads the time after "NAME=" at the start of *rest, and moves *rest after the next blank. */
static bool take(struct str *rest, struct str name, uint64_t *ns)
{
	struct str word = str_cut(rest, ' ');

	return str_starts(word, name) && spans_time(str_from(word, name.n), ns);
}

ORDER(by_length, struct span,
      num_cmp(b->to_ns - b->from_ns, a->to_ns - a->from_ns)
              ?: num_cmp(a->from_ns, b->from_ns))

ORDER(by_time, struct span, num_cmp(a->from_ns, b->from_ns) ?: by_length(a, b))

static void keep_longest(struct spans *s)
{
	if (s->n <= SPANS_MOST)
		return;
	order_by(s->span, s->n, by_length);
	s->n = SPANS_MOST;
}

bool spans_read(struct spans *s, struct str line, struct arena *a)
{
	static const struct str begin = { "# pfold mark ", 13 };
	struct span span;

	line = str_trim(line);
	if (!str_starts(line, begin))
		return false;
	line = str_from(line, begin.n);
	if (!take(&line, STR("from="), &span.from_ns) ||
	    !take(&line, STR("to="), &span.to_ns) || span.to_ns < span.from_ns ||
	    !str_starts(line, STR("[")) || !str_ends(line, STR("]")))
		return true;
	s->read++;
	if (s->n == (size_t)2 * SPANS_MOST)
		keep_longest(s);
	span.text = arena_str(a, str_from(str_head(line, line.n - 1), 1));
	*arena_push(a, s->span, s->n, s->cap) = span;
	return true;
}

void spans_sort(struct spans *s)
{
	keep_longest(s);
	order_by(s->span, s->n, by_time);
}
