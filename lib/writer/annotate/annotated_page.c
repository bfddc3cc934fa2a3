#include "writer/annotate/annotated_page.h"

#include <stdlib.h>

#include "writer/caption.h"
#include "writer/flame/xml.h"

enum {
	/* number of hottest lines that a reader of the page can step through with keys */
	RANKS = 20,
	/* number of source lines shown before and after a line with instructions */
	AROUND = 3,
};

/* clang-format off */
#define TAKE_IN(name) ".incbin \"share/annotate/" name "\"\n"
__asm__(".pushsection .rodata\n"
	"offbox_annotate_script: " TAKE_IN("annotate.js")
	"offbox_annotate_style: " TAKE_IN("annotate.css")
	"offbox_annotate_end:\n"
	".popsection\n");
/* clang-format on */
extern const char script_begin[] __asm__("offbox_annotate_script");
extern const char style_begin[] __asm__("offbox_annotate_style");
extern const char style_end[] __asm__("offbox_annotate_end");

/* A source line with instructions or weight. */
struct page_line {
	struct str path;
	uint32_t line;
	struct spot_weight weight;
	uint32_t rank; /* 1 for the hottest line, 2 for the next, or 0 */
};

/* The part of the page for one function, while it is written. */
struct article {
	struct annotated_page *page;
	struct out *o;
	const struct listing *l;
	struct arena *scratch;
	struct page_line
	        *line; /* sorted by path and line, with the function's own file first */
	size_t n;
	uint32_t *rank; /* indexed by row: rank of the row, if no source line is known */
};

static void put_text(struct out *o, struct str s, struct arena *scratch)
{
	xml_text(o, caption_clean(scratch, s));
}

/* Writes source code, and keeps its tabs. */
static void put_code(struct article *a, struct str s)
{
	while (s.n) {
		size_t n = str_find(s, '\t');

		put_text(a->o, str_head(s, n), a->scratch);
		if (n < s.n)
			out_char(a->o, '\t');
		s = str_from(s, n + 1);
	}
}

/* Writes the beginning of a page up to its style. */
static void begin_page(struct out *o)
{
	out_str(o,
	        STR("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
	            "charset=\"utf-8\">\n"
	            "<meta name=\"viewport\" content=\"width=device-width, "
	            "initial-scale=1\">\n"
	            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
	            "'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
	            "<title>"));
}

static void put_style(struct out *o)
{
	out_str(o, STR(" - pannotate</title>\n<style>\n"));
	out_str(o, str_span(style_begin, style_end));
	out_str(o, STR("</style>\n</head>\n<body>\n"));
}

static struct str name_of(const struct annotated_page *p, size_t i)
{
	return spots_str(p->spots, p->f[i]->name);
}

void annotated_page_begin(struct annotated_page *p)
{
	arena_scope(scratch);

	begin_page(p->o);
	if (p->n == 1)
		put_text(p->o, name_of(p, 0), &scratch);
	else
		out_fmt(p->o, "%zu functions", p->n);
	put_style(p->o);
	out_str(p->o,
	        STR("<header>\n<h1>Source lines and "
	            "instructions</h1>\n<div class=\"keys\" hidden>"
	            "<button id=\"next\" aria-keyshortcuts=\"n\">Next hot line "
	            "<kbd>n</kbd></button>"
	            "<button id=\"previous\" aria-keyshortcuts=\"p\">Previous "
	            "<kbd>p</kbd></button>"
	            "<button id=\"theme\" aria-keyshortcuts=\"d\" aria-pressed=\"false\">"
	            "Dark <kbd>d</kbd></button><output></output></div>\n</header>\n"));
	if (p->n > 1) {
		out_str(p->o, STR("<nav aria-label=\"Functions\"><ol>\n"));
		for (size_t i = 0; i < p->n; i++) {
			out_fmt(p->o, "<li><a href=\"#f%zu\">", i + 1);
			put_text(p->o, name_of(p, i), &scratch);
			out_fmt(p->o, "</a> %.2f %%</li>\n",
			        annotated_share(p->f[i]->weight.self,
			                        p->spots->whole.total));
		}
		out_str(p->o, STR("</ol></nav>\n"));
	}
	out_str(p->o, STR("<main>\n"));
}

