#include "stack/head.h"

#include <limits.h>

struct str head_unit(struct str base)
{
	static const struct {
		const char *event, *unit;
	} units[] = {
		{ "cpu-clock", "ns" },      { "task-clock", "ns" },
		{ "offcpu-time", "ns" },    { "cycles", "cycles" },
		{ "cpu-cycles", "cycles" }, { "ref-cycles", "cycles" },
		{ "bus-cycles", "cycles" }, { "instructions", "instructions" },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (str_eq(base, str_of(units[i].event)))
			return str_of(units[i].unit);
	return STR("events");
}

/*
 * Reads the value of "NAME=" at the start of *rest, and removes the name, the value and the blank
 * after it.
 */
static bool take(struct str *rest, struct str name, struct str *value)
{
	*value = str_cut(rest, ' ');
	if (!str_starts(*value, name))
		return false;
	*value = str_from(*value, name.n);
	return value->n != 0;
}

bool head_duration(struct str s, uint64_t *us)
{
	struct str whole = str_cut(&s, '.');
	uint64_t n, part;

	if (!str_is_dec(whole, &n) || n > UINT32_MAX || s.n != 6 || !str_is_dec(s, &part))
		return false;
	*us = n * 1000000 + part;
	return true;
}

/* Reads the optional fields "duration=1.500000 " and "cpus=8 ". */
static void take_extent(struct str *rest, struct head *out)
{
	struct str after = *rest, value;
	uint64_t n;

	out->duration_us = 0;
	out->cpus = 0;
	if (take(&after, STR("duration="), &value)) {
		head_duration(value, &out->duration_us);
		*rest = after;
	}
	after = *rest;
	if (take(&after, STR("cpus="), &value)) {
		if (str_is_dec(value, &n) && n <= UINT_MAX)
			out->cpus = (unsigned)n;
		*rest = after;
	}
}

bool head_parse(struct str line, struct head *out)
{
	const struct str begin = STR("# pfold ");
	struct str samples;

	line = str_trim(line);
	if (!str_starts(line, begin))
		return false;
	line = str_from(line, begin.n);
	if (!take(&line, STR("event="), &out->event) ||
	    !take(&line, STR("samples="), &samples) ||
	    !str_is_dec(samples, &out->samples))
		return false;
	take_extent(&line, out);
	return take(&line, STR("unit="), &out->unit) && !line.n;
}

/* Converts s to a word without '=', so that it is a valid value. */
static struct str word(struct arena *a, struct str s)
{
	char *p;

	if (!s.n)
		return STR("unknown");
	p = arena_new(a, char, s.n);
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		p[i] = s.p[i];
		if (c <= ' ' || c == 0x7f || c == '=' || c == ';')
			p[i] = '_';
	}
	return (struct str){ p, s.n };
}

static struct str extent(struct arena *a, const struct head *h)
{
	struct str s = STR("");

	if (h->duration_us)
		s = arena_fmt(a, " duration=%llu.%06llu",
		              (unsigned long long)(h->duration_us / 1000000),
		              (unsigned long long)(h->duration_us % 1000000));
	if (h->cpus)
		s = arena_fmt(a, PRSTR " cpus=%u", STRARG(s), h->cpus);
	return s;
}

struct str head_line(struct arena *a, const struct head *h, unsigned slots)
{
	struct str event = word(a, h->event), unit = word(a, h->unit),
	           times = extent(a, h);

	if (slots)
		times = arena_fmt(a, PRSTR " slots=%u", STRARG(times), slots);
	return arena_fmt(
	        a, "# pfold %sevent=" PRSTR " samples=%llu" PRSTR " unit=" PRSTR "\n",
	        slots ? "by-second " : "", STRARG(event), (unsigned long long)h->samples,
	        STRARG(times), STRARG(unit));
}

/* Returns true if `name` is one of the events in `list`. */
static bool has_event(struct str list, struct str name)
{
	while (list.n)
		if (str_eq(str_cut(&list, ','), name))
			return true;
	return false;
}

static void add_events(struct head_sum *sum, struct str more)
{
	struct head *h = &sum->head;

	while (more.n) {
		struct str name = str_cut(&more, ',');

		if (!has_event(h->event, name))
			h->event =
			        arena_fmt(sum->arena, PRSTR "%s" PRSTR, STRARG(h->event),
			                  h->event.n ? "," : "", STRARG(name));
	}
}

/* Adds duration and number of CPUs of another input. */
static void add_extent(struct head *into, const struct head *h)
{
	bool follows = into->samples != 0;
	bool known = (into->duration_us || !follows) && h->duration_us;

	if (!known ||
	    __builtin_add_overflow(into->duration_us, h->duration_us, &into->duration_us))
		into->duration_us = 0;
	if (!follows)
		into->cpus = h->cpus;
	else if (into->cpus != h->cpus)
		into->cpus = 0;
}

bool head_add(struct head_sum *sum, const struct head *h)
{
	struct head *into = &sum->head;
	bool alike;

	sum->inputs++;
	if (!h) {
		sum->unstated = true;
		return true;
	}
	/* An input without samples does not change events and unit. */
	if (!h->samples && into->unit.n)
		return true;
	if (!into->samples)
		*into = (struct head){ 0 };
	add_events(sum, word(sum->arena, h->event));
	add_extent(into, h);
	if (__builtin_add_overflow(into->samples, h->samples, &into->samples))
		into->samples = UINT64_MAX;
	alike = !into->unit.n || str_eq(into->unit, h->unit);
	if (!into->unit.n)
		into->unit = arena_str(sum->arena, h->unit);
	else if (!alike)
		into->unit = STR("mixed");
	return alike;
}
