#include "writer/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "writer/caption.h"

/* The script and the style, taken in as they are. */
__asm__(".pushsection .rodata\n"
        "offbox_flame_js: .incbin \"" SHARE_DIR "/flame/flame.js\"\n"
        "offbox_flame_js_end:\n"
        "offbox_flame_css: .incbin \"" SHARE_DIR "/flame/flame.css\"\n"
        "offbox_flame_css_end:\n"
        ".byte 0\n"
        ".popsection\n");
extern const char script_begin[] __asm__("offbox_flame_js");
extern const char script_end[] __asm__("offbox_flame_js_end");
extern const char style_begin[] __asm__("offbox_flame_css");
extern const char style_end[] __asm__("offbox_flame_css_end");

enum {
	MARGIN = 12,        /* pixels left and right */
	HEAD = 60,          /* above the boxes */
	FOOT = 34,          /* below */
	STATIC_MOST = 8000, /* boxes drawn without script */
	BILLION = 1000000000,
};

/* One distinct name of the picture. */
struct shown {
	struct str text;
	unsigned kinds;
	uint32_t number; /* in the table of names, from 1; 0: not used */
	struct rgb color;
};

struct picture {
	struct out *out;
	const struct flame *f;
	const struct svg_opts *opts;
	struct arena scratch;
	struct shown *shown; /* by str_id */
	str_id *order;       /* of the table of names */
	size_t nshown, order_cap;
	bool groups[PALETTE_GROUPS + 1]; /* that occur */
	char *label;                     /* room for one */
	size_t label_cap;
	double scale; /* pixels of one count */
};

double svg_plot_width(const struct svg_opts *opts)
{
	return opts->width > 2 * MARGIN + 1 ? opts->width - 2 * MARGIN : 1;
}

static void put(struct picture *p, const char *z)
{
	out_str(p->out, str_of(z));
}

/* Clean text, escaped for element content and for attributes. */
static void put_text(struct picture *p, struct str s)
{
	size_t done = 0;

	for (size_t i = 0; i < s.n; i++) {
		const char *with = s.p[i] == '<'    ? "&lt;"
		                   : s.p[i] == '>'  ? "&gt;"
		                   : s.p[i] == '&'  ? "&amp;"
		                   : s.p[i] == '"'  ? "&quot;"
		                   : s.p[i] == '\'' ? "&#39;"
		                                    : NULL;

		if (!with)
			continue;
		out_str(p->out, str_span(s.p + done, s.p + i));
		put(p, with);
		done = i + 1;
	}
	if (done < s.n)
		out_str(p->out, str_from(s, done));
}

static void put_any(struct picture *p, struct str s)
{
	put_text(p, caption_clean(&p->scratch, s));
}

