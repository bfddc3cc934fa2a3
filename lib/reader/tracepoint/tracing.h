/*
 * tracing - prints payloads of tracepoints.  Uses the formats in a perf.data.  Private to
 * reader/.  Only this module uses libtraceevent.
 */
#ifndef READER_TRACEPOINT_TRACING_H
#define READER_TRACEPOINT_TRACING_H

#include "base/arena.h"
#include "base/out.h"

struct tracing;

/* A callback that names kernel code in the text of a tracepoint ("%pS"). */
struct trace_names {
	/*
	 * Returns the name of the function that contains ip.  Sets *begin to the
	 * function's start and *module to its module, which is empty for the kernel
	 * itself.  If the result is empty, the address is printed.
	 */
	struct str (*name)(void *ctx, uint64_t ip, uint64_t *begin, struct str *module);
	void *ctx;
};

/*
 * Opens the formats in `blob`, the content of TRACING_DATA, which must stay valid.  Returns NULL
 * if they are unusable.
 */
struct tracing *tracing_open(struct str blob, struct arena *arena);

/* Returns true if event `id` has a format, and if the format's fields are readable. */
bool tracing_reads(struct tracing *t, uint64_t id);

/*
 * Writes the payload of event id as perf prints it.  If the format contains expressions that
 * cannot be evaluated, writes the fields after "[FAILED TO PARSE]".  Returns false if the format
 * is unknown, or if it is unsafe for this payload.
 */
bool tracing_text(struct tracing *t, uint64_t id, int32_t cpu, struct str payload,
                  struct out *out);

/* Reads a numeric field of a payload of event id.  Returns false if there is no such field. */
bool tracing_number(struct tracing *t, uint64_t id, struct str payload, struct str field,
                    int64_t *out);

/*
 * Returns the names of the numeric fields of event `id`, separated by ", ", in arena `a`.  Omits
 * the fields that all events have.
 */
struct str tracing_fields(struct tracing *t, uint64_t id, struct arena *a);

/* Sets the lookup that names addresses.  *names must live as long as t. */
void tracing_names(struct tracing *t, const struct trace_names *names);

/*
 * Returns a name such as "sched:sched_switch", or an empty string if the blob does not describe
 * id.
 */
struct str tracing_name(const struct tracing *t, uint64_t id);

/* t may be NULL. */
void tracing_close(struct tracing *t);

#endif