/* Writes the name of a function, and that its listing was left out. */
static void put_left_out(struct annotated_page *p)
{
	arena_scope(scratch);
	struct str name = name_of(p, p->functions++);

	out_fmt(p->o,
	        "<article aria-labelledby=\"f%u\">\n<div class=\"about\"><h2 id=\"f%u\">",
	        p->functions, p->functions);
	put_text(p->o, name, &scratch);
	out_str(p->o, STR("</h2></div>\n<p class=\"unknown\">Left out, because the time "
	                  "limit was reached.</p>\n</article>\n"));
}

void annotated_page_end(struct annotated_page *p)
{
	while (p->functions < p->n)
		put_left_out(p);
	out_str(p->o, STR("</main>\n<script>\n"));
	out_str(p->o, str_span(script_begin, style_begin));
	out_str(p->o, STR("</script>\n</body>\n</html>\n"));
}

void annotated_page_begin_index(struct out *o)
{
	begin_page(o);
	out_str(o, STR("Functions"));
	put_style(o);
	out_str(o, STR("<main>\n<div class=\"about\"><h1 id=\"functions\">Functions</h1>"
	               "</div>\n<table aria-labelledby=\"functions\"><thead><tr>"
	               "<th scope=\"col\">self %</th><th scope=\"col\">total %</th>"
	               "<th scope=\"col\" class=\"code\">function</th></tr></thead>"
	               "<tbody>\n"));
}

static void put_share(struct out *o, uint64_t part, uint64_t whole)
{
	out_str(o, STR("<td>"));
	/* Formatting takes long, so the most frequent shares, 0 and 100 %, are not formatted. */
	if (part && part == whole)
		out_str(o, STR("100.00"));
	else if (part)
		out_fmt(o, "%.2f", annotated_share(part, whole));
}

void annotated_page_put_index(struct out *o, struct str file, const struct spots *s,
                              const struct spot_function *f)
{
	arena_scope(scratch);
	struct str module = spots_str(s, f->module);

	out_str(o, STR("<tr>"));
	put_share(o, f->weight.self, s->whole.total);
	put_share(o, f->weight.total, s->whole.total);
	out_fmt(o, "<td class=\"code\"><a href=\"" PRSTR ".html\">", STRARG(file));
	put_text(o, spots_str(s, f->name), &scratch);
	out_str(o, STR("</a>"));
	if (module.n) {
		out_str(o, STR(" ("));
		put_text(o, module, &scratch);
		out_char(o, ')');
	}
	out_str(o, STR("</td></tr>\n"));
}

void annotated_page_end_index(struct out *o)
{
	out_str(o, STR("</tbody></table>\n</main>\n</body>\n</html>\n"));
}

static int by_place(const void *pa, const void *pb, void *ctx)
{
	const struct page_line *a = pa, *b = pb;
	const struct str *own = ctx;

	if (!str_eq(a->path, b->path)) {
		if (str_eq(a->path, *own) != str_eq(b->path, *own))
			return str_eq(a->path, *own) ? -1 : 1;
		return str_cmp(a->path, b->path);
	}
	return num_cmp(a->line, b->line);
}

static bool is_hotter(const struct spot_weight *a, const struct spot_weight *b)
{
	return a->self != b->self ? a->self > b->self : a->total > b->total;
}

/* Collects the source lines of the rows.  If there are no rows, uses the lines of the listing. */
static void find_lines(struct article *a)
{
	const struct listing *l = a->l;
	size_t most = l->n ? l->n : l->nlines, n = 0;
	struct str own = l->path;

	a->line = arena_new(a->scratch, struct page_line, most + 1);
	for (size_t i = 0; i < most; i++) {
		struct page_line one = { .path = l->n ? l->row[i].path : l->line[i].path,
			                 .line = l->n ? l->row[i].line : l->line[i].line,
			                 .weight = l->n ? l->row[i].weight
			                                : l->line[i].weight };

		if (one.line)
			a->line[n++] = one;
	}
	qsort_r(a->line, n, sizeof(*a->line), by_place, &own);
	for (size_t i = 0; i < n; i++)
		if (a->n && !by_place(&a->line[a->n - 1], &a->line[i], &own))
			spots_add_weight(&a->line[a->n - 1].weight, &a->line[i].weight);
		else
			a->line[a->n++] = a->line[i];
}

