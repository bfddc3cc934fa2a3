#include "writer/flame/still.h"

#include <math.h>

#include "writer/flame/diff_words.h"
#include "writer/flame/widest.h"

enum {
	MARGIN = SVG_MARGIN,
	HEAD = 60,    /* pixels above the boxes */
	LEGEND = 220, /* width of the legend of a difference in pixels */
	ENTRY = 90,   /* pixels that verdicts add to the width of the legend */
	/* height of the line that describes the changes in a difference */
	LINE = 18,
	FOOT = 34,      /* pixels below the boxes */
	NAME_MOST = 80, /* maximum number of characters of a label */
	MOST = 200,     /* maximum number of boxes that are drawn */
};

/* A box as it is drawn for viewers without scripts. */
struct still {
	const struct box *box;
	double x, width; /* in pixels */
	struct rgb color;
};

static const char *const kind_words[] = { "kernel", "inlined", "managed", "waker",
	                                  "runtime" };

/* Returns the digits of a weight times opts.factor, with at most two decimals. */
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

/* Writes a weight with its unit: "1,234 samples", "13.0 s". */
static void put_count(struct picture *p, struct weight w)
{
	struct unit unit = p->opts->unit;

	if (p->opts->countname.n)
		unit.name = p->opts->countname;
	put_any(p, unit_format(&unit, weight_value(w) * p->opts->factor,
	                       count_digits(p, w), &p->scratch));
}

static void put_share(struct picture *p, double share)
{
	uint64_t hundredths = (uint64_t)llrint(share * 10000);

	out_dec(p->out, hundredths / 100);
	out_char(p->out, '.');
	xml_two_digits(p->out, (unsigned)(hundredths % 100));
	out_char(p->out, '%');
}

static const struct share *share_in(const struct picture *p, const struct box *b,
                                    size_t series)
{
	return flame_share(p->f, (size_t)(b - p->f->box), series);
}

/* Returns the weight of all stacks in a series. */
static double series_total(const struct picture *p, size_t series)
{
	return weight_value(flame_share(p->f, 0, series)->total);
}

static double share_of(const struct picture *p, const struct box *b, size_t series)
{
	double all = series_total(p, series);

	return all > 0 ? weight_value(share_in(p, b, series)->total) / all : 0;
}

/* Returns the weight of a box in one of the two series, in the unit of the comparison. */
static double compared_weight(const struct picture *p, const struct box *b, size_t side)
{
	return weight_value(share_in(p, b, side)->total) * p->opts->compare.factor[side];
}

/* Writes both weights of a box: "12.00% before, 15.00% after". */
static void put_both(struct picture *p, const struct box *b)
{
	put_any(p, diff_words_amount(p->opts, compared_weight(p, b, 0), &p->scratch));
	put(p, " before, ");
	put_any(p, diff_words_amount(p->opts, compared_weight(p, b, 1), &p->scratch));
	put(p, " after");
	if (verdicts_of(p->opts->verdicts, b->name))
		out_fmt(p->out, ", %s",
		        contrast_word(verdicts_of(p->opts->verdicts, b->name) - 1));
}

