/*
 * tracing - prints the payloads of tracepoints by their formats in a perf.data.  Private to
 * reader/.  Only this module uses libtraceevent.
 */
#ifndef READER_TRACEPOINT_TRACING_H
#define READER_TRACEPOINT_TRACING_H

#include "base/arena.h"
#include "base/out.h"

struct tracing;

/* A lookup of names of kernel code for the text of a tracepoint ("%pS"). */
struct trace_names {
	/*
	 * Returns the name of the function that contains ip.  Sets *begin to its start and
	 * *module to its module, which is empty for the kernel itself.  If the name is empty, the
	 * address is printed.
	 */
	struct str (*name)(void *ctx, uint64_t ip, uint64_t *begin, struct str *module);
	void *ctx;
};

/*
 * Opens the formats in `blob`, the contents of TRACING_DATA, which must stay valid.  Returns NULL
 * if they cannot be used.
 */
struct tracing *tracing_open(struct str blob, struct arena *arena);

/* Returns true if event id has a format and its fields can be read. */
bool tracing_reads(struct tracing *t, uint64_t id);

/*
 * Writes the payload of event id to out, as perf prints it.  If the expressions of the format
 * cannot be evaluated, writes the fields after "[FAILED TO PARSE]".  Returns false if the format
 * is unknown, or not safe for this payload.
 */
bool tracing_text(struct tracing *t, uint64_t id, int32_t cpu, struct str payload,
                  struct out *out);

/*
 * Reads the number in a field of a payload of event id.  Returns false if there is no such field.
 */
bool tracing_number(struct tracing *t, uint64_t id, struct str payload, struct str field,
                    int64_t *out);

/*
 * Returns the names of the numeric fields of event id, separated by ", ", in arena `a`.  Fields
 * that every event has are omitted.
 */
struct str tracing_fields(struct tracing *t, uint64_t id, struct arena *a);

/* Sets the lookup that names addresses.  *names must live as long as t. */
void tracing_names(struct tracing *t, const struct trace_names *names);

/* Returns "sched:sched_switch", or an empty string if the blob does not describe id. */
struct str tracing_name(const struct tracing *t, uint64_t id);

/* Accepts NULL. */
void tracing_close(struct tracing *t);

#endif
