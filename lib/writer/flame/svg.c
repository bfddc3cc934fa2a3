#include "writer/flame/svg.h"

#include "label/mark.h"
#include "writer/flame/picture.h"
#include "writer/flame/still.h"

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

/* Writes the groups of a palette with their colours, and the group of each kind of code. */
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

/* Writes the function with the most self weight, and its share of all weight. */
static void put_hottest(struct picture *p, size_t series)
{
	double share;
	str_id name = tables_hottest(&p->tables, series, &share);

	if (!name)
		return;
	put_fact(p, "hottest", p->tables.shown[name].text);
	put_fact_number(p, "hot", share);
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
		if (!p->opts->diff)
			put_hottest(p, k);
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

/*
 * Writes the element with the class "facts".  Call tables_begin and set tables.shown first.
 */
static void write_facts(struct picture *p)
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

/* The scripts and the style, minified by share/flame/minify.sh. */
/* clang-format off */
#define TAKE_IN(name) ".incbin \"share/flame/min/" name "\"\n"
__asm__(".pushsection .rodata\n"
	"offbox_flame_model: " TAKE_IN("model.js")
	"offbox_flame_time: " TAKE_IN("time.js")
	"offbox_flame_change: " TAKE_IN("change.js")
	"offbox_flame_main: " TAKE_IN("main.js")
	"offbox_flame_style: " TAKE_IN("style.css")
	"offbox_flame_end:\n"
	".popsection\n");
/* clang-format on */
extern const char model_begin[] __asm__("offbox_flame_model");
extern const char time_begin[] __asm__("offbox_flame_time");
extern const char change_begin[] __asm__("offbox_flame_change");
extern const char main_begin[] __asm__("offbox_flame_main");
extern const char style_begin[] __asm__("offbox_flame_style");
extern const char style_end[] __asm__("offbox_flame_end");

/* Returns true for "-" and "--", which separate two stacks of a chain graph. */
static bool is_separator(struct str name)
{
	return str_eq(name, STR("-")) || str_eq(name, STR("--"));
}

static void show_name(struct picture *p, str_id id, struct str name)
{
	const struct svg_opts *o = p->opts;
	struct shown *s = &p->tables.shown[id];

	s->text = caption_clean(&p->scratch, mark_cut_all(name, &s->kinds));
	s->sort = palette_sort(name);
	s->group = (uint8_t)palette_group(o->palette, name);
	s->shade = (uint8_t)palette_shade(name, o->shading);
	s->color = palette_color(o->palette, s->group, s->shade);
	if (is_separator(s->text)) {
		s->fixed = true;
		s->color = (struct rgb){ 160, 160, 160 };
	}
	if (o->fixed && o->fixed[id].given) {
		s->fixed = true;
		s->color = o->fixed[id].color;
	}
	if (!id) {
		s->text = STR("all");
		s->color = (struct rgb){ 214, 214, 220 };
	} else if (!s->fixed) {
		p->groups[s->group] = true;
	}
	arena_fit(&p->scratch, p->label, s->text.n + 4, p->label_cap);
}

static const struct {
	const char *name, *color;
} backgrounds[] = { { "yellow", "#f8f8dc" },
	            { "blue", "#eaf0fa" },
	            { "green", "#eaf6ea" },
	            { "grey", "#f2f2f2" } };

enum { NBACKGROUNDS = sizeof(backgrounds) / sizeof(*backgrounds) };

static const char *find_background(struct str name)
{
	for (size_t i = 0; i < NBACKGROUNDS; i++)
		if (str_eq(name, str_of(backgrounds[i].name)))
			return backgrounds[i].color;
	return NULL;
}

bool svg_is_color(struct str name)
{
	uint64_t rgb;

	return name.n == 7 && name.p[0] == '#' && name.p[2] != 'x' &&
	       str_is_hex(str_from(name, 1), &rgb);
}

bool svg_is_background(struct str name)
{
	return find_background(name) || svg_is_color(name);
}

static void put_background(struct picture *p)
{
	const char *named = find_background(p->opts->background);

	put(p, "<rect class=\"ground\" width=\"100%\" height=\"100%\" fill=\"");
	if (named)
		put(p, named);
	else if (p->opts->background.n)
		put_any(p, p->opts->background);
	else
		put(p, "#ffffff");
	put(p, "\"/>\n");
}

static void put_root(struct picture *p)
{
	const struct svg_opts *o = p->opts;
	double height = still_height(p);

	put(p, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"offbox-flame");
	put(p, o->background.n ? "" : " plain");
	put(p, "\"");
	xml_attr(p->out, "width", o->width);
	xml_attr(p->out, "height", height);
	put(p, " viewBox=\"0 0 ");
	xml_pixels(p->out, o->width);
	out_char(p->out, ' ');
	xml_pixels(p->out, height);
	put(p, "\" font-family=\"");
	put_any(p, o->fonttype);
	put(p, "\"");
	xml_attr(p->out, "font-size", o->fontsize);
	put(p, ">\n<title>");
	put_any(p, o->title);
	put(p, "</title>\n<desc>");
	put_any(p, o->notes.n ? o->notes : STR("Flame graph by offbox"));
	put(p, "</desc>\n");
}

static void put_style(struct picture *p)
{
	put(p, "<style><![CDATA[\n");
	out_str(p->out, str_span(style_begin, style_end));
	put(p, "]]></style>\n");
}

static void put_script(struct picture *p)
{
	put(p, "<script><![CDATA[\n(function () {\n'use strict';\n");
	out_str(p->out, str_span(model_begin, time_begin));
	if (p->opts->timed)
		out_str(p->out, str_span(time_begin, change_begin));
	if (p->opts->diff)
		out_str(p->out, str_span(change_begin, main_begin));
	out_str(p->out, str_span(main_begin, style_begin));
	put(p, "}());\n]]></script>\n");
}

/*
 * Writes the page.  The data precedes the script, so that the browser computes the layout only
 * once.
 */
static void put_picture(struct picture *p)
{
	bool live = !still_is_empty(p);

	put_root(p);
	if (live && !p->opts->no_code)
		put_style(p);
	if (live) {
		write_facts(p);
		tables_write(&p->tables);
		if (p->opts->places.origins)
			places_write(&p->opts->places, &p->tables);
	}
	put(p, "<g class=\"still\">\n");
	put_background(p);
	still_write(p);
	put(p, "</g>\n");
	if (live && !p->opts->no_code)
		put_script(p);
	put(p, "</svg>\n");
}

static void put_page(struct picture *p)
{
	put(p,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<title>");
	put_any(p, p->opts->title);
	put(p, "</title>\n<style>body { margin: 0 }</style>\n</head>\n<body>\n<main>\n");
	put_picture(p);
	put(p, "</main>\n</body>\n</html>\n");
}

void svg_write(struct out *out, const struct flame *f, const struct interner *names,
               const struct svg_opts *opts)
{
	struct picture p = { .out = out, .f = f, .opts = opts };

	p.tables = (struct tables){ .out = out,
		                    .f = f,
		                    .nshown = names->n,
		                    .chart = opts->chart,
		                    .reversed = opts->reversed,
		                    .by_sort = palette_depends_on_sort(opts->palette),
		                    .least = opts->least,
		                    .verdicts = opts->verdicts };
	p.tables.shown = arena_new(&p.scratch, struct shown, names->n);
	tables_begin(&p.tables);
	for (size_t i = 0; i < names->n; i++)
		if (!i || p.tables.shown[i].used)
			show_name(&p, (str_id)i, intern_str(names, (str_id)i));
	if (opts->page) {
		put_page(&p);
	} else {
		put(&p, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
		put_picture(&p);
	}
	arena_release(&p.tables.scratch);
	arena_release(&p.scratch);
}
