#include "writer/annotate/annotated.h"

#include <stdio.h>

#include "stack/weight.h"
#include "writer/caption.h"

/* Lowest percentages that perf annotate colours red and green. */
static const double RED = 5, GREEN = 0.5;

enum { NUMBER = 7 }; /* width of the column with numbers of lines */

struct str annotated_weight(const struct listing *l, const struct unit *unit,
                            struct arena *a)
{
	const struct spot_weight *w = &l->function->weight;
	uint64_t whole = l->spots->whole.total;
	char self[WEIGHT_DIGITS], total[WEIGHT_DIGITS];
	struct str text[] = { weight_digits((struct weight){ w->self, 0 }, self),
		              weight_digits((struct weight){ w->total, 0 }, total) };

	text[0] = unit_format(unit, (double)w->self, text[0], a);
	text[1] = unit_format(unit, (double)w->total, text[1], a);
	return arena_fmt(
	        a, "self " PRSTR " (%.2f %%), total " PRSTR " (%.2f %%), %llu sample%s",
	        STRARG(text[0]), annotated_share(w->self, whole), STRARG(text[1]),
	        annotated_share(w->total, whole), (unsigned long long)w->samples,
	        w->samples == 1 ? "" : "s");
}

/* The text of a share of the function's weight. */
struct share {
	uint64_t part;
	size_t n; /* 0 if there is no text yet */
	char text[16];
};

struct page {
	struct out *o;
	const struct listing *l;
	const struct annotated_look *look;
	struct arena *scratch;
	struct str path; /* path of the last source line that was written */
	uint32_t line;
	struct str inlined;
	struct share self, total; /* the last of each column */
};

static void put_text(struct page *p, struct str s)
{
	out_str(p->o, caption_clean(p->scratch, s));
}

static void put_place(struct page *p, struct str path, uint32_t line)
{
	put_text(p, path);
	out_char(p->o, ':');
	out_dec(p->o, line);
	out_char(p->o, '\n');
}

/* Writes a number with blanks after it, `width` characters in total. */
static void put_number(struct page *p, uint32_t number, size_t width)
{
	char text[OUT_SPARE];
	size_t n = out_dec_at(text, number, 1);

	memset(text + n, ' ', NUMBER);
	out_str(p->o, (struct str){ text, n < width ? width : n });
}

/*
 * Writes a line of source code, with blanks instead of tabs.  Writes PATH:LINE if the text of the
 * line is unknown.
 */
static void put_source(struct page *p, struct str path, uint32_t line)
{
	struct str s = listing_source(p->l, path, line);
	size_t column = 0;

	if (!s.p) {
		put_place(p, str_base(path), line);
		return;
	}
	put_number(p, line, s.n ? NUMBER : 0);
	while (s.n) {
		size_t n = str_find(s, '\t');

		put_text(p, str_head(s, n));
		column += n;
		if (n < s.n) {
			out_fmt(p->o, "%*s", (int)(8 - column % 8), "");
			column += 8 - column % 8;
		}
		s = str_from(s, n + 1);
	}
	out_char(p->o, '\n');
}

/* Formatting takes long, so the last text of each column is kept: many rows have the same weight. */
static void put_share(struct page *p, struct share *last, uint64_t part, uint64_t whole)
{
	double share = annotated_share(part, whole);
	const char *on = share >= RED ? "\033[31m" : share >= GREEN ? "\033[32m" : "";

	if (!last->n || last->part != part) {
		last->part = part;
		last->n =
		        (size_t)snprintf(last->text, sizeof(last->text), "%8.2f", share);
	}
	if (p->look->color)
		out_str(p->o, str_of(on));
	out_str(p->o, (struct str){ last->text, last->n });
	if (p->look->color && *on)
		out_str(p->o, STR("\033[m"));
}

static void put_shares(struct page *p, const struct spot_weight *w)
{
	const struct spot_weight *all = &p->l->function->weight;

	/* Most instructions have no weight.  For these, no numbers are formatted. */
	if (!w->self && !w->total) {
		out_str(p->o, STR("    0.00    0.00 : "));
		return;
	}
	put_share(p, &p->self, w->self, all->self);
	put_share(p, &p->total, w->total, all->total);
	out_str(p->o, STR(" : "));
}

static void put_no_shares(struct page *p)
{
	out_str(p->o, STR("                 : "));
}

static void put_head(struct page *p)
{
	const struct listing *l = p->l;

	put_text(p, l->name);
	if (l->module.n) {
		out_str(p->o, STR(" ("));
		put_text(p, l->module);
		out_char(p->o, ')');
	}
	out_char(p->o, '\n');
	if (l->begins) {
		out_str(p->o, STR("begins at "));
		put_place(p, l->path, l->begins);
	}
	if (p->look->event.n) {
		put_text(p, p->look->event);
		out_str(p->o, STR(": "));
	}
	put_text(p, annotated_weight(l, &p->look->unit, p->scratch));
	out_char(p->o, '\n');
	for (size_t i = 0; i < l->ninlined; i++) {
		out_fmt(p->o, "%.2f %% of the total in inlined ",
		        annotated_share(l->inlined[i].weight.total,
		                        l->function->weight.total));
		put_text(p, l->inlined[i].name);
		out_char(p->o, '\n');
	}
	out_fmt(p->o, "\n%8s%8s | %s\n", "self", "total",
	        p->look->lines ? "source lines" : "source lines and instructions");
	out_str(p->o, STR("--------------------------------------------------------------"
	                  "----------------\n"));
}

