#include "writer/unit.h"

#include "stack/head.h"
#include "writer/caption.h"

enum { SLOTS_MOST = 1000 };

bool unit_read(struct unit *u, struct str line, struct arena *a)
{
	static const struct str begin = { "# pfold ", 8 };
	bool by_second = false;
	uint64_t n;

	if (!str_starts(line, begin))
		return false;
	*u = (struct unit){ 0 };
	line = str_trim(str_from(line, begin.n));
	while (line.n) {
		struct str value = str_cut(&line, ' ');
		bool given = str_find(value, '=') < value.n;
		struct str key = str_cut(&value, '=');

		by_second |= !given && str_eq(key, STR("by-second"));
		if (str_eq(key, STR("event")))
			u->event = arena_str(a, value);
		else if (str_eq(key, STR("unit")))
			u->name = arena_str(a, value);
		else if (str_eq(key, STR("samples")) && str_is_dec(value, &n)) {
			u->samples = n;
			u->empty = !n;
		} else if (str_eq(key, STR("duration")))
			head_duration(value, &u->duration_us);
		else if (str_eq(key, STR("cpus")) && str_is_dec(value, &n) &&
		         n <= UINT32_MAX)
			u->cpus = (unsigned)n;
		else if (str_eq(key, STR("slots")) && str_is_dec(value, &n) &&
		         n <= SLOTS_MOST)
			u->per_second = (unsigned)n;
	}
	if (!by_second)
		u->per_second = 0;
	return true;
}

struct unit unit_sum(const struct unit *a, const struct unit *b)
{
	struct unit sum = *a;

	if (b->empty)
		return *a;
	if (a->empty)
		return *b;
	if (!str_eq(a->event, b->event))
		sum.event = (struct str){ 0 };
	if (!str_eq(a->name, b->name))
		sum.name = STR("units");
	sum.samples = a->samples && b->samples ? a->samples + b->samples : 0;
	sum.duration_us =
	        a->duration_us && b->duration_us ? a->duration_us + b->duration_us : 0;
	if (a->cpus != b->cpus)
		sum.cpus = 0;
	if (a->per_second != b->per_second)
		sum.per_second = 0;
	return sum;
}

struct str unit_group(struct str digits, struct arena *a)
{
	size_t whole = str_find(digits, '.'), n = 0;
	char *to = arena_alloc(a, digits.n + digits.n / 3 + 1, 1);

	for (size_t i = 0; i < digits.n; i++) {
		if (i && i < whole && (whole - i) % 3 == 0)
			to[n++] = ',';
		to[n++] = digits.p[i];
	}
	return (struct str){ to, n };
}

static const struct scale {
	double least;
	const char *suffix;
} seconds[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 0, "ns" } },
  bytes[] = { { 1e9, "GB" }, { 1e6, "MB" }, { 1e3, "kB" }, { 0, "B" } };

/* Formats v with three significant digits: "13.0 s", "1.50 ms", "430 us". */
static struct str scaled(const struct scale *s, double v, struct arena *a)
{
	double shown;

	while (v < s->least)
		s++;
	shown = v / (s->least > 0 ? s->least : 1);
	return arena_fmt(a, "%.*f %s",
	                 s->least <= 0 || shown >= 100 ? 0
	                 : shown < 10                  ? 2
	                                               : 1,
	                 shown, s->suffix);
}

struct str unit_format(const struct unit *u, double v, struct str count, struct arena *a)
{
	struct str name = caption_clean(a, u->name.n ? u->name : STR("samples"));

	if (str_eq(name, STR("ns")))
		return scaled(seconds, v, a);
	if (str_eq(name, STR("bytes")))
		return scaled(bytes, v, a);
	if (str_eq(count, STR("1")) && name.n > 1 && str_ends(name, STR("s")))
		name.n--;
	count = unit_group(count, a);
	return arena_fmt(a, PRSTR " " PRSTR, STRARG(count), STRARG(name));
}
