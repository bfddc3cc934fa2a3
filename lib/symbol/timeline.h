/*
 * timeline - a perf.data of the same capture as a text, read in parallel.  It gives the mappings
 * at the time of each of the text's samples.  Private to symbol/.
 */
#ifndef SYMBOL_TIMELINE_H
#define SYMBOL_TIMELINE_H

#include "process/process.h"

struct timeline {
	struct reader *reader; /* or NULL */
	struct event ahead;    /* its next event */
	bool has_ahead;
};

/* Back to its first event. */
void timeline_rewind(struct timeline *t);

/* Applies the events up to the time of ev, a sample of the text, to ps. */
void timeline_advance(struct timeline *t, struct processes *ps, const struct event *ev);

#endif
