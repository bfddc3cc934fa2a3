#include "writer/flame/diff_words.h"

#include <math.h>

enum { SHOWN = 3 }; /* maximum number of functions in each list: grew, shrank */

bool diff_words_compare(struct svg_opts *opts, enum compare_unit unit,
                        const struct flame *f, size_t names)
{
	struct compared side[2];
	arena_scope(scratch);

	for (size_t k = 0; k < 2; k++) {
		double *self = arena_new(&scratch, double, names + 1);

		for (size_t i = 1; i < names; i++)
			self[i] = weight_value(f->names[k][i].self);
		side[k] = (struct compared){
			.self = self,
			.total = weight_value(flame_share(f, 0, k)->total),
			.duration_us = f->series[k].duration_us,
		};
	}
	return compare_begin(&opts->compare, unit, side, names, &scratch);
}

/* Formats a weight in the input's unit, with at most two decimals. */
static struct str amount(const struct svg_opts *opts, double v, struct arena *a)
{
	struct unit unit = opts->unit;
	struct str digits;

	if (opts->countname.n)
		unit.name = opts->countname;
	v *= opts->factor;
	digits = arena_fmt(a, "%.2f", v);
	while (str_ends(digits, STR("0")))
		digits.n--;
	digits.n -= str_ends(digits, STR("."));
	return unit_format(&unit, v, digits, a);
}

struct str diff_words_amount(const struct svg_opts *opts, double v, struct arena *a)
{
	struct str text;

	if (opts->compare.unit == COMPARE_SHARE)
		return arena_fmt(a, "%.2f%%", 100 * v);
	text = amount(opts, v, a);
	if (opts->compare.unit == COMPARE_PER_SECOND)
		text = arena_fmt(a, PRSTR "/s", STRARG(text));
	return text;
}

/* Returns ", duration 12.3 s -> 10.1 s, cpus 4 -> 8", without the parts that are unknown. */
static struct str extent_text(const struct series *s, struct arena *a)
{
	const struct unit ns = { .name = STR("ns") };
	struct str text = STR("");

	if (s[0].duration_us && s[1].duration_us)
		text = arena_fmt(a, ", duration " PRSTR " -> " PRSTR,
		                 STRARG(unit_format(&ns, (double)s[0].duration_us * 1000,
		                                    STR(""), a)),
		                 STRARG(unit_format(&ns, (double)s[1].duration_us * 1000,
		                                    STR(""), a)));
	if (s[0].cpus && s[1].cpus)
		text = arena_fmt(a, PRSTR ", cpus %u -> %u", STRARG(text), s[0].cpus,
		                 s[1].cpus);
	return text;
}

struct str diff_words_totals(const struct flame *f, const struct svg_opts *opts,
                             struct arena *a)
{
	double before = weight_value(flame_share(f, 0, 0)->total);
	double after = weight_value(flame_share(f, 0, 1)->total);
	double by = before > 0 ? 100 * (after - before) / before : 0;
	struct str text =
	        arena_fmt(a, PRSTR " -> " PRSTR, STRARG(amount(opts, before, a)),
	                  STRARG(amount(opts, after, a)));

	if (before > 0)
		text = arena_fmt(a, PRSTR " (%+.*f %%)", STRARG(text),
		                 fabs(by) < 10 ? 1 : 0, by);
	text = arena_fmt(a, PRSTR PRSTR, STRARG(text), STRARG(extent_text(f->series, a)));
	if (opts->compare.unit == COMPARE_NORMALIZED)
		return arena_fmt(
		        a, PRSTR ", after divided by %.3g (median of %zu functions)",
		        STRARG(text), opts->compare.ratio, opts->compare.common);
	return arena_fmt(a, PRSTR ", unit: %s", STRARG(text),
	                 compare_name(opts->compare.unit));
}

/*
 * by[] has the greatest changes so far, at most SHOWN, the greatest first.  Inserts `change` of
 * name i into by[] if by[] has room, or if `change` is greater than the last change in by[].
 */
static size_t keep(double by[SHOWN], size_t name[SHOWN], size_t n, double change,
                   size_t i)
{
	size_t at = n;

	while (at && change > by[at - 1])
		at--;
	if (at == SHOWN)
		return n;
	n += n < SHOWN;
	for (size_t k = n - 1; k > at; k--) {
		by[k] = by[k - 1];
		name[k] = name[k - 1];
	}
	by[at] = change;
	name[at] = i;
	return n;
}

struct str diff_words_most(struct picture *p)
{
	static const char *const words[] = { "more: ", "less: " };
	const struct comparison *c = &p->opts->compare;
	struct arena *a = &p->scratch;
	struct str text = STR("");

	for (size_t less = 0; less < 2; less++) {
		double by[SHOWN], sign = less ? -1 : 1;
		size_t name[SHOWN], n = 0;

		for (size_t i = 1; i < p->tables.nshown; i++) {
			double change =
			        sign *
			        compare_change(c, weight_value(p->f->names[0][i].self),
			                       weight_value(p->f->names[1][i].self));

			if (change > 0 && p->tables.shown[i].used &&
			    verdicts_allow(p->opts->verdicts, (str_id)i))
				n = keep(by, name, n, change, i);
		}
		for (size_t i = 0; i < n; i++)
			text = arena_fmt(a, PRSTR "%s" PRSTR " %c" PRSTR, STRARG(text),
			                 i         ? ", "
			                 : !text.n ? words[less]
			                 : less    ? "; less: "
			                           : "",
			                 STRARG(p->tables.shown[name[i]].text),
			                 less ? '-' : '+',
			                 STRARG(diff_words_amount(p->opts, by[i], a)));
	}
	return text;
}
