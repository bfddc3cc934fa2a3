/* Source: tools/perf/util/time-utils.c of Linux 6.1. */
#include "symbol/time_ranges.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"

enum { NS_DIGITS = 9, NUMBER = 32 };

bool time_ranges_are_shares(struct str text)
{
	return str_find(text, '%') < text.n;
}

/* Reads seconds with up to nine decimals.  An empty string yields 0, which means an open end. */
static bool take_time(struct str s, uint64_t *ns)
{
	uint64_t sec = 0, part = 0;

	*ns = 0;
	if (!s.n)
		return true;
	if (!str_take_dec(&s, &sec) || sec > UINT64_MAX / CLOCK_SECOND_NS - 1)
		return false;
	if (s.n && s.p[0] == '.') {
		size_t digits = s.n - 1;

		s = str_from(s, 1);
		if (digits > NS_DIGITS || (digits && !str_take_dec(&s, &part)))
			return false;
		for (; digits < NS_DIGITS; digits++)
			part *= 10;
	}
	*ns = sec * CLOCK_SECOND_NS + part;
	return !s.n;
}

/* Reads "START,STOP". */
static bool parse_seconds(struct str s, uint64_t first, struct time_range *out)
{
	size_t comma = str_find(s, ',');

	if (comma == s.n || !take_time(str_head(s, comma), &out->start) ||
	    !take_time(str_from(s, comma + 1), &out->stop))
		return false;
	out->start += first;
	if (out->stop)
		out->stop += first;
	return !out->stop || out->start <= out->stop;
}

/* Reads "12.5%" as 0.125. */
static bool parse_share(struct str s, double *share)
{
	char text[NUMBER], *end;

	if (s.n < 2 || s.n >= NUMBER || s.p[s.n - 1] != '%')
		return false;
	memcpy(text, s.p, s.n - 1);
	text[s.n - 1] = '\0';
	*share = strtod(text, &end) / 100;
	return !*end && *share >= 0 && *share <= 1;
}

/* Sets a range.  Each range ends 1 ns before the next begins, so ranges do not overlap. */
static bool set_shares(double from, double to, uint64_t first, uint64_t last,
                       struct time_range *out)
{
	double total = (double)(last - first);

	if (!(from >= 0 && from <= 1 && to >= 0 && to <= 1))
		return false;
	out->start = first + (uint64_t)round(from * total);
	out->stop = first + (uint64_t)round(to * total);
	if (out->stop > out->start && out->stop != last)
		out->stop--;
	return true;
}

/* Reads "10%/2", "10%-20%" or "10%". */
static bool parse_part(struct str s, uint64_t first, uint64_t last,
                       struct time_range *out)
{
	size_t slash = str_find(s, '/'), dash = str_find(s, '-');
	double from, to;
	uint64_t which = 1;

	if (slash == s.n && dash < s.n)
		return parse_share(str_head(s, dash), &from) &&
		       parse_share(str_from(s, dash + 1), &to) &&
		       set_shares(from, to, first, last, out);
	if (slash < s.n && (!str_is_dec(str_from(s, slash + 1), &which) || !which))
		return false;
	return parse_share(str_head(s, slash), &to) && to > 0 &&
	       set_shares(to * (double)(which - 1), to * (double)which, first, last, out);
}

bool time_ranges_parse(struct time_ranges *s, struct str text, uint64_t first,
                       uint64_t last, bool relative)
{
	bool shares = time_ranges_are_shares(text);

	s->n = 0;
	do {
		struct str one = str_cut(&text, shares ? ',' : ' ');
		struct time_range *to = &s->range[s->n];

		if (!shares && s->n && !one.n)
			continue;
		if (s->n == TIME_RANGES)
			return false;
		if (shares ? !parse_part(one, first, last, to)
		           : !parse_seconds(one, relative ? first : 0, to))
			return false;
		if (!shares && s->n && to[-1].stop >= to->start)
			return false;
		s->n++;
	} while (text.n);
	return true;
}

/* Time 0 is unknown.  As in perf, samples with an unknown time are kept. */
bool time_ranges_hold(const struct time_ranges *s, uint64_t time_ns)
{
	for (size_t i = 0; i < s->n; i++)
		if (time_ns >= s->range[i].start &&
		    (!s->range[i].stop || time_ns <= s->range[i].stop))
			return true;
	return !time_ns || !s->n;
}
