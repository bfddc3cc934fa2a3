/*
 * traced - the tracepoint formats of a file (tracing.h), opened when they are first asked for.
 *
 * If libtraceevent crashes, the formats are given up: no event has text or fields from then on.
 */
#ifndef READER_TRACEPOINT_TRACED_H
#define READER_TRACEPOINT_TRACED_H

#include "base/diag.h"
#include "reader/event.h"
#include "reader/tracepoint/tracing.h"

struct traced {
	struct str blob; /* as tracing_open takes it */
	struct str file; /* for messages */
	struct arena *run;
	struct diag *diag;
	const struct trace_names *names; /* may be NULL */
	/* private */
	struct tracing *t;
	bool lost;
};

/* Returns NULL if they cannot be used. */
struct tracing *traced_open(struct traced *f);

/* Replaces the earlier names. */
void traced_set_names(struct traced *f, const struct trace_names *names);

/* As the functions of tracing.h, about the payload of an event. */
bool traced_reads(struct traced *f, const struct event *ev);
bool traced_text(struct traced *f, const struct event *ev, struct out *out);
bool traced_number(struct traced *f, const struct event *ev, struct str field,
                   int64_t *out);

#endif
