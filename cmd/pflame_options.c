#include "pflame_options.h"

#include <math.h>
#include <stdlib.h>

enum option {
	TITLE,
	SUBTITLE,
	WIDTH,
	HEIGHT,
	MINWIDTH,
	BOXES,
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
	DIFF,
	ABSOLUTE,
	UNIT,
	THRESHOLD,
	NEGATE,
	BASE,
	CP,
	SEARCH_COLOR,
	HTML,
	SOURCE_URL,
	SOURCE_PATH,
	FRAMEHEIGHT,
	RANDOM,
	DETERMINISTIC,
	OPTIONS
};

#define SETS(field) CMD_SETS(struct pflame, field)

static const struct cmd_option options[OPTIONS + 1] = {
	[TITLE] = { "title", 0, "TEXT", "set the title of the picture", 0 },
	[SUBTITLE] = { "subtitle", 0, "TEXT", "set the second, smaller line", 0 },
	[WIDTH] = { "width", 0, "PIXELS", "set the width of the picture (the window's)",
	            0 },
	[HEIGHT] = { "height", 0, "PIXELS", "set the height of a box (18)", 0 },
	[MINWIDTH] = { "minwidth", 0, "N[%]", "omit boxes narrower than N pixels, or N%",
	               0 },
	[BOXES] = { "boxes", 0, "N", "keep the N widest boxes (500000; 0: all)", 0 },
	[FONTTYPE] = { "fonttype", 0, "FONT", "use this font family", 0 },
	[FONTSIZE] = { "fontsize", 0, "PIXELS", "use this font size (12)", 0 },
	[FONTWIDTH] = { "fontwidth", 0, "N",
	                "average width of a character, in font sizes (0.59)", 0 },
	[COUNTNAME] = { "countname", 0, "TEXT", "name the unit of the counts (samples)",
	                0 },
	[NAMETYPE] = { "nametype", 0, "TEXT", "print TEXT before names in the details",
	               0 },
	[COLORS] = { "colors", 0, "NAME",
	             "choose a palette: kind (default), dotnet, java, ...", 0 },
	[BGCOLORS] = { "bgcolors", 0, "COLOR",
	               "background: yellow, blue, green, grey or #rrggbb", 0 },
	[HASH] = { "hash", 0, NULL, "give similar colors to names with the same start",
	           0 },
	[REVERSE] = { "reverse", 0, NULL, "merge stacks from the leaf", SETS(reverse) },
	[INVERTED] = { "inverted", 'i', NULL, "draw the root at the top",
	               SETS(svg.inverted) },
	[FLAMECHART] = { "flamechart", 0, NULL, "keep the order of the input",
	                 SETS(chart) },
	[TRUNCATE] = { "truncate-text-right", 0, NULL, "cut labels at the end only",
	               SETS(svg.cut_right) },
	[TOTAL] = { "total", 0, "N", "make the root N wide, if the sum is less", 0 },
	[FACTOR] = { "factor", 0, "N", "multiply shown counts (1)", 0 },
	[NOTES] = { "notes", 0, "TEXT", "add a comment to the file", 0 },
	[DIFF] = { "diff", 0, NULL, "compare two inputs: old, new", SETS(diff) },
	[ABSOLUTE] = { "absolute", 0, NULL, "the same as --unit absolute", 0 },
	[UNIT] = { "unit", 0, "WHAT", "compare \"normalized\" weights, \"share\" ...",
	           0 },
	[THRESHOLD] = { "threshold", 0, "N%", "ignore changes below N% (0.1%)", 0 },
	[NEGATE] = { "negate", 0, NULL, "draw growth in blue, decline in red",
	             SETS(svg.negate) },
	[BASE] = { "base", 0, "FRAME", "begin stacks at FRAME, drop other stacks", 0 },
	[CP] = { "cp", 0, NULL, "keep colours in ./palette.map", SETS(keep_colors) },
	[SEARCH_COLOR] = { "search-color", 0, "#RRGGBB",
	                   "color of the boxes that a search finds", 0 },
	[HTML] = { "html", 0, NULL, "write a page of HTML with the picture",
	           SETS(svg.page) },
	[SOURCE_URL] = { "source-url", 0, "URL",
	                 "link source lines: https://host/{file}#L{line}", 0 },
	[SOURCE_PATH] = { "source-path", 0, "FROM=TO",
	                  "replace the start of source paths", 0 },
	[FRAMEHEIGHT] = { "frameheight", 0, "PIXELS", "the same as --height", 0 },
	[RANDOM] = { "random", 0, NULL, "ignored: colors depend on names only", 0 },
	[DETERMINISTIC] = { "deterministic", 0, NULL,
	                    "ignored: colors depend on names only", 0 },
};

static const struct cmd_words words[] = {
	{ "colors",
	  "kind dotnet hot mem io red green blue yellow purple aqua orange java js "
	  "perl rust python wakeup chain" },
	{ "bgcolors", "yellow blue green grey" },
	{ "unit", "normalized absolute per-second share" }, /* enum compare_unit */
	{ 0 },
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
	arena_scope(scratch);

	p->percent = n && arg[n - 1] == '%';
	return set_number(diag, MINWIDTH,
	                  arena_fmt(&scratch, "%.*s", (int)(n - p->percent), arg).p, 0,
	                  p->percent ? 100 : 1e6, &p->minwidth);
}

