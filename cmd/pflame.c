/*
 * pflame - draw folded stacks as a self-contained interactive SVG.
 *
 *	source -> reader -> stack/path -> writer/flame -> writer/svg
 */
#include <math.h>
#include <stdlib.h>

#include "cmd.h"
#include "stack/path.h"
#include "writer/svg.h"

enum option {
	TITLE,
	SUBTITLE,
	WIDTH,
	HEIGHT,
	MINWIDTH,
	FONTTYPE,
	FONTSIZE,
	FONTWIDTH,
	COUNTNAME,
	NAMETYPE,
	COLORS,
	BGCOLORS,
	HASH,
	REVERSE,
	INVERTED,
	FLAMECHART,
	TRUNCATE,
	TOTAL,
	FACTOR,
	NOTES,
	OPTIONS
};

static const struct cmd_option options[OPTIONS + 1] = {
	[TITLE] = { "title", 0, "TEXT", "title of the picture" },
	[SUBTITLE] = { "subtitle", 0, "TEXT", "second line, smaller" },
	[WIDTH] = { "width", 0, "PIXELS", "of the picture (default: as the window)" },
	[HEIGHT] = { "height", 0, "PIXELS", "of one box (18)" },
	[MINWIDTH] = { "minwidth", 0, "N[%]", "drop narrower boxes: pixels (0.1) or %" },
	[FONTTYPE] = { "fonttype", 0, "FONT", "font family" },
	[FONTSIZE] = { "fontsize", 0, "PIXELS", "font size (12)" },
	[FONTWIDTH] = { "fontwidth", 0, "N", "a character's share of fontsize (0.59)" },
	[COUNTNAME] = { "countname", 0, "TEXT", "what is counted (samples)" },
	[NAMETYPE] = { "nametype", 0, "TEXT", "stands before names in the details" },
	[COLORS] = { "colors", 0, "NAME", "palette (kind); dotnet, hot, java, ..." },
	[BGCOLORS] = { "bgcolors", 0, "COLOR", "yellow, blue, green, grey or #rrggbb" },
	[HASH] = { "hash", 0, NULL, "names that begin alike get like colours" },
	[REVERSE] = { "reverse", 0, NULL, "merge stacks from the leaf" },
	[INVERTED] = { "inverted", 'i', NULL, "root at the top" },
	[FLAMECHART] = { "flamechart", 0, NULL, "keep the order of the input" },
	[TRUNCATE] = { "truncate-text-right", 0, NULL, "cut labels at the end only" },
	[TOTAL] = { "total", 0, "N", "width of the root, if more than the sum" },
	[FACTOR] = { "factor", 0, "N", "multiply shown counts (1)" },
	[NOTES] = { "notes", 0, "TEXT", "comment kept in the file" },
};

struct pflame {
	struct svg_opts svg;
	struct weight total;
	double minwidth;
	bool percent; /* is minwidth's unit */
	bool reverse, chart;
};

static int set_number(struct diag *diag, size_t option, const char *arg, double least,
                      double most, double *out)
{
	char *end;
	double v = strtod(arg, &end);

	if (end == arg || *end || !(v >= least && v <= most))
		return diag_fatal(diag, "--%s %s: not a number from %g to %g",
		                  options[option].name, arg, least, most);
	*out = v;
	return 0;
}

static int set_minwidth(struct pflame *p, struct diag *diag, const char *arg)
{
	size_t n = strlen(arg);
	struct arena scratch = { 0 };
	int ret;

	p->percent = n && arg[n - 1] == '%';
	ret = set_number(diag, MINWIDTH,
	                 arena_fmt(&scratch, "%.*s", (int)(n - p->percent), arg).p, 0,
	                 p->percent ? 100 : 1e6, &p->minwidth);
	arena_release(&scratch);
	return ret;
}

static int set_colors(struct pflame *p, struct diag *diag, const char *arg)
{
	struct arena scratch = { 0 };
	struct str all = { 0 };
	const char *name;

	p->svg.palette = palette_find(str_of(arg));
	if (p->svg.palette)
		return 0;
	for (size_t i = 0; (name = palette_name(i)); i++)
		all = arena_fmt(&scratch, PRSTR " %s", STRARG(all), name);
	diag_fatal(diag, "--colors %s: not one of" PRSTR, arg, STRARG(all));
	arena_release(&scratch);
	return -1;
}

