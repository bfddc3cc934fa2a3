/*
 * timeline - a perf.data of the same capture as a text, read in parallel.  It has the mappings
 * at the time of each sample of the text.  Private to symbol/.
 */
#ifndef SYMBOL_TIMELINE_H
#define SYMBOL_TIMELINE_H

#include "process/process.h"

struct timeline {
	struct reader *reader; /* or NULL */
	struct event ahead;    /* the next event of reader */
	bool has_ahead;
};

/* Goes back to the first event. */
void timeline_rewind(struct timeline *t);

/* Applies the events up to the time of ev, a sample of the text, to ps. */
void timeline_advance(struct timeline *t, struct processes *ps, const struct event *ev);

#endif
