/*
 * describe - what a perf.data says of itself, as perf prints it; private to reader/.
 *
 * Each writes the lines of one feature section.  What a section that is cut short does
 * not say is left out.
 */
#ifndef READER_DESCRIBE_H
#define READER_DESCRIBE_H

#include "base/out.h"
#include "reader/perfdata/feature.h"

/* The whole block of `perf script --header`; full: with -I. */
void describe_header(const struct header *h, bool full, struct out *o);

/* topology.c: how the recording machine is built. */
void describe_cpus(const struct header *h, struct cursor *c, struct out *o);
void describe_numa(struct cursor *c, struct out *o);
void describe_caches(struct cursor *c, struct out *o);
void describe_memory(struct cursor *c, struct out *o);
void describe_hybrid(struct cursor *c, struct out *o);

/* eventdesc.c: one line an event, all its attributes. */
void describe_events(const struct header *h, struct cursor *c, struct out *o);

#endif
