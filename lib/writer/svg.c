#include "writer/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "writer/caption.h"

/* The scripts and the style, which share/flame/pack.c has made short. */
/* clang-format off */
#define TAKE_IN(name) ".incbin \"" FLAME_DIR "/" name "\"\n"
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

enum {
	MARGIN = 12,       /* pixels left and right */
	HEAD = 60,         /* above the boxes */
	FOOT = 34,         /* below */
	STATIC_MOST = 200, /* boxes drawn without script */
};

struct picture {
	struct out *out;
	const struct flame *f;
	const struct svg_opts *opts;
	struct arena scratch;
	struct tables tables;
	bool groups[PALETTE_GROUPS]; /* that occur */
	char *label;                 /* room for one */
	size_t label_cap;
	size_t nstatic; /* boxes drawn without script */
};

/* A box of the picture without script. */
struct still {
	const struct box *box;
	double x, width; /* pixels */
	struct rgb color;
};

double svg_plot_width(const struct svg_opts *opts)
{
	return opts->width > 2 * MARGIN + 1 ? opts->width - 2 * MARGIN : 1;
}

static void put(struct picture *p, const char *z)
{
	out_str(p->out, str_of(z));
}

static void put_any(struct picture *p, struct str s)
{
	tables_escaped(p->out, caption_clean(&p->scratch, s));
}

static void put_two_digits(struct picture *p, unsigned n)
{
	char digits[20];

	out_str(p->out, (struct str){ digits, out_dec_at(digits, n, 2) });
}

/* At most two digits behind the point, none that are 0. */
static void put_pixels(struct picture *p, double v)
{
	long long hundredths = llrint(v * 100);
	unsigned rest = (unsigned)llabs(hundredths % 100);

	if (hundredths < 0)
		out_char(p->out, '-');
	out_dec(p->out, (uint64_t)llabs(hundredths / 100));
	if (!rest)
		return;
	out_char(p->out, '.');
	if (rest % 10)
		put_two_digits(p, rest);
	else
		out_char(p->out, (char)('0' + rest / 10));
}

static void put_attr(struct picture *p, const char *name, double v)
{
	out_char(p->out, ' ');
	put(p, name);
	put(p, "=\"");
	put_pixels(p, v);
	out_char(p->out, '"');
}

/* Digits as they are counted, or times the factor with at most two behind the point. */
static struct str count_digits(struct picture *p, struct weight w)
{
	char exact[WEIGHT_DIGITS];
	struct str digits;

	if (p->opts->factor == 1)
		return arena_str(&p->scratch, weight_digits(w, exact));
	digits = arena_fmt(&p->scratch, "%.2f", weight_value(w) * p->opts->factor);
	while (str_ends(digits, STR("0")))
		digits.n--;
	digits.n -= str_ends(digits, STR("."));
	return digits;
}

/* "1,234 samples", "13.0 s" */
static void put_count(struct picture *p, struct weight w)
{
	struct unit unit = p->opts->unit;

	if (p->opts->countname.n)
		unit.name = p->opts->countname;
	put_any(p, unit_format(&unit, weight_value(w) * p->opts->factor,
	                       count_digits(p, w), &p->scratch));
}

static void put_color(struct picture *p, struct rgb c)
{
	out_fmt(p->out, "#%02x%02x%02x", c.r, c.g, c.b);
}

/* Frames that part two stacks from each other. */
static bool is_separator(struct str name)
{
	return str_eq(name, STR("-")) || str_eq(name, STR("--"));
}

static void show_name(struct picture *p, str_id id, struct str name)
{
	const struct svg_opts *o = p->opts;
	struct shown *s = &p->tables.shown[id];

	s->text = caption_clean(&p->scratch, caption_strip(name, &s->kinds));
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
	p->label = arena_grow(&p->scratch, p->label, &p->label_cap, s->text.n + 4, 1);
}

static void put_share(struct picture *p, double share)
{
	uint64_t hundredths = (uint64_t)llrint(share * 10000);

	out_dec(p->out, hundredths / 100);
	out_char(p->out, '.');
	put_two_digits(p, (unsigned)(hundredths % 100));
	out_char(p->out, '%');
}

static const char *const kind_words[] = { "kernel", "inlined", "managed", "waker",
	                                  "runtime" };

static const struct share *share_in(const struct picture *p, const struct box *b,
                                    size_t series)
{
	return flame_share(p->f, (size_t)(b - p->f->box), series);
}

/* Weight of all stacks of a series. */
static double series_total(const struct picture *p, size_t series)
{
	return weight_value(flame_share(p->f, 0, series)->total);
}