static int set_colors(struct pflame *p, struct diag *diag, const char *arg)
{
	arena_scope(scratch);
	struct str all = { 0 };
	const char *name;

	p->svg.palette = palette_find(str_of(arg));
	if (p->svg.palette)
		return 0;
	for (size_t i = 0; (name = palette_name(i)); i++)
		all = arena_fmt(&scratch, PRSTR " %s", STRARG(all), name);
	diag_fatal(diag, "--colors %s: expected one of" PRSTR, arg, STRARG(all));
	return -1;
}

static int set_background(struct pflame *p, struct diag *diag, const char *arg)
{
	if (!svg_is_background(str_of(arg)))
		return diag_fatal(
		        diag,
		        "--bgcolors %s: expected yellow, blue, green, grey or #rrggbb",
		        arg);
	p->svg.background = str_of(arg);
	return 0;
}

static int set_search_color(struct pflame *p, struct diag *diag, const char *arg)
{
	if (!svg_is_color(str_of(arg)))
		return diag_fatal(diag, "--search-color %s: expected #rrggbb", arg);
	p->svg.hit = str_of(arg);
	return 0;
}

static int set_threshold(struct pflame *p, struct diag *diag, const char *arg)
{
	arena_scope(scratch);
	size_t n = strlen(arg);
	int ret = set_number(
	        diag, THRESHOLD,
	        arena_fmt(&scratch, "%.*s", (int)(n - (n && arg[n - 1] == '%')), arg).p,
	        0, 100, &p->threshold);

	p->threshold /= 100;
	return ret;
}

static int set_unit(struct pflame *p, struct diag *diag, const char *arg)
{
	int at = options_word(words, "unit", arg);

	p->unit = (enum compare_unit)at;
	return at < 0 ? diag_fatal(diag,
	                           "--unit %s: neither normalized, absolute, "
	                           "per-second nor share",
	                           arg)
	              : 0;
}

static int add_base(struct pflame *p, const char *arg)
{
	*arena_push(&p->arena, p->base, p->nbase, p->base_cap) = str_of(arg);
	return 0;
}

/* Sets the URL pattern of links.  Refuses URLs that could run scripts. */
static int set_url(struct pflame *p, struct diag *diag, const char *arg)
{
	struct str url = str_of(arg);

	if (!str_starts(url, STR("https://")) && !str_starts(url, STR("http://")))
		return diag_fatal(diag, "--source-url %s: expected https:// or http://",
		                  arg);
	if (!str_has(url, STR("{file}")))
		return diag_fatal(diag, "--source-url %s: expected {file} in it", arg);
	p->svg.places.url = url;
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
	case ABSOLUTE:
		p->unit = COMPARE_ABSOLUTE;
		return 0;
	case HASH:
		p->svg.shading = SHADE_BY_START;
		return 0;
	case RANDOM:
	case DETERMINISTIC:
		return 0;
	case WIDTH:
		p->svg.fluid = false;
		return set_number(diag, option, arg, 50, 1e6, &p->svg.width);
	case HEIGHT:
	case FRAMEHEIGHT:
		return set_number(diag, option, arg, 2, 200, &p->svg.height);
	case FONTSIZE:
		return set_number(diag, option, arg, 1, 200, &p->svg.fontsize);
	case FONTWIDTH:
		return set_number(diag, option, arg, 0.1, 4, &p->svg.fontwidth);
	case MINWIDTH:
		return set_minwidth(p, diag, arg);
	case BOXES:
		return set_number(diag, option, arg, 0, 1e9, &p->boxes);
	case COLORS:
		return set_colors(p, diag, arg);
	case BGCOLORS:
		return set_background(p, diag, arg);
	case SEARCH_COLOR:
		return set_search_color(p, diag, arg);
	case UNIT:
		return set_unit(p, diag, arg);
	case THRESHOLD:
		return set_threshold(p, diag, arg);
	case SOURCE_URL:
		return set_url(p, diag, arg);
	case SOURCE_PATH:
		if (source_path_add(&p->svg.places.paths, arg, &p->arena))
			return 0;
		return diag_fatal(diag, "--source-path %s: expected FROM=TO", arg);
	case BASE:
		return add_base(p, arg);
	case TOTAL:
		return set_total(p, diag, arg);
	case FACTOR:
		return set_number(diag, option, arg, 1e-12, 1e12, &p->svg.factor);
	default:
		return set_text(&p->svg, (enum option)option, arg);
	}
}

/* Allows palette.map in the working directory, in which --cp saves colours. */
static void allow(void *ctx, struct cmd *c, struct confine *to)
{
	const struct pflame *p = ctx;

	if (!p->keep_colors)
		return;
	(void)c;
	confine_path(to, PFLAME_COLORS_FILE, CONFINE_LOOK);
}

const struct cmd_tool pflame_options_tool = {
	.name = "pflame",
	.purpose = "draw folded stacks as an interactive SVG",
	.operands = "[[NAME=]FILE ...]",
	.example = "psym prof.tar.gz | pfold | pflame > flame.svg",
	.options = options,
	.usual = "o title subtitle width minwidth boxes colors hash reverse inverted "
	         "flamechart diff unit base "
	         "html member quiet help",
	.words = words,
	.set = set,
	.allow = allow,
};