static void put_two_digits(struct picture *p, unsigned n)
{
	out_char(p->out, (char)('0' + n / 10));
	out_char(p->out, (char)('0' + n % 10));
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

static void put_data(struct picture *p, const char *name, struct str value)
{
	out_fmt(p->out, " data-%s=\"", name);
	put_any(p, value);
	out_char(p->out, '"');
}

/* "1,234,567" from digits, which may end in a fraction. */
static void put_grouped(struct picture *p, const char *digits)
{
	size_t whole = strcspn(digits, ".");

	for (size_t i = 0; i < whole; i++) {
		if (i && (whole - i) % 3 == 0)
			out_char(p->out, ',');
		out_char(p->out, digits[i]);
	}
	put(p, digits + whole);
}

static void trim_fraction(char *digits)
{
	size_t n = strlen(digits);

	if (!strchr(digits, '.'))
		return;
	while (n && digits[n - 1] == '0')
		n--;
	if (n && digits[n - 1] == '.')
		n--;
	digits[n] = '\0';
}

static void format_weight(char *buf, size_t size, struct weight w)
{
	int n = snprintf(buf, size, "%llu", (unsigned long long)w.n);

	if (!w.fraction)
		return;
	snprintf(buf + n, size - (size_t)n, ".%09u", w.fraction);
	trim_fraction(buf);
}

static void put_weight(struct picture *p, struct weight w)
{
	char buf[48];

	if (!w.fraction) {
		out_dec(p->out, w.n);
		return;
	}
	format_weight(buf, sizeof(buf), w);
	put(p, buf);
}

static void put_count(struct picture *p, struct weight w)
{
	char buf[400];

	format_weight(buf, sizeof(buf), w);
	if (p->opts->factor != 1) {
		snprintf(buf, sizeof(buf), "%.2f", weight_value(w) * p->opts->factor);
		trim_fraction(buf);
	}
	put_grouped(p, buf);
}

/* "d6d6dc" */
static void put_rgb(struct picture *p, struct rgb c)
{
	const unsigned part[] = { c.r, c.g, c.b };

	for (size_t i = 0; i < 3; i++) {
		out_hex(p->out, part[i] >> 4 & 15, 1);
		out_hex(p->out, part[i] & 15, 1);
	}
}

static void put_color(struct picture *p, struct rgb c)
{
	out_char(p->out, '#');
	put_rgb(p, c);
}

static void show_name(struct picture *p, str_id id, struct str name)
{
	struct shown *s = &p->shown[id];

	s->text = caption_clean(&p->scratch, caption_strip(name, &s->kinds));
	s->color = id ? palette_color(p->opts->palette, name, p->opts->by_start)
	              : (struct rgb){ 214, 214, 220 };
	if (id)
		p->groups[palette_group(p->opts->palette, name)] = true;
	else
		s->text = STR("all");
	p->order = arena_grow(&p->scratch, p->order, &p->order_cap, p->nshown + 1,
	                      sizeof(*p->order));
	p->order[p->nshown++] = id;
	s->number = (uint32_t)p->nshown;
	if (s->text.n + 4 > p->label_cap)
		p->label = arena_grow(&p->scratch, p->label, &p->label_cap, s->text.n + 4,
		                      1);
}

static const char *const kind_words[] = { "kernel", "inlined", "JIT", "waker" };

/* "name (1,234 samples, 12.34%), kernel" */
static void put_tooltip(struct picture *p, const struct box *b)
{
	const struct shown *s = &p->shown[b->name];
	double share = weight_value(b->total) / weight_value(p->f->total);
	uint64_t hundredths = (uint64_t)llrint(share * 10000);

	put_text(p, s->text);
	put(p, " (");
	put_count(p, b->total);
	out_char(p->out, ' ');
	put_any(p, p->opts->countname);
	put(p, ", ");
	out_dec(p->out, hundredths / 100);
	out_char(p->out, '.');
	put_two_digits(p, (unsigned)(hundredths % 100));
	put(p, "%)");
	for (unsigned k = 0; k < 4; k++)
		if (s->kinds >> k & 1)
			out_fmt(p->out, ", %s", kind_words[k]);
}

static double top_of(const struct picture *p, uint32_t level)
{
	uint32_t row = p->opts->inverted ? level : p->f->levels - 1 - level;

	return HEAD + row * p->opts->height;
}

static void put_box(struct picture *p, const struct box *b)
{
	const struct svg_opts *o = p->opts;
	const struct shown *s = &p->shown[b->name];
	double x = MARGIN + weight_value(b->start) * p->scale;
	double w = weight_value(b->total) * p->scale, y = top_of(p, b->level);
	double most = (w - 6) / (o->fontsize * o->fontwidth);
	struct str label = { 0 };

	put(p, "<g><title>");
	put_tooltip(p, b);
	put(p, "</title><rect");
	put_attr(p, "x", x);
	put_attr(p, "y", y);
	put_attr(p, "width", w > 1.5 ? w - 0.5 : w);
	put_attr(p, "height", o->height - 1);
	put(p, w > 4 ? " rx=\"2\" fill=\"" : " fill=\"");
	put_color(p, s->color);
	put(p, "\"/>");
	if (most >= 1)
		label = caption_fit(s->text, (size_t)most, o->cut_right, p->label);
	if (label.n) {
		put(p, "<text");
		put_attr(p, "x", x + 3);
		put_attr(p, "y", y + o->height / 2 + o->fontsize * 0.33);
		out_char(p->out, '>');
		put_text(p, label);
		put(p, "</text>");
	}
	put(p, "</g>\n");
}

static int widest_first(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* Boxes at most this wide are left to the script. */
static double static_limit(struct picture *p)
{
	double *width;

	if (p->f->n <= STATIC_MOST)
		return 0;
	width = arena_new(&p->scratch, double, p->f->n);
	for (size_t i = 0; i < p->f->n; i++)
		width[i] = weight_value(p->f->box[i].total);
	qsort(width, p->f->n, sizeof(*width), widest_first);
	return width[STATIC_MOST];
}

static void put_boxes(struct picture *p)
{
	double limit = static_limit(p);
	size_t left = STATIC_MOST;

	put(p, "<g class=\"frames\" fill=\"#1b1b1f\">\n");
	for (size_t i = 0; i < p->f->n && left; i++)
		if (weight_value(p->f->box[i].total) > limit) {
			put_box(p, &p->f->box[i]);
			left--;
		}
	put(p, "</g>\n");
}

/* A line for each: colour, kinds as a digit, text. */
static void put_names_table(struct picture *p)
{
	put(p, "<metadata class=\"names\">");
	for (size_t i = 0; i < p->nshown; i++) {
		const struct shown *s = &p->shown[p->order[i]];

		if (i)
			out_char(p->out, '\n');
		put_rgb(p, s->color);
		out_hex(p->out, s->kinds, 1);
		put_text(p, s->text);
	}
	put(p, "</metadata>\n");
}

static struct weight difference(struct weight a, struct weight b)
{
	if (a.fraction < b.fraction) {
		a.fraction += BILLION;
		a.n--;
	}
	a.n -= b.n;
	a.fraction -= b.fraction;
	return a;
}

/*
 * A word for each box: NAME[,WIDTH[,UP[,GAP]]].  UP levels are climbed from the box
 * before (0: this is its child); it begins GAP behind what stands before it on its
 * level, or behind its parent's left edge.  Without WIDTH it is as wide as the
 * parent, so a deep stack costs a number a frame.
 */
static void put_boxes_table(struct picture *p)
{
	const struct flame *f = p->f;
	struct weight *edge = arena_new(&p->scratch, struct weight, f->levels + 1u);
	uint32_t level = 0;

	put(p, "<metadata class=\"boxes\">");
	for (size_t i = 0; i < f->n; i++) {
		const struct box *b = &f->box[i], *before = i ? b - 1 : NULL;
		uint32_t up = before ? level + 1 - b->level : 0;
		struct weight gap = difference(b->start, edge[b->level]);
		bool same = before && !up && b->total.n == before->total.n &&
		            b->total.fraction == before->total.fraction;

		out_dec(p->out, p->shown[b->name].number - 1);
		if (!same || gap.n || gap.fraction) {
			out_char(p->out, ',');
			put_weight(p, b->total);
		}
		if (up || gap.n || gap.fraction) {
			out_char(p->out, ',');
			out_dec(p->out, up);
		}
		if (gap.n || gap.fraction) {
			out_char(p->out, ',');
			put_weight(p, gap);
		}
		out_char(p->out, i + 1 < f->n ? ' ' : '<');
		level = b->level;
		edge[level] = weight_sum(b->start, b->total);
		edge[level + 1] = b->start;
	}
	put(p, "/metadata>\n");
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

bool svg_is_background(struct str name)
{
	uint64_t rgb;

	return background_named(name) ||
	       (name.n == 7 && name.p[0] == '#' && str_from(name, 1).p[1] != 'x' &&
	        str_is_hex(str_from(name, 1), &rgb));
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

static void put_legend(struct picture *p)
{
	bool any = false;

	put(p, "<text class=\"legend\" text-anchor=\"end\" y=\"47\"");
	put_attr(p, "x", p->opts->width - MARGIN);
	out_char(p->out, '>');
	for (size_t i = 0; i < PALETTE_GROUPS; i++) {
		struct rgb color;
		const char *means = palette_means(p->opts->palette, i, &color);

		if (!means || !p->groups[i])
			continue;
		put(p, any ? "<tspan dx=\"14\" fill=\"" : "<tspan fill=\"");
		put_color(p, color);
		out_fmt(p->out, "\">&#9632;</tspan> %s", means);
		any = true;
	}
	put(p, "</text>\n");
}

static void put_head(struct picture *p)
{
	put(p, "<g class=\"head\" fill=\"#5c6069\">\n<text class=\"title\" x=\"12\" "
	       "y=\"26\" "
	       "fill=\"#1b1b1f\" font-weight=\"600\"");
	put_attr(p, "font-size", p->opts->fontsize + 5);
	out_char(p->out, '>');
	put_any(p, p->opts->title);
	put(p, "</text>\n");
	if (p->opts->subtitle.n) {
		put(p, "<text class=\"subtitle\" x=\"12\" y=\"47\">");
		put_any(p, p->opts->subtitle);
		put(p, "</text>\n");
	}
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

	put(p, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	       "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"offbox-flame");
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
	put_attr(p, "data-row", o->height);
	out_fmt(p->out, " data-levels=\"%u\" data-total=\"", p->f->levels);
	put_weight(p, p->f->total);
	put(p, "\"");
	out_fmt(p->out, " data-factor=\"%.17g\"", o->factor);
	put_data(p, "countname", o->countname);
	put_data(p, "nametype", o->nametype);
	put(p, o->inverted ? " data-inverted=\"1\"" : "");
	put(p, o->fluid ? " data-fluid=\"1\"" : "");
	put(p, o->cut_right ? " data-cut-right=\"1\"" : "");
	put(p, ">\n<title>");
	put_any(p, o->title);
	put(p, "</title>\n<desc>");
	put_any(p, o->notes.n ? o->notes : STR("Flame graph by offbox"));
	put(p, "</desc>\n");
}

static void put_picture(struct picture *p)
{
	put_root(p);
	put(p, "<style><![CDATA[\n");
	out_str(p->out, str_span(style_begin, style_end));
	put(p, "]]></style>\n");
	put_background(p);
	put_boxes(p);
	put_head(p);
	put(p, "<text class=\"hint\" x=\"12\" fill=\"#5c6069\"");
	put_attr(p, "y", picture_height(p) - 12);
	put(p, ">Open this file in a browser to zoom and to search.</text>\n");
	put_names_table(p);
	put_boxes_table(p);
	put(p, "<script><![CDATA[\n");
	out_str(p->out, str_span(script_begin, script_end));
	put(p, "]]></script>\n</svg>\n");
}

void svg_write(struct out *out, const struct flame *f, const struct interner *names,
               const struct svg_opts *opts)
{
	struct picture p = { .out = out, .f = f, .opts = opts };

	p.shown = arena_new(&p.scratch, struct shown, names->n);
	p.scale = svg_plot_width(opts) / weight_value(f->total);
	for (size_t i = 0; i < f->n; i++)
		if (!p.shown[f->box[i].name].number)
			show_name(&p, f->box[i].name, intern_str(names, f->box[i].name));
	put_picture(&p);
	arena_release(&p.scratch);
}