static double share_of(const struct picture *p, const struct box *b, size_t series)
{
	double all = series_total(p, series);

	return all > 0 ? weight_value(share_in(p, b, series)->total) / all : 0;
}

/* "12.00% before, 15.00% after" */
static void put_both(struct picture *p, const struct box *b)
{
	put_share(p, share_of(p, b, 0));
	put(p, " before, ");
	put_share(p, share_of(p, b, 1));
	put(p, " after");
}

/* "name (1,234 samples, 12.34%; self 1.20%), kernel" */
static void put_tooltip(struct picture *p, const struct box *b)
{
	const struct shown *s = &p->tables.shown[b->name];
	const struct share *first = share_in(p, b, 0);

	tables_escaped(p->out, s->text);
	put(p, " (");
	if (p->opts->diff) {
		put_both(p, b);
	} else {
		put_count(p, b->level || p->f->nseries > 1 ? first->total : p->f->total);
		put(p, ", ");
		put_share(p, p->f->nseries > 1 ? share_of(p, b, 0)
		                               : weight_value(b->total) /
		                                         weight_value(p->f->total));
		if (weight_value(first->self) > 0) {
			put(p, "; self ");
			put_share(p, weight_value(first->self) / series_total(p, 0));
		}
	}
	out_char(p->out, ')');
	for (unsigned k = 0; k < 5; k++)
		if (s->kinds >> k & 1)
			out_fmt(p->out, ", %s", kind_words[k]);
}

static double top_of(const struct picture *p, uint32_t level)
{
	uint32_t row = p->opts->inverted ? level : p->f->levels - 1 - level;

	return HEAD + row * p->opts->height;
}

static int by_width(const void *a, const void *b)
{
	const struct still *x = a, *y = b;

	if (x->width != y->width)
		return x->width < y->width ? 1 : -1;
	return x->box < y->box ? -1 : x->box > y->box;
}

static uint32_t number_of(struct rgb c)
{
	return (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
}

static int by_color(const void *a, const void *b)
{
	const struct still *x = a, *y = b;

	if (number_of(x->color) != number_of(y->color))
		return number_of(x->color) < number_of(y->color) ? -1 : 1;
	return x->box < y->box ? -1 : x->box > y->box;
}

/* A difference: the largest change has the strongest colour. */
static struct rgb change_of(const struct picture *p, const struct box *b)
{
	double before = share_of(p, b, 0), after = share_of(p, b, 1);

	if (fabs(after - before) < p->opts->threshold)
		after = before;
	return palette_change(before, after, p->opts->negate);
}

static struct rgb color_of(const struct picture *p, const struct box *b)
{
	return p->opts->diff && b->level ? change_of(p, b)
	                                 : p->tables.shown[b->name].color;
}

/* All frames, with their places in the picture. */
static struct still *place_all(struct picture *p, size_t *n)
{
	const struct flame *f = p->f;
	struct still *still = arena_new(&p->scratch, struct still, f->nframes);
	double *edge = arena_new(&p->scratch, double, f->levels + 2u);
	bool tabs = f->nseries > 1 && !p->opts->diff;
	double scale = svg_plot_width(p->opts) /
	               (tabs ? series_total(p, 0) : weight_value(f->total));

	*n = 0;
	for (size_t i = 0; i < f->n; i++) {
		const struct box *b = &f->box[i];
		double x = tabs ? edge[b->level] : weight_value(b->start);
		double w = weight_value(tabs ? flame_share(f, i, 0)->total : b->total);

		if (b->kind != BOX_FRAME)
			continue;
		edge[b->level] = x + w;
		edge[b->level + 1] = x;
		if (w > 0)
			still[(*n)++] = (struct still){ b, MARGIN + x * scale, w * scale,
				                        color_of(p, b) };
	}
	return still;
}

/* Shapes are paths, which take fewer bytes than rects. */
static void put_shape(struct picture *p, const struct still *s)
{
	double w = s->width > 1.5 ? s->width - 0.5 : s->width;

	put(p, "<path d=\"M");
	put_pixels(p, s->x);
	out_char(p->out, ' ');
	put_pixels(p, top_of(p, s->box->level));
	out_char(p->out, 'h');
	put_pixels(p, w);
	out_char(p->out, 'v');
	put_pixels(p, p->opts->height - 1);
	out_char(p->out, 'h');
	put_pixels(p, -w);
	put(p, "z\"><title>");
	put_tooltip(p, s->box);
	put(p, "</title></path>\n");
}

static void put_label(struct picture *p, const struct still *s, struct rgb ink)
{
	const struct svg_opts *o = p->opts;
	/* Wide letters, and the ellipsis, need some room more than the average. */
	double most = (s->width - 10) / (o->fontsize * o->fontwidth);
	struct str label = { 0 };

	if (most < 1 || number_of(palette_ink(s->color)) != number_of(ink))
		return;
	label = caption_fit(p->tables.shown[s->box->name].text, (size_t)most,
	                    o->cut_right, p->label);
	if (!label.n)
		return;
	put(p, "<text");
	put_attr(p, "x", s->x + 3);
	put_attr(p, "y", top_of(p, s->box->level) + o->height / 2 + o->fontsize * 0.33);
	out_char(p->out, '>');
	tables_escaped(p->out, label);
	put(p, "</text>\n");
}

static void put_labels(struct picture *p, const struct still *still, size_t n,
                       struct rgb ink)
{
	bool any = false;

	for (size_t i = 0; i < n && !any; i++)
		any = number_of(palette_ink(still[i].color)) == number_of(ink);
	if (!any)
		return;
	put(p, "<g fill=\"");
	put_color(p, ink);
	put(p, "\">\n");
	for (size_t i = 0; i < n; i++)
		put_label(p, &still[i], ink);
	put(p, "</g>\n");
}

static void put_boxes(struct picture *p)
{
	size_t n;
	struct still *still = place_all(p, &n);

	qsort(still, n, sizeof(*still), by_width);
	if (n > STATIC_MOST)
		n = STATIC_MOST;
	p->nstatic = n;
	qsort(still, n, sizeof(*still), by_color);
	put(p, "<g class=\"frames\">\n");
	for (size_t i = 0; i < n; i++) {
		if (!i || number_of(still[i - 1].color) != number_of(still[i].color)) {
			put(p, i ? "</g>\n<g fill=\"" : "<g fill=\"");
			put_color(p, still[i].color);
			put(p, "\">\n");
		}
		put_shape(p, &still[i]);
	}
	put(p, "</g>\n");
	put_labels(p, still, n, (struct rgb){ 27, 27, 31 });
	put_labels(p, still, n, (struct rgb){ 255, 255, 255 });
	put_labels(p, still, n, (struct rgb){ 0, 0, 0 });
	put(p, "</g>\n");
}

static const struct {
	const char *name, *color;
} backgrounds[] = { { "yellow", "#f8f8dc" },
	            { "blue", "#eaf0fa" },
	            { "green", "#eaf6ea" },
	            { "grey", "#f2f2f2" } };

enum { NBACKGROUNDS = sizeof(backgrounds) / sizeof(*backgrounds) };

static const char *background_named(struct str name)
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
	return background_named(name) || svg_is_color(name);
}

