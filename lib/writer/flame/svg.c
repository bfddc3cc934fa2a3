#include "writer/flame/svg.h"

#include "writer/flame/facts.h"
#include "writer/flame/still.h"

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

/* Returns true for "--", which separates two stacks of a chain graph. */
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
		facts_write(p);
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
