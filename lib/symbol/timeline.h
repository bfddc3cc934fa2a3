/*
 * timeline - a perf.data of the same capture as a text, read along with it: it tells what
 * was mapped at the time of each of the text's samples; private to symbol/.
 */
#ifndef SYMBOL_TIMELINE_H
#define SYMBOL_TIMELINE_H

#include "process/process.h"

struct timeline {
	struct reader *reader; /* NULL: there is none */
	struct event ahead;    /* its next event */
	bool has_ahead;
};

/* Back to its first event. */
void timeline_rewind(struct timeline *t);

/* Applies to ps what happened up to the time of ev, a sample of the text. */
void timeline_advance(struct timeline *t, struct processes *ps, const struct event *ev);

#endif
