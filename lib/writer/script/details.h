/*
 * details - the fields of a sample that few events record: addresses of data, weights,
 * registers, branches.
 */
#ifndef WRITER_SCRIPT_DETAILS_H
#define WRITER_SCRIPT_DETAILS_H

#include "writer/script/script.h"

/* Prints "KU    ": the mode of the CPU, and bits of the record. */
void details_misc(struct out *o, const struct event *ev);

/*
 * Write the fields between the event's name and the frames, and the fields after the frames.
 */
void details_before(struct script *sc, struct out *o, const struct sample *s,
                    unsigned type);
void details_behind(struct script *sc, struct out *o, const struct sample *s,
                    unsigned type);

#endif
