/*
 * framelines - the lines that psym prints of a frame, for tests that know what they are.
 */
#ifndef TESTS_FRAMELINES_H
#define TESTS_FRAMELINES_H

#include "writer/script/lines.h"

static struct str frame_lines(struct arena *arena, struct profile *p, struct placed f)
{
	struct script *script = arena_new(arena, struct script, 1);
	struct out *out = arena_new(arena, struct out, 1);

	script->profile = p;
	columns_init(&script->columns);
	lines_frame(script, out, LINES_TEXT, f);
	script_end(script);
	return (struct str){ out->buf, out->n };
}

#endif