/* Returns the weight of line i.  If no source line is known, returns the weight of row i. */
static const struct spot_weight *weight_of(const struct article *a, size_t i)
{
	return a->n ? &a->line[i].weight : &a->l->row[i].weight;
}

/* Gives ranks to the hottest lines.  If no source line is known, gives ranks to rows. */
static void rank(struct article *a)
{
	size_t n = a->n ? a->n : a->l->n, best[RANKS], nbest = 0;

	a->rank = arena_new(a->scratch, uint32_t, a->l->n + 1);
	for (size_t i = 0; i < n; i++) {
		const struct spot_weight *w = weight_of(a, i);
		size_t k = nbest;

		if (!w->self && !w->total)
			continue;
		while (k && is_hotter(w, weight_of(a, best[k - 1])))
			k--;
		if (k == RANKS)
			continue;
		nbest += nbest < RANKS;
		memmove(&best[k + 1], &best[k], (nbest - 1 - k) * sizeof(*best));
		best[k] = i;
	}
	for (size_t k = 0; k < nbest; k++)
		*(a->n ? &a->line[best[k]].rank : &a->rank[best[k]]) = (uint32_t)k + 1;
}

static const struct page_line *find_line(const struct article *a, struct str path,
                                         uint32_t line)
{
	struct page_line key = { .path = path, .line = line };
	struct str own = a->l->path;
	size_t at = bisect(a->n, i, by_place(&a->line[i], &key, &own) < 0);

	return at < a->n && !by_place(&a->line[at], &key, &own) ? &a->line[at] : NULL;
}

/* Returns the CSS class of a row, which selects a colour by its weight, or "". */
static const char *heat(const struct article *a, const struct spot_weight *w)
{
	double share = annotated_share(w->self, a->l->function->weight.self);

	return share >= 20    ? "t4"
	       : share >= 5   ? "t3"
	       : share >= 1   ? "t2"
	       : share >= 0.1 ? "t1"
	                      : "";
}

/* Writes the value of an attribute, and its closing quote. */
static void put_value(struct out *o, uint64_t v)
{
	out_dec(o, v);
	out_char(o, '"');
}

/* Begins a row, and leaves its tag open.  line: the index of its source line, or SIZE_MAX. */
static void begin_row(struct article *a, const struct spot_weight *w, size_t line,
                      uint32_t ranked)
{
	struct str class = str_of(heat(a, w));

	out_str(a->o, STR("<tr"));
	if (class.n) {
		out_str(a->o, STR(" class="));
		out_str(a->o, class);
	}
	if (w->self) {
		out_str(a->o, STR(" data-self=\""));
		put_value(a->o, w->self);
	}
	if (line != SIZE_MAX) {
		out_str(a->o, STR(" data-line=\""));
		put_value(a->o, line);
	}
	if (ranked) {
		out_str(a->o, STR(" data-rank=\""));
		put_value(a->o, ranked);
	}
}

static void put_shares(struct article *a, const struct spot_weight *w)
{
	const struct spot_weight *all = &a->l->function->weight;

	out_char(a->o, '>');
	put_share(a->o, w->self, all->self);
	put_share(a->o, w->total, all->total);
}

/* Writes source line `number`.  `i` is its index in a->line, or SIZE_MAX. */
static void put_source(struct article *a, struct str path, uint32_t number, size_t i)
{
	static const struct spot_weight none;
	const struct page_line *line = i < a->n ? &a->line[i] : NULL;
	const struct spot_weight *w = line ? &line->weight : &none;

	begin_row(a, w, i, line ? line->rank : 0);
	out_str(a->o, STR(" data-place=\""));
	put_text(a->o, str_base(path), a->scratch);
	out_char(a->o, ':');
	put_value(a->o, number);
	put_shares(a, w);
	out_str(a->o, STR("<td class=\"at\">"));
	out_dec(a->o, number);
	out_str(a->o, STR("</td><td class=\"code\">"));
	put_code(a, listing_source(a->l, path, number));
	out_str(a->o, STR("</td></tr>\n"));
}