static void put_background(struct picture *p)
{
	const char *named = background_named(p->opts->background);

	put(p, "<rect class=\"ground\" width=\"100%\" height=\"100%\" fill=\"");
	if (named)
		put(p, named);
	else if (p->opts->background.n)
		put_any(p, p->opts->background);
	else
		put(p, "#ffffff");
	put(p, "\"/>\n");
}

static void put_entry(struct picture *p, struct rgb color, const char *means, bool first)
{
	put(p, first ? "<tspan fill=\"" : "<tspan dx=\"14\" fill=\"");
	put_color(p, color);
	out_fmt(p->out, "\">&#9632;</tspan> %s", means);
}

static void put_legend(struct picture *p)
{
	bool first = true;

	put(p, "<text class=\"legend\" text-anchor=\"end\" y=\"47\"");
	put_attr(p, "x", p->opts->width - MARGIN);
	out_char(p->out, '>');
	for (enum change c = 0; p->opts->diff && c < CHANGES; c++, first = false)
		put_entry(p, palette_change_color(c, p->opts->negate),
		          palette_change_name(c), first);
	for (size_t i = 0; !p->opts->diff && i < PALETTE_GROUPS; i++) {
		const char *means = palette_means(p->opts->palette, i);

		if (!means || !p->groups[i])
			continue;
		put_entry(p, palette_color(p->opts->palette, i, PALETTE_SHADES / 2),
		          means, first);
		first = false;
	}
	put(p, "</text>\n");
}

/* Cut to what has room in so many pixels. */
static void put_cut(struct picture *p, struct str s, double room, double fontsize)
{
	double most = room / (fontsize * p->opts->fontwidth);
	char *to;

	s = caption_clean(&p->scratch, s);
	to = arena_alloc(&p->scratch, s.n + 4, 1);
	tables_escaped(p->out, caption_fit(s, most > 3 ? (size_t)most : 3, true, to));
}