static int set_background(struct pflame *p, struct diag *diag, const char *arg)
{
	if (!svg_is_background(str_of(arg)))
		return diag_fatal(diag,
		                  "--bgcolors %s: not yellow, blue, green, grey or "
		                  "#rrggbb",
		                  arg);
	p->svg.background = str_of(arg);
	return 0;
}

static int set_total(struct pflame *p, struct diag *diag, const char *arg)
{
	double v = 0;

	if (set_number(diag, TOTAL, arg, 0, 1.8e19, &v) < 0)
		return -1;
	p->total.n = (uint64_t)v;
	p->total.fraction = (uint32_t)((v - floor(v)) * 1e9);
	return 0;
}

static int set_text(struct svg_opts *svg, enum option which, const char *arg)
{
	struct str *const to[OPTIONS] = {
		[TITLE] = &svg->title,       [SUBTITLE] = &svg->subtitle,
		[FONTTYPE] = &svg->fonttype, [COUNTNAME] = &svg->countname,
		[NAMETYPE] = &svg->nametype, [NOTES] = &svg->notes,
	};

	if (to[which])
		*to[which] = str_of(arg);
	return 0;
}

static int set(void *ctx, struct diag *diag, size_t option, const char *arg)
{
	struct pflame *p = ctx;

	switch ((enum option)option) {
	case WIDTH:
		p->svg.fluid = false;
		return set_number(diag, option, arg, 50, 1e6, &p->svg.width);
	case HEIGHT:
		return set_number(diag, option, arg, 2, 200, &p->svg.height);
	case FONTSIZE:
		return set_number(diag, option, arg, 1, 200, &p->svg.fontsize);
	case FONTWIDTH:
		return set_number(diag, option, arg, 0.1, 4, &p->svg.fontwidth);
	case MINWIDTH:
		return set_minwidth(p, diag, arg);
	case COLORS:
		return set_colors(p, diag, arg);
	case BGCOLORS:
		return set_background(p, diag, arg);
	case TOTAL:
		return set_total(p, diag, arg);
	case FACTOR:
		return set_number(diag, option, arg, 1e-12, 1e12, &p->svg.factor);
	case HASH:
		p->svg.by_start = true;
		return 0;
	case REVERSE:
		p->reverse = true;
		return 0;
	case INVERTED:
		p->svg.inverted = true;
		return 0;
	case FLAMECHART:
		p->chart = true;
		return 0;
	case TRUNCATE:
		p->svg.cut_right = true;
		return 0;
	default:
		return set_text(&p->svg, (enum option)option, arg);
	}
}

static const struct cmd_tool tool = {
	.name = "pflame",
	.purpose = "draw folded stacks as an interactive SVG",
	.operands = "[FILE ...]",
	.example = "psym prof.tar.gz | pfold | pflame > flame.svg",
	.options = options,
	.set = set,
};

static enum source_look look(struct str name, struct str head)
{
	enum reader_format f = reader_bid(head);

	(void)name;
	if (f == READ_NONE)
		return LOOK_NOTHING;
	return reader_has_ips(f) ? LOOK_WHOLE : LOOK_STREAM;
}

static void read_stacks(struct reader *r, struct path *path, struct diag *diag)
{
	struct event ev;
	uint64_t done, total;
	int got;

	for (size_t i = 0; (got = reader_next(r, &ev)) != 0; i++) {
		if (got > 0 && ev.kind == EV_FOLDED && (ev.weight || ev.fraction))
			path_add(path, ev.raw, ev.weight, ev.fraction);
		if (i % 4096 == 0) {
			reader_progress(r, &done, &total);
			diag_progress(diag, "reading", done, total);
		}
	}
}

