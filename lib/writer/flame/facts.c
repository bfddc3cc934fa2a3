#include "writer/flame/facts.h"

/* Writes ,"name":"text" with the escapes of JSON and XML. */
static void put_fact(struct picture *p, const char *name, struct str s)
{
	s = caption_clean(&p->scratch, s);
	out_fmt(p->out, ",\n\"%s\":\"", name);
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			out_char(p->out, '\\');
		if (s.p[i] == '"')
			out_char(p->out, '"');
		else
			xml_text(p->out, (struct str){ s.p + i, 1 });
	}
	out_char(p->out, '"');
}

static void put_fact_number(struct picture *p, const char *name, double v)
{
	out_fmt(p->out, ",\n\"%s\":%.17g", name, v);
}

static void put_fact_weight(struct picture *p, const char *name, struct weight w)
{
	char buf[WEIGHT_DIGITS];

	put_fact(p, name, weight_digits(w, buf));
}

/* Writes the groups of a palette with their colours, and the group of each sort of code. */
static void put_palette(struct picture *p, const struct palette *palette,
                        const char *name)
{
	bool one = !palette_means(palette, 0);

	out_fmt(p->out, "{\"name\":\"%s\",\"groups\":[", name);
	for (size_t g = 0; g < PALETTE_GROUPS; g++) {
		const char *means = palette_means(palette, g);

		if (!one && !means)
			break;
		out_fmt(p->out, "%s\"%s\"", g ? "," : "", means ? means : "");
	}
	put(p, "],\"colors\":\"");
	for (size_t g = 0; g < PALETTE_GROUPS; g++)
		for (size_t s = 0; s <= PALETTE_SHADES; s++) {
			struct rgb c = palette_color(palette, g, s);

			out_fmt(p->out, "%02x%02x%02x", c.r, c.g, c.b);
		}
	put(p, "\",\"sorts\":[");
	for (size_t i = 0; palette_depends_on_sort(palette) && i < SORTS; i++)
		out_fmt(p->out, "%s%zu", i ? "," : "",
		        palette_sort_group(palette, (enum sort)i));
	put(p, "]}");
}

static void put_palettes(struct picture *p)
{
	static const char *const always[] = { "kind", "dotnet" };
	const struct palette *mine = p->opts->palette;

	put(p, ",\n\"palettes\":[");
	for (size_t i = 0; palette_name(i); i++)
		if (palette_find(str_of(palette_name(i))) == mine)
			put_palette(p, mine, palette_name(i));
	for (size_t i = 0; i < 2; i++) {
		const struct palette *other = palette_find(str_of(always[i]));

		if (other == mine)
			continue;
		put(p, ",\n");
		put_palette(p, other, always[i]);
	}
	put(p, "],\n\"sorts\":[");
	for (size_t i = 0; i < SORTS; i++)
		out_fmt(p->out, "%s\"%s\"", i ? "," : "",
		        palette_sort_name((enum sort)i));
	put(p, "]");
}

static void put_series(struct picture *p)
{
	put(p, ",\n\"series\":[");
	for (size_t k = 0; k < p->f->nseries; k++) {
		put(p, k ? ",{\"kind\":0" : "{\"kind\":0");
		put_fact(p, "name", p->f->series[k].name);
		put_fact(p, "unit", p->f->series[k].unit);
		put_fact(p, "event", p->f->series[k].event);
		put_fact_number(p, "samples", (double)p->f->series[k].samples);
		put_fact_number(p, "duration", (double)p->f->series[k].duration_us / 1e6);
		put_fact_number(p, "cpus", p->f->series[k].cpus);
		put(p, ",\"self\":[");
		for (size_t s = 0; s < SORTS; s++)
			out_fmt(p->out, "%s%.9g", s ? "," : "",
			        tables_share(&p->tables, k, (enum sort)s));
		put(p, "]}");
	}
	put(p, "]");
}

/* Writes for each series the total weight of names that are not in the table of names. */
static void put_unlisted(struct picture *p)
{
	const struct tables *t = &p->tables;

	put(p, ",\n\"unlisted\":[");
	for (size_t k = 0; k < p->f->nseries; k++) {
		double sum = 0;

		for (size_t i = 1; i < t->nshown; i++)
			if (!t->shown[i].used)
				sum += weight_value(p->f->names[k][i].total);
		out_fmt(p->out, "%s%.17g", k ? "," : "", sum);
	}
	put(p, "]");
}

/* Writes the words for the numbers in the table of verdicts. */
static void put_verdicts(struct picture *p)
{
	put(p, ",\n\"verdicts\":[");
	for (enum verdict v = 0; p->opts->verdicts && v < VERDICTS; v++)
		out_fmt(p->out, "%s\"%s\"", v ? "," : "", contrast_word(v));
	put(p, "]");
}

/* Writes the marked times, in seconds. */
static void put_spans(struct picture *p)
{
	const struct spans *s = p->opts->spans;

	put(p, ",\n\"spans\":[");
	for (size_t i = 0; s && i < s->n; i++) {
		const struct span *at = &s->span[i];

		out_fmt(p->out, "%s{\"from\":%.6f,\"to\":%.6f", i ? "," : "",
		        (double)at->from_ns / 1e9, (double)at->to_ns / 1e9);
		put_fact(p, "text", at->text);
		put(p, "}");
	}
	put(p, "]");
}

void facts_write(struct picture *p)
{
	const struct svg_opts *o = p->opts;

	put(p, "<metadata class=\"facts\">{\"version\":1");
	put_fact(p, "title", o->title);
	put_fact(p, "subtitle", o->subtitle);
	put_fact(p, "countname", o->countname);
	put_fact(p, "nametype", o->nametype);
	put_fact(p, "event", o->unit.event);
	put_fact(p, "unit", o->unit.name);
	put_fact_number(p, "samples", (double)o->unit.samples);
	put_fact(p, "hit", o->hit);
	put_fact_number(p, "row", o->height);
	put_fact_number(p, "fontsize", o->fontsize);
	put_fact_number(p, "width", o->fluid ? 0 : o->width);
	put_fact_number(p, "factor", o->factor);
	put_fact_number(p, "least", o->least);
	put_fact_number(p, "threshold", o->threshold);
	put_fact_weight(p, "scale", p->tables.scale);
	put_fact_weight(p, "total", p->f->total);
	put_fact_number(p, "perSecond", o->per_second);
	put_fact_number(p, "inverted", o->inverted);
	put_fact_number(p, "chart", o->chart);
	put_fact_number(p, "reversed", o->reversed);
	put_fact_number(p, "cutRight", o->cut_right);
	put_fact_number(p, "diff", o->diff);
	put_fact_number(p, "negate", o->negate);
	if (o->diff) {
		put_fact(p, "compare", str_of(compare_name(o->compare.unit)));
		put_fact_number(p, "ratio", o->compare.ratio);
		put_fact_number(p, "common", (double)o->compare.common);
		put_verdicts(p);
	}
	put_fact_number(p, "page", o->page);
	put_fact_number(p, "places", o->places.origins != NULL);
	if (o->places.url.n)
		put_fact(p, "sourceUrl", o->places.url);
	put_fact_number(p, "boxes", (double)p->f->n);
	put_fact_number(p, "deep", p->f->levels);
	put_fact_number(p, "missing", (double)p->f->missing);
	put_unlisted(p);
	put_series(p);
	if (o->per_second)
		put_spans(p);
	if (!o->no_code)
		put_palettes(p);
	put(p, "}</metadata>\n");
}