/* Writes the source line of a row if it is different from the previous one. */
static void put_change(struct page *p, const struct listing_row *row)
{
	bool same_file = str_eq(row->path, p->path);

	if (!str_eq(row->inlined, p->inlined)) {
		p->inlined = row->inlined;
		put_no_shares(p);
		out_str(p->o, row->inlined.n ? STR("  inlined ") : STR("  "));
		put_text(p, row->inlined.n ? row->inlined : p->l->name);
		out_char(p->o, '\n');
	}
	if (!row->line || (same_file && row->line == p->line))
		return;
	if (!same_file) {
		put_no_shares(p);
		put_text(p, row->path);
		out_char(p->o, '\n');
	}
	p->path = row->path;
	p->line = row->line;
	put_no_shares(p);
	put_source(p, row->path, row->line);
}

static void put_row(struct page *p, const struct listing_row *row)
{
	put_change(p, row);
	put_shares(p, &row->weight);
	out_hex(p->o, row->addr, 8);
	out_char(p->o, ':');
	if (row->text.n) {
		out_str(p->o, STR("    "));
		out_str(p->o, row->text);
	}
	if (row->target_name.n) {
		out_str(p->o, STR(" <"));
		put_text(p, row->target_name);
		if (row->target_off) {
			out_str(p->o, STR("+0x"));
			out_hex(p->o, row->target_off, 1);
		}
		out_char(p->o, '>');
	}
	out_char(p->o, '\n');
}

static void put_rows(struct page *p)
{
	for (size_t i = 0; i < p->l->n; i++) {
		const struct listing_row *row = &p->l->row[i];

		if (i && row->block != row[-1].block) {
			put_no_shares(p);
			out_str(p->o, STR("...\n"));
			p->line = 0;
		}
		put_row(p, row);
	}
}

/* Returns the number of the first line to print from the file that contains `line`. */
static uint32_t first_line(const struct listing *l, const struct listing_line *line)
{
	bool known = l->begins && l->begins < line->line && str_eq(l->path, line->path);

	return known && listing_source(l, l->path, l->begins).p ? l->begins : line->line;
}

static void put_line(struct page *p, const struct listing_line *line,
                     const struct spot_weight *weight, uint32_t number)
{
	put_shares(p, weight);
	put_source(p, line->path, number);
}

/*
 * Writes all lines of the function, or only the lines with a weight if the source is unknown.
 * If more than GAP successive lines have no weight, skips these lines, because they belong to
 * another function.
 */
static void put_lines(struct page *p)
{
	enum { GAP = 100 };
	static const struct spot_weight none;
	const struct listing *l = p->l;

	for (size_t i = 0; i < l->nlines; i++) {
		const struct listing_line *line = &l->line[i];
		bool begins = !i || !str_eq(line[-1].path, line->path);
		uint32_t next = begins ? first_line(l, line) : line[-1].line + 1;

		if (begins && line->line) {
			put_no_shares(p);
			put_text(p, line->path);
			out_char(p->o, '\n');
		}
		if (!line->line) {
			put_shares(p, &line->weight);
			out_str(p->o, STR("unknown line\n"));
			continue;
		}
		if (line->line - next > GAP ||
		    !listing_source(l, line->path, line->line).p)
			next = line->line;
		for (; next < line->line; next++)
			put_line(p, line, &none, next);
		put_line(p, line, &line->weight, line->line);
	}
}

void annotated_write(struct out *o, const struct listing *l,
                     const struct annotated_look *look, struct arena *scratch)
{
	struct page p = { .o = o, .l = l, .look = look, .scratch = scratch };

	put_head(&p);
	if (look->lines)
		put_lines(&p);
	else
		put_rows(&p);
}

void annotated_hottest(struct out *o, const struct spots *s,
                       const struct spot_function *const *f, size_t n,
                       struct arena *scratch)
{
	uint64_t whole = s->whole.total;

	out_fmt(o, "%8s %8s  %s\n", "self", "total", "function");
	for (size_t i = 0; i < n; i++) {
		struct str name = spots_str(s, f[i]->name);
		struct str module = spots_str(s, f[i]->module);

		out_fmt(o, "%6.2f %% %6.2f %%  " PRSTR,
		        annotated_share(f[i]->weight.self, whole),
		        annotated_share(f[i]->weight.total, whole),
		        STRARG(caption_clean(scratch, name)));
		if (module.n)
			out_fmt(o, " (" PRSTR ")",
			        STRARG(caption_clean(scratch, module)));
		out_char(o, '\n');
	}
}