/* "13.0 s of cpu-clock, 6,497 samples" */
static struct str subtitle(struct picture *p)
{
	const struct unit *u = &p->opts->unit;
	struct str said = p->opts->subtitle, samples;

	if (said.n || !u->samples || p->f->nseries > 1)
		return said;
	samples =
	        unit_group(arena_fmt(&p->scratch, "%llu", (unsigned long long)u->samples),
	                   &p->scratch);
	said = unit_format(u, weight_value(p->f->sum) * p->opts->factor,
	                   count_digits(p, p->f->sum), &p->scratch);
	if (u->event.n)
		said = arena_fmt(&p->scratch, PRSTR " of " PRSTR, STRARG(said),
		                 STRARG(u->event));
	return arena_fmt(&p->scratch, PRSTR ", " PRSTR " sample%s", STRARG(said),
	                 STRARG(samples), u->samples == 1 ? "" : "s");
}

static void put_head(struct picture *p)
{
	double room = p->opts->width - 2 * MARGIN;

	put(p, "<g class=\"head\" fill=\"#5c6069\">\n<text class=\"title\" x=\"12\" "
	       "y=\"26\" "
	       "fill=\"#1b1b1f\" font-weight=\"600\"");
	put_attr(p, "font-size", p->opts->fontsize + 5);
	out_char(p->out, '>');
	put_cut(p, p->opts->title, room, p->opts->fontsize + 6);
	put(p, "</text>\n<text class=\"subtitle\" x=\"12\" y=\"47\">");
	put_cut(p, subtitle(p), room / 2, p->opts->fontsize);
	put(p, "</text>\n");
	put_legend(p);
	put(p, "</g>\n");
}

static double picture_height(const struct picture *p)
{
	return HEAD + p->f->levels * p->opts->height + FOOT;
}

static void put_root(struct picture *p)
{
	const struct svg_opts *o = p->opts;
	double height = picture_height(p);

	put(p, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"offbox-flame");
	put(p, o->background.n ? "" : " plain");
	put(p, "\"");
	put_attr(p, "width", o->width);
	put_attr(p, "height", height);
	put(p, " viewBox=\"0 0 ");
	put_pixels(p, o->width);
	out_char(p->out, ' ');
	put_pixels(p, height);
	put(p, "\" font-family=\"");
	put_any(p, o->fonttype);
	put(p, "\"");
	put_attr(p, "font-size", o->fontsize);
	put(p, ">\n<title>");
	put_any(p, o->title);
	put(p, "</title>\n<desc>");
	put_any(p, o->notes.n ? o->notes : STR("Flame graph by offbox"));
	put(p, "</desc>\n");
}

/* ,"name":"text" with what JSON and XML escape. */
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
			tables_escaped(p->out, (struct str){ s.p + i, 1 });
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

/* Its groups, their colours, and by sort which group it is. */
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
	for (size_t i = 0; palette_is_by_sort(palette) && i < SORTS; i++)
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
		put_fact_number(p, "samples", (double)p->f->series[k].samples);
		put(p, ",\"self\":[");
		for (size_t s = 0; s < SORTS; s++)
			out_fmt(p->out, "%s%.9g", s ? "," : "",
			        tables_share(&p->tables, k, (enum sort)s));
		put(p, "]}");
	}
	put(p, "]");
}

static void put_facts(struct picture *p)
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
	put_fact_number(p, "absolute", o->absolute);
	put_fact_number(p, "page", o->page);
	put_fact_number(p, "boxes", (double)p->f->n);
	put_fact_number(p, "deep", p->f->levels);
	put_series(p);
	if (!o->no_code)
		put_palettes(p);
	put(p, "}</metadata>\n");
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

/* Says in the picture without script how much it leaves out. */
static void put_hint(struct picture *p)
{
	put(p, "<text class=\"hint\" x=\"12\" fill=\"#5c6069\"");
	put_attr(p, "y", picture_height(p) - 12);
	put(p, ">");
	if (p->nstatic < p->f->nframes)
		out_fmt(p->out, "The widest %zu of %zu boxes. ", p->nstatic,
		        p->f->nframes);
	put(p, "Open this file in a browser to zoom and to search.</text>\n");
}

static void put_picture(struct picture *p)
{
	put_root(p);
	if (!p->opts->no_code)
		put_style(p);
	put(p, "<g class=\"still\">\n");
	put_background(p);
	put_boxes(p);
	put_head(p);
	put_hint(p);
	put(p, "</g>\n");
	put_facts(p);
	tables_write(&p->tables);
	if (!p->opts->no_code)
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
		                    .by_sort = palette_is_by_sort(opts->palette),
		                    .least = opts->least };
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
	arena_release(&p.scratch);
}
