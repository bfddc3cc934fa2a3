/*
 * lines - the lines of a frame, as perf script prints them; of perf.data and of text alike.
 *
 *	          401136 inner+0x2 (inlined)
 *	          401136 main+0x6 (/usr/bin/app)
 */
#ifndef WRITER_SCRIPT_LINES_H
#define WRITER_SCRIPT_LINES_H

#include "writer/script/script.h"

enum { LINES_TEXT = 0 }; /* the type of event whose columns are those of a text */

/* Writes symbol, module and source line, behind the address.  bare: no module if none is known. */
void lines_name(const struct script *sc, struct out *o, unsigned type,
                const struct named *n, bool bare);

/* Line i of frame r without its line end; flush: and without the tab in front. */
void lines_one(const struct script *sc, struct out *o, unsigned type,
               const struct resolved *r, size_t i, bool flush);

/* All lines of a frame.  They are formatted once, and copied from then on. */
void lines_frame(struct script *sc, struct out *o, unsigned type, frame_id id);

#endif
