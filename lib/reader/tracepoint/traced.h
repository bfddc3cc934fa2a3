/*
 * traced - the tracepoint formats of a file (tracing.h), which are opened at their first use.
 *
 * If libtraceevent crashes, the formats are no longer used.  From then on, events have neither
 * text nor fields.
 */
#ifndef READER_TRACEPOINT_TRACED_H
#define READER_TRACEPOINT_TRACED_H

#include "base/diag.h"
#include "reader/event.h"
#include "reader/tracepoint/tracing.h"

struct traced {
	struct str blob; /* the argument of tracing_open */
	struct str file; /* for messages */
	struct arena *run;
	struct diag *diag;
	const struct trace_names *names; /* may be NULL */
	/* private */
	struct tracing *t;
	bool lost;
};

/* Returns the formats, or NULL if they cannot be used. */
struct tracing *traced_open(struct traced *f);

/* Sets the names of kernel code.  They replace earlier names. */
void traced_set_names(struct traced *f, const struct trace_names *names);

/* These call the functions of tracing.h for the payload of an event. */
bool traced_reads(struct traced *f, const struct event *ev);
bool traced_text(struct traced *f, const struct event *ev, struct out *out);
bool traced_number(struct traced *f, const struct event *ev, struct str field,
                   int64_t *out);

#endif
