/* picture - the state that svg.c, still.c and facts.c share while they write an SVG file. */
#ifndef WRITER_FLAME_PICTURE_H
#define WRITER_FLAME_PICTURE_H

#include "writer/caption.h"
#include "writer/flame/svg.h"
#include "writer/flame/xml.h"

struct picture {
	struct out *out;
	const struct flame *f;
	const struct svg_opts *opts;
	struct arena scratch;
	struct tables tables;
	bool groups[PALETTE_GROUPS]; /* groups that occur */
	char *label;                 /* buffer for one label */
	size_t label_cap;
};

static inline void put(struct picture *p, const char *z)
{
	out_str(p->out, str_of(z));
}

/* Writes arbitrary bytes as displayable text. */
static inline void put_any(struct picture *p, struct str s)
{
	xml_text(p->out, caption_clean(&p->scratch, s));
}

#endif
