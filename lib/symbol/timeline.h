/*
 * timeline - reads a perf.data of the same capture in parallel with a text.  The perf.data provides
 * the mappings at the time of each sample of the text.  Private to symbol/.
 */
#ifndef SYMBOL_TIMELINE_H
#define SYMBOL_TIMELINE_H

#include "process/process.h"

struct timeline {
	struct reader *reader; /* a perf.data of the same capture as the text, or NULL */
	struct event ahead;    /* the next event, not yet applied */
	bool has_ahead;
};

/* Goes back to the first event. */
void timeline_rewind(struct timeline *t);

/* Applies the events of the perf.data to ps, up to the time of ev, a sample of the text. */
void timeline_advance(struct timeline *t, struct processes *ps, const struct event *ev);

#endif
