/*
 * lines - writes the lines of a frame in the format of perf script, for samples of perf.data and
 * text.
 *
 * 		  401136 inner+0x2 (inlined)
 * 		  401136 main+0x6 (/usr/bin/app)
 */
#ifndef WRITER_SCRIPT_LINES_H
#define WRITER_SCRIPT_LINES_H

#include "writer/script/script.h"

enum { LINES_TEXT = 0 }; /* type of event whose columns are used if the input is text */

/*
 * Writes the function that contains the address: "main+0x6" or "[unknown]".  Omits functions that
 * are inlined at the address.
 */
void lines_symbol(struct script *sc, struct out *o, struct placed at, bool offset);

/*
 * Writes the module and, if `offset` is set, the address in the module: "/usr/bin/app" or
 * "/usr/bin/app+0x1136".
 */
void lines_module(struct script *sc, struct out *o, struct placed at, bool offset);

/*
 * Returns the address in the module, or the run-time address if the module is not a file.
 */
uint64_t lines_offset(const struct script *sc, struct placed at);

/*
 * Writes the part of a line after the address: symbol, module and source line.  The symbol is
 * name i of frame r at addr (a frame with inlined functions has several names).  If `bare` is
 * set, omits an unknown module.
 */
void lines_name(struct script *sc, struct out *o, unsigned type, const struct resolved *r,
                size_t i, uint64_t addr, bool bare);

/*
 * Writes line i of frame r at addr, without the line end.  If `flush` is set, omits the initial
 * tab.
 */
void lines_one(struct script *sc, struct out *o, unsigned type, const struct resolved *r,
               size_t i, uint64_t addr, bool flush);

/*
 * Writes all lines of a frame.  The first call for a frame formats the lines.  Later calls copy
 * the lines, and insert the numbers for the address of `at`.
 */
void lines_frame(struct script *sc, struct out *o, unsigned type, struct placed at);

/* Writes all lines of n frames. */
void lines_frames(struct script *sc, struct out *o, unsigned type,
                  const struct placed *frames, size_t n);

#endif
