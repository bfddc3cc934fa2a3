/*
 * traced - opens the tracepoint formats of a file (tracing.h) on first use.
 *
 * If libtraceevent crashes, the formats are not used again.  Later events then have neither text
 * nor fields.
 */
#ifndef READER_TRACEPOINT_TRACED_H
#define READER_TRACEPOINT_TRACED_H

#include "base/diag.h"
#include "reader/event.h"
#include "reader/tracepoint/tracing.h"

struct traced {
	struct str blob; /* argument of tracing_open */
	struct str file; /* for messages */
	struct arena *run;
	struct diag *diag;
	const struct trace_names *names; /* may be NULL */
	/* private */
	struct tracing *t;
	bool lost;
};

/* Returns the formats, or NULL if they are unusable. */
struct tracing *traced_open(struct traced *f);

/* Sets the callback that returns names of kernel functions. */
void traced_set_names(struct traced *f, const struct trace_names *names);

/* Call the functions of tracing.h for an event's payload. */
bool traced_reads(struct traced *f, const struct event *ev);
bool traced_text(struct traced *f, const struct event *ev, struct out *out);
bool traced_number(struct traced *f, const struct event *ev, struct str field,
                   int64_t *out);

#endif
