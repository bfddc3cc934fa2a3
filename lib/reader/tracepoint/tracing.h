/*
 * tracing - formats the payloads of tracepoints by the formats in a perf.data.  Private to
 * reader/.  The only user of libtraceevent.
 */
#ifndef READER_TRACEPOINT_TRACING_H
#define READER_TRACEPOINT_TRACING_H

#include "base/arena.h"
#include "base/out.h"

struct tracing;

/* Names kernel code in the text of a tracepoint ("%pS"). */
struct trace_names {
	/*
	 * Returns the name of the function that contains ip, and sets its start and its
	 * module (empty: the kernel itself).  If the name is empty, the address is
	 * printed.
	 */
	struct str (*name)(void *ctx, uint64_t ip, uint64_t *begin, struct str *module);
	void *ctx;
};

/* blob is TRACING_DATA, which must stay.  Returns NULL if it is not usable. */
struct tracing *tracing_open(struct str blob, struct arena *arena);

/* Returns true if there is a format of event id and its fields can be read. */
bool tracing_reads(struct tracing *t, uint64_t id);

/*
 * Writes a payload of event id as perf prints it.  If the expressions of a format cannot be
 * evaluated, writes the fields after "[FAILED TO PARSE]".  Returns false if the format is
 * unknown, or not safe with these bytes.
 */
bool tracing_text(struct tracing *t, uint64_t id, int32_t cpu, struct str payload,
                  struct out *out);

/*
 * Reads the number in a field of a payload of event id.  Returns false if there is no such field.
 */
bool tracing_number(struct tracing *t, uint64_t id, struct str payload, struct str field,
                    int64_t *out);

/*
 * Returns the names of the numeric fields of event id, with ", " between them, in a, without the
 * fields that every event has.
 */
struct str tracing_fields(struct tracing *t, uint64_t id, struct arena *a);

/* Sets the lookup that names addresses.  *names must live as long as t. */
void tracing_names(struct tracing *t, const struct trace_names *names);

/* Returns "sched:sched_switch", or an empty string if the blob does not describe id. */
struct str tracing_name(const struct tracing *t, uint64_t id);

/* Accepts NULL. */
void tracing_close(struct tracing *t);

#endif