/* Adds the stacks of one input.  -1: it has none that can be read, reported. */
static int read_input(struct cmd *c, const char *input, struct path *path)
{
	struct source_opts opts = { .look = look,
		                    .max_spool = c->max_spool,
		                    .is_profile = true,
		                    .run = &c->run,
		                    .diag = &c->diag };
	struct source *s = source_open(input, &opts);
	struct reader *r = NULL;
	size_t member;
	int ret = -1;

	if (!s)
		return -1;
	if (reader_choose(s, c->member, 1u << READ_FOLDED, &c->diag, &member) < 0)
		goto out;
	r = reader_open(s, member, &c->run, &c->diag);
	if (!r)
		goto out;
	read_stacks(r, path, &c->diag);
	ret = 0;
out:
	reader_close(r);
	source_close(s);
	return ret;
}

/* 1: drawn.  0: there is nothing to draw.  -1: it cannot be written.  Reported. */
static int draw(struct cmd *c, const struct pflame *p, const struct stacks *stacks,
                const struct interner *names, const char *input)
{
	const char *shown = input ? input : "standard input";
	struct flame_opts opts = { .chart = p->chart, .total = p->total };
	struct flame f;
	struct out out;

	opts.least = p->minwidth / (p->percent ? 100 : svg_plot_width(&p->svg));
	flame_layout(&f, stacks, names, &opts, stacks->arena);
	if (weight_value(f.sum) <= 0) {
		diag_fatal(&c->diag, "%s: no stacks: nothing to draw", shown);
		return 0;
	}
	if (weight_value(p->total) > 0 && weight_value(p->total) < weight_value(f.sum))
		diag_note(&c->diag,
		          "--total is less than the sum of the counts: ignored");
	if (cmd_open_output(c, &out, input, "svg") < 0)
		return -1;
	svg_write(&out, &f, names, &p->svg);
	if (cmd_close_output(c, &out) < 0)
		return -1;
	diag_note(&c->diag, "%s: %llu " PRSTR ", %zu boxes in %u levels", shown,
	          (unsigned long long)f.sum.n, STRARG(p->svg.countname), f.n, f.levels);
	return 1;
}

/* One picture of the sum of n inputs; as draw. */
static int picture(struct cmd *c, const struct pflame *p, const char *const *inputs,
                   size_t n)
{
	struct arena arena = { 0 };
	struct interner names;
	struct stacks stacks;
	struct path path;
	bool read = false;
	int drawn = 0;

	intern_init(&names, &arena);
	stacks_init(&stacks, &arena);
	path_init(&path, &stacks, &names, &arena);
	path.reverse = p->reverse;
	path.chart = p->chart;
	path.wakers = p->svg.palette == palette_find(STR("chain"));
	for (size_t i = 0; i < n; i++)
		if (read_input(c, inputs[i], &path) == 0)
			read = true;
		else
			c->skipped = true;
	if (read)
		drawn = draw(c, p, &stacks, &names, inputs[0]);
	arena_release(&arena);
	return drawn;
}

int main(int argc, char **argv)
{
	struct pflame p = {
		.svg = { .countname = STR("samples"),
		         .fonttype = STR("system-ui, -apple-system, 'Segoe UI', Roboto, "
		                         "'Noto Sans', 'Liberation Sans', Verdana, "
		                         "sans-serif"),
		         .width = 1200,
		         .fluid = true,
		         .height = 18,
		         .fontsize = 12,
		         .fontwidth = 0.59,
		         .palette = palette_find(STR("kind")),
		         .factor = 1 },
		.minwidth = 0.1,
	};
	struct cmd c;
	bool drawn = false;
	int status, got = 0;

	if (!cmd_start(&c, &tool, &p, argc, argv, &status))
		return status;
	if (!p.svg.title.n)
		p.svg.title = p.chart          ? STR("Flame Chart")
		              : p.svg.inverted ? STR("Icicle Graph")
		                               : STR("Flame Graph");
	for (size_t i = 0; i < c.ninputs && got >= 0; i++) {
		size_t n = cmd_mirrors(&c) ? 1 : c.ninputs;

		got = picture(&c, &p, &c.inputs[i], n);
		c.skipped |= !got;
		drawn |= got > 0;
		i += n - 1;
	}
	return cmd_end(&c, drawn && got >= 0);
}