/* Writes the tooltip of a box: "name (1,234 samples, 12.34%, self 1.20%), kernel". */
static void put_tooltip(struct picture *p, const struct box *b)
{
	const struct shown *s = &p->tables.shown[b->name];
	const struct share *first = share_in(p, b, 0);

	xml_text(p->out, s->text);
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

static double head_height(const struct picture *p)
{
	return HEAD + (p->opts->diff ? LINE : 0);
}

static double top_of(const struct picture *p, uint32_t level)
{
	uint32_t row = p->opts->inverted ? level : p->f->levels - 1 - level;

	return head_height(p) + row * p->opts->height;
}

ORDER(by_width, struct still, num_cmp(b->width, a->width) ?: num_cmp(a->box, b->box))

static uint32_t number_of(struct rgb c)
{
	return (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
}

ORDER(by_color, struct still,
      num_cmp(number_of(a->color), number_of(b->color)) ?: num_cmp(a->box, b->box))

/* Returns the colour of a box in a difference. */
static struct rgb change_of(const struct picture *p, const struct box *b)
{
	double before = compared_weight(p, b, 0), after = compared_weight(p, b, 1);
	double all[] = { compared_weight(p, p->f->box, 0),
		         compared_weight(p, p->f->box, 1) };

	if (fabs(after - before) < p->opts->threshold * fmax(all[0], all[1]) ||
	    !verdicts_allow(p->opts->verdicts, b->name))
		after = before;
	return palette_change(before, after, p->opts->negate);
}

static struct rgb color_of(const struct picture *p, const struct box *b)
{
	return p->opts->diff && b->level ? change_of(p, b)
	                                 : p->tables.shown[b->name].color;
}

/*
 * Returns the frames that are at least `limit` wide, with their positions in the picture.  If
 * `widest` is not NULL, adds the widths of all frames to it, and does not return frames.
 */
static struct still *place_all(struct picture *p, double limit, struct widest *widest,
                               size_t *n)
{
	const struct flame *f = p->f;
	struct still *still = NULL;
	size_t cap = 0;
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
		if (widest)
			widest_add(widest, w);
		if (widest || w <= 0 || w < limit)
			continue;
		arena_fit(&p->scratch, still, *n + 1, cap);
		still[(*n)++] = (struct still){ b, MARGIN + x * scale, w * scale,
			                        color_of(p, b) };
	}
	return still;
}

/* Boxes are drawn as paths, which need fewer bytes than rects. */
static void put_shape(struct picture *p, const struct still *s)
{
	double w = s->width > 1.5 ? s->width - 0.5 : s->width;

	put(p, "<path d=\"M");
	xml_pixels(p->out, s->x);
	out_char(p->out, ' ');
	xml_pixels(p->out, top_of(p, s->box->level));
	out_char(p->out, 'h');
	xml_pixels(p->out, w);
	out_char(p->out, 'v');
	xml_pixels(p->out, p->opts->height - 1);
	out_char(p->out, 'h');
	xml_pixels(p->out, -w);
	put(p, "z\"><title>");
	put_tooltip(p, s->box);
	put(p, "</title></path>\n");
}

static void put_label(struct picture *p, const struct still *s, struct rgb ink)
{
	const struct svg_opts *o = p->opts;
	/*
	 * Leaves some pixels free, because wide letters and the ellipsis are wider than
	 * an average character.
	 */
	double most = (s->width - 10) / (o->fontsize * o->fontwidth);
	struct str label = { 0 };

	if (most < 1 || number_of(palette_ink(s->color)) != number_of(ink))
		return;
	if (most > NAME_MOST)
		most = NAME_MOST;
	label = caption_fit(p->tables.shown[s->box->name].text, (size_t)most,
	                    o->cut_right, p->label);
	if (!label.n)
		return;
	put(p, "<text");
	xml_attr(p->out, "x", s->x + 3);
	xml_attr(p->out, "y",
	         top_of(p, s->box->level) + o->height / 2 + o->fontsize * 0.33);
	out_char(p->out, '>');
	xml_text(p->out, label);
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
	xml_color(p->out, ink);
	put(p, "\">\n");
	for (size_t i = 0; i < n; i++)
		put_label(p, &still[i], ink);
	put(p, "</g>\n");
}

/* Draws the widest boxes, and returns their number. */
static size_t put_boxes(struct picture *p)
{
	struct widest widest = { .most = MOST, .arena = &p->scratch };
	struct still *still;
	size_t n;

	place_all(p, 0, &widest, &n);
	still = place_all(p, widest_limit(&widest), NULL, &n);
	order_by(still, n, by_width);
	if (n > MOST)
		n = MOST;
	order_by(still, n, by_color);
	put(p, "<g class=\"frames\">\n");
	for (size_t i = 0; i < n; i++) {
		if (!i || number_of(still[i - 1].color) != number_of(still[i].color)) {
			put(p, i ? "</g>\n<g fill=\"" : "<g fill=\"");
			xml_color(p->out, still[i].color);
			put(p, "\">\n");
		}
		put_shape(p, &still[i]);
	}
	if (n)
		put(p, "</g>\n");
	put_labels(p, still, n, (struct rgb){ 27, 27, 31 });
	put_labels(p, still, n, (struct rgb){ 255, 255, 255 });
	put_labels(p, still, n, (struct rgb){ 0, 0, 0 });
	put(p, "</g>\n");
	return n;
}

static void put_entry(struct picture *p, struct rgb color, const char *means, bool first)
{
	put(p, first ? "<tspan fill=\"" : "<tspan dx=\"14\" fill=\"");
	xml_color(p->out, color);
	out_fmt(p->out, "\">&#9632;</tspan> %s", means);
}

static void put_legend(struct picture *p)
{
	bool first = true;

	put(p, "<text class=\"legend\" text-anchor=\"end\" y=\"47\"");
	xml_attr(p->out, "x", p->opts->width - MARGIN);
	out_char(p->out, '>');
	for (enum change_kind c = 0; p->opts->diff && c < CHANGES; c++, first = false)
		put_entry(p, palette_change_color(c, p->opts->negate),
		          palette_change_name(c), first);
	if (p->opts->diff && p->opts->verdicts)
		put_entry(p, palette_change(1, 1, false), "no verdict", first);
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

/* Writes s, cut so that it fits into `room` pixels. */
static void put_cut(struct picture *p, struct str s, double room, double fontsize)
{
	double most = room / (fontsize * p->opts->fontwidth);
	char *to;

	s = caption_clean(&p->scratch, s);
	to = arena_alloc(&p->scratch, s.n + 4, 1);
	xml_text(p->out, caption_fit(s, most > 3 ? (size_t)most : 3, true, to));
}

/* Returns the line below the title: "13.0 s of cpu-clock, 6,497 samples". */
static struct str subtitle(struct picture *p)
{
	const struct unit *u = &p->opts->unit;
	struct str said = p->opts->subtitle, samples;

	if (p->opts->diff && !said.n)
		return diff_words_totals(p->f, p->opts, &p->scratch);
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
	xml_attr(p->out, "font-size", p->opts->fontsize + 5);
	out_char(p->out, '>');
	put_cut(p, p->opts->title, room, p->opts->fontsize + 6);
	put(p, "</text>\n<text class=\"subtitle\" x=\"12\" y=\"47\">");
	put_cut(p, subtitle(p),
	        p->opts->diff ? room - LEGEND - (p->opts->verdicts ? ENTRY : 0)
	                      : room / 2,
	        p->opts->fontsize);
	put(p, "</text>\n");
	if (p->opts->diff) {
		put(p, "<text class=\"changes\" x=\"12\" y=\"65\">");
		put_cut(p, diff_words_most(p), room, p->opts->fontsize);
		put(p, "</text>\n");
	}
	put_legend(p);
	put(p, "</g>\n");
}

bool still_is_empty(const struct picture *p)
{
	return weight_value(p->f->sum) <= 0;
}

double still_height(const struct picture *p)
{
	return head_height(p) + (p->f->levels ? p->f->levels : 1) * p->opts->height +
	       FOOT;
}

/* Writes how many boxes are omitted, and how to display them. */
static void put_hint(struct picture *p, size_t drawn)
{
	put(p, "<text class=\"hint\" x=\"12\" fill=\"#5c6069\"");
	xml_attr(p->out, "y", still_height(p) - 12);
	put(p, ">");
	if (drawn < p->f->nframes)
		out_fmt(p->out, "The widest %zu of %zu boxes. ", drawn, p->f->nframes);
	put(p, "Open this file in a browser to zoom and to search.</text>\n");
}

/* Writes a sentence if there are no boxes to draw. */
static void put_no_samples(struct picture *p)
{
	put(p, "<text class=\"none\" x=\"12\" fill=\"#1b1b1f\"");
	xml_attr(p->out, "y",
	         head_height(p) + p->opts->height / 2 + p->opts->fontsize * 0.33);
	put(p, ">no samples</text>\n");
}

void still_write(struct picture *p)
{
	size_t drawn = still_is_empty(p) ? 0 : put_boxes(p);

	put_head(p);
	if (!drawn)
		put_no_samples(p);
	if (!still_is_empty(p))
		put_hint(p, drawn);
}
