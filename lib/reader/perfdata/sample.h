/* sample - decodes the SAMPLE records of perf.data. */
#ifndef READER_PERFDATA_SAMPLE_H
#define READER_PERFDATA_SAMPLE_H

#include "reader/perfdata/record.h"
#include "reader/skimming.h"

/*
 * Decodes the fields of a SAMPLE.  record_decode has set the fields that are common to all
 * records.  Returns false if lengths in the record are inconsistent.
 */
bool sample_decode(const struct record *r, const struct event_attr *a, struct cursor *c,
                   int pc, struct room *room, struct event *ev);

/*
 * Returns true if s->needs returns no address of a SAMPLE.  Returns false for a sample that is
 * damaged, or that has rare fields or waiting frames.
 */
bool sample_is_needless(const struct record *r, const struct event_attr *a, bool swap,
                        const struct skimming *s);

/*
 * Decodes a CALLCHAIN_DEFERRED record into room->cookie and room->later.  If it is damaged, sets
 * c->bad.
 */
void sample_read_deferred(struct cursor *c, struct room *room);

/* Appends the frames of room->later to the frames of a sample. */
void sample_append(const struct room *room, struct event *ev);

#endif
