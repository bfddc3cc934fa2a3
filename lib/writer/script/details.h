/*
 * details - writes the fields of a sample that few events record: addresses of data, weights,
 * registers, branches.
 */
#ifndef WRITER_SCRIPT_DETAILS_H
#define WRITER_SCRIPT_DETAILS_H

#include "writer/script/script.h"

/* Writes letters for the CPU mode and other misc bits of the record: "KU    ". */
void details_misc(struct out *o, const struct event *ev);

/* Write the fields that follow the event's name, and the fields that follow the frames. */
void details_before(struct script *sc, struct out *o, const struct sample *s,
                    unsigned type);
void details_behind(struct script *sc, struct out *o, const struct sample *s,
                    unsigned type);

#endif