static void put_file(struct article *a, struct str path)
{
	out_str(a->o, STR("<tr class=\"file\"><th colspan=\"4\" scope=\"rowgroup\">"));
	put_text(a->o, path, a->scratch);
	out_str(a->o, STR("</th></tr>\n"));
}

/*
 * Writes line i and the lines around it, except lines before number `next`.  Returns the number
 * of the last line that was written, plus 1.
 */
static uint32_t put_around(struct article *a, size_t i, uint32_t next)
{
	const struct page_line *line = &a->line[i];
	bool last = i + 1 == a->n || !str_eq(line[1].path, line->path);
	uint32_t end = line->line + 1, begin = line->line;

	if (listing_source(a->l, line->path, line->line).p) {
		begin = line->line > AROUND ? line->line - AROUND : 1;
		end += AROUND;
		if (!last && line[1].line < end)
			end = line[1].line;
	}
	if (next && begin > next)
		out_str(a->o, STR("<tr class=\"gap\"><td></td><td></td><td>...</td><td>"
		                  "</td></tr>\n"));
	else if (next)
		begin = next;
	for (uint32_t at = begin; at < end; at++)
		if (at == line->line)
			put_source(a, line->path, at, i);
		else if (listing_source(a->l, line->path, at).p)
			put_source(a, line->path, at, SIZE_MAX);
	return end;
}

static void begin_pane(struct article *a, const char *title, const char *at,
                       const char *code)
{
	unsigned number = a->page->functions;

	out_fmt(a->o,
	        "<section><h3 id=\"f%u-%s\">%s</h3>\n<div class=\"pane\" tabindex=\"0\" "
	        "role=\"region\" aria-labelledby=\"f%u-%s f%u\">\n",
	        number, at, title, number, at, number);
	out_fmt(a->o,
	        "<table aria-labelledby=\"f%u-%s\"><thead><tr><th scope=\"col\">self</th>"
	        "<th scope=\"col\">total</th><th scope=\"col\">%s</th>"
	        "<th scope=\"col\" class=\"code\">%s</th></tr></thead><tbody>\n",
	        number, at, at, code);
}

static void end_pane(struct article *a)
{
	out_str(a->o, STR("</tbody></table></div></section>\n"));
}

static void put_lines(struct article *a)
{
	uint32_t next = 0;

	begin_pane(a, "Source", "line", "source");
	for (size_t i = 0; i < a->n; i++) {
		if (!i || !str_eq(a->line[i].path, a->line[i - 1].path)) {
			put_file(a, a->line[i].path);
			next = 0;
		}
		next = put_around(a, i, next);
	}
	end_pane(a);
}

/* Returns true if `block` has a row at the address `target`. */
static bool is_row(const struct article *a, uint64_t target, uint32_t block)
{
	const struct listing_row *r = a->l->row;
	size_t at =
	        bisect(a->l->n, i,
	               r[i].block < block || (r[i].block == block && r[i].addr < target));

	return at < a->l->n && r[at].block == block && r[at].addr == target;
}

/* Writes the id of the row at `addr`, and the closing quote. */
static void put_id(struct article *a, uint32_t block, uint64_t addr)
{
	out_char(a->o, 'f');
	out_dec(a->o, a->page->functions);
	out_char(a->o, '.');
	out_dec(a->o, block);
	out_char(a->o, '.');
	out_hex(a->o, addr, 0);
	out_char(a->o, '"');
}

/* Writes an instruction.  The target of a jump becomes a link if the page contains its row. */
static void put_instruction(struct article *a, const struct listing_row *row)
{
	bool link = row->target && is_row(a, row->target, row->block);

	if (link) {
		out_str(a->o, STR("<a href=\"#"));
		put_id(a, row->block, row->target);
		out_char(a->o, '>');
	}
	put_text(a->o, row->text, a->scratch);
	if (link)
		out_str(a->o, STR("</a>"));
	/* A link already shows the target of a jump, so the name is written only for calls. */
	if (!row->target_name.n || (link && row->kind != CODE_CALL))
		return;
	out_str(a->o, STR(" &lt;"));
	put_text(a->o, row->target_name, a->scratch);
	if (row->target_off) {
		out_str(a->o, STR("+0x"));
		out_hex(a->o, row->target_off, 0);
	}
	out_str(a->o, STR("&gt;"));
}

