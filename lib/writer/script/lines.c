#include "writer/script/lines.h"

#include "writer/script/details.h"

void lines_name(const struct script *sc, struct out *o, unsigned type,
                const struct named *n, bool bare)
{
	const struct columns *c = &sc->columns;
	const struct profile *p = sc->profile;
	bool inlined = n->flags & NAMED_INLINED;

	if (columns_show(c, type, COL_SYM)) {
		out_char(o, ' ');
		details_symbol(p, o, n, columns_show(c, type, COL_SYMOFF));
	}
	if (columns_show(c, type, COL_DSO) && !inlined && (n->module || !bare)) {
		out_str(o, STR(" ("));
		details_module(p, o, n, columns_show(c, type, COL_DSOFF));
		out_char(o, ')');
	}
	if (columns_show(c, type, COL_SRCLINE) && n->srcline) {
		out_str(o, STR("\n  "));
		out_name(o, profile_str(p, n->srcline));
	}
	if (inlined)
		out_str(o, STR(" (inlined)"));
}

void lines_one(const struct script *sc, struct out *o, unsigned type,
               const struct resolved *r, size_t i, bool flush)
{
	struct str prefix = r->prefix;

	if (prefix.n) {
		prefix = str_from(prefix, flush && prefix.p[0] == '\t');
		/* Its last byte is the blank that lines_name begins with. */
		out_str(o, str_head(prefix, prefix.n - 1));
	} else {
		if (!flush)
			out_char(o, '\t');
		out_hex(o, r->names[i].addr, 16);
	}
	lines_name(sc, o, type, &r->names[i], r->bare);
}

enum { LINE_EXTRA = 128 }; /* address, offset and punctuation */

/* All of the frame's lines fit in what is left of the buffer. */
static bool fits(const struct script *sc, const struct out *o, const struct resolved *r)
{
	size_t need = 0;

	for (size_t i = 0; i < r->n; i++)
		need += profile_str(sc->profile, r->names[i].func).n +
		        profile_str(sc->profile, r->names[i].module).n +
		        profile_str(sc->profile, r->names[i].srcline).n + r->prefix.n +
		        LINE_EXTRA;
	return need <= sizeof(o->buf) - o->n;
}

void lines_frame(struct script *sc, struct out *o, unsigned type, frame_id id)
{
	struct script_lines *known = &sc->lines[type];
	const struct resolved *r;
	size_t before = o->n;
	bool keep;

	if (id < known->cap && known->line[id].n) {
		out_str(o, known->line[id]);
		return;
	}
	r = profile_frame(sc->profile, id);
	keep = fits(sc, o, r);
	for (size_t i = 0; i < r->n; i++) {
		lines_one(sc, o, type, r, i, false);
		out_char(o, '\n');
	}
	if (!keep)
		return;
	known->line = arena_grow(&sc->arena, known->line, &known->cap, id + 1u,
	                         sizeof(*known->line));
	known->line[id] =
	        arena_str(&sc->arena, (struct str){ o->buf + before, o->n - before });
}
