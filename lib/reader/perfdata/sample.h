/* sample - the contents of the SAMPLE records of perf.data. */
#ifndef READER_PERFDATA_SAMPLE_H
#define READER_PERFDATA_SAMPLE_H

#include "reader/perfdata/record.h"

/*
 * record_decode has set the fields of all records.  pc as there.  Returns false if the lengths
 * inside do not fit.
 */
bool sample_decode(const struct record *r, const struct event_attr *a, struct cursor *c,
                   int pc, struct room *room, struct event *ev);

/* CALLCHAIN_DEFERRED: sets room->cookie and room->later, or c->bad. */
void sample_read_deferred(struct cursor *c, struct room *room);

/* Appends the frames of room->later to the frames of a sample. */
void sample_append(const struct room *room, struct event *ev);

#endif