static void put_row(struct article *a, size_t i)
{
	const struct listing_row *row = &a->l->row[i];
	const struct page_line *line =
	        row->line ? find_line(a, row->path, row->line) : NULL;

	begin_row(a, &row->weight, line ? (size_t)(line - a->line) : SIZE_MAX,
	          a->rank[i]);
	out_str(a->o, STR(" id=\""));
	put_id(a, row->block, row->addr);
	put_shares(a, &row->weight);
	out_str(a->o, STR("<td class=at>"));
	out_hex(a->o, row->addr, 0);
	out_str(a->o, STR("<td class=code>"));
	put_instruction(a, row);
	out_char(a->o, '\n');
}

static void put_rows(struct article *a)
{
	struct str inlined = { 0 };

	begin_pane(a, "Instructions", "address", "instruction");
	for (size_t i = 0; i < a->l->n; i++) {
		const struct listing_row *row = &a->l->row[i];

		if (i && row->block != row[-1].block)
			out_str(a->o,
			        STR("<tr class=\"gap\"><td></td><td></td><td>...</td>"
			            "<td></td></tr>\n"));
		if (!str_eq(row->inlined, inlined)) {
			inlined = row->inlined;
			out_str(a->o, STR("<tr class=\"into\"><td></td><td></td><td></td>"
			                  "<td class=\"code\">"));
			out_str(a->o, inlined.n ? STR("inlined ") : STR("back in "));
			put_text(a->o, inlined.n ? inlined : a->l->name, a->scratch);
			out_str(a->o, STR("</td></tr>\n"));
		}
		put_row(a, i);
	}
	end_pane(a);
}

static void put_weight(struct article *a)
{
	const struct annotated_look *look = a->page->look;

	out_str(a->o, STR("<p>"));
	if (look->event.n) {
		put_text(a->o, look->event, a->scratch);
		out_str(a->o, STR(": "));
	}
	put_text(a->o, annotated_weight(a->l, &look->unit, a->scratch), a->scratch);
	out_str(a->o, STR("</p>\n"));
}

static void put_about(struct article *a)
{
	const struct listing *l = a->l;

	out_fmt(a->o,
	        "<article aria-labelledby=\"f%u\">\n<div class=\"about\"><h2 id=\"f%u\">",
	        a->page->functions, a->page->functions);
	put_text(a->o, l->name, a->scratch);
	out_str(a->o, STR("</h2>\n"));
	if (l->module.n) {
		out_str(a->o, STR("<p>"));
		put_text(a->o, l->module, a->scratch);
		out_str(a->o, STR("</p>\n"));
	}
	put_weight(a);
	if (l->ninlined)
		out_str(a->o, STR("<ul>\n"));
	for (size_t i = 0; i < l->ninlined; i++) {
		out_fmt(a->o, "<li>%.2f %% of the total in inlined ",
		        annotated_share(l->inlined[i].weight.total,
		                        l->function->weight.total));
		put_text(a->o, l->inlined[i].name, a->scratch);
		out_str(a->o, STR("</li>\n"));
	}
	out_str(a->o, l->ninlined ? STR("</ul></div>\n") : STR("</div>\n"));
}

void annotated_page_put(struct annotated_page *p, const struct listing *l,
                        struct arena *scratch)
{
	struct article a = { .page = p, .o = p->o, .l = l, .scratch = scratch };

	p->functions++;
	find_lines(&a);
	rank(&a);
	put_about(&a);
	out_str(p->o, STR("<div class=\"panes\">\n"));
	if (a.n)
		put_lines(&a);
	if (l->n)
		put_rows(&a);
	out_str(p->o, STR("</div>\n"));
	if (!a.n)
		out_str(p->o, STR("<p class=\"unknown\">The source lines are not "
		                  "known.</p>\n"));
	out_str(p->o, STR("</article>\n"));
}
