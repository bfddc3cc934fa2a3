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

/* The function that is really there, "main+0x6" or "[unknown]". */
void lines_symbol(struct script *sc, struct out *o, struct placed at, bool offset);

/* The module, "/usr/bin/app", and the address in it, "/usr/bin/app+0x1136". */
void lines_module(struct script *sc, struct out *o, struct placed at, bool offset);

/* The address in the module; its run-time address where that is no file. */
uint64_t lines_offset(const struct script *sc, struct placed at);

/*
 * Writes the symbol, module and source line of name i of frame r at addr, as they follow the
 * address.  bare: no module if none is known.
 */
void lines_name(struct script *sc, struct out *o, unsigned type, const struct resolved *r,
                size_t i, uint64_t addr, bool bare);

/* Line i of frame r at addr without its line end; flush: and without the tab in front. */
void lines_one(struct script *sc, struct out *o, unsigned type, const struct resolved *r,
               size_t i, uint64_t addr, bool flush);

/*
 * All lines of a frame.  They are formatted once for the frame, and from then on copied with the
 * numbers of the address at hand in them.
 */
void lines_frame(struct script *sc, struct out *o, unsigned type, struct placed at);

/* The same for n frames. */
void lines_frames(struct script *sc, struct out *o, unsigned type,
                  const struct placed *frames, size_t n);

#endif
