/*
 * details - the fields of a sample that few events record: addresses of data, weights,
 * registers, branches.
 */
#ifndef WRITER_SCRIPT_DETAILS_H
#define WRITER_SCRIPT_DETAILS_H

#include "writer/script/script.h"

/* "KU    ": whose code it was, and bits of the record. */
void details_misc(struct out *o, const struct event *ev);

/* "main+0x6", "[unknown]". */
void details_symbol(const struct profile *p, struct out *o, const struct named *n,
                    bool offset);

/* "/usr/bin/app", with its offset "/usr/bin/app+0x1136". */
void details_module(const struct profile *p, struct out *o, const struct named *n,
                    bool offset);

/*
 * Write the fields between the event's name and the frames, and those behind the frames.
 */
void details_before(struct script *sc, struct out *o, const struct sample *s,
                    unsigned type);
void details_behind(struct script *sc, struct out *o, const struct sample *s,
                    unsigned type);

#endif
