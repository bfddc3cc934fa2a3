/*
 * tracing - formats the payloads of tracepoints by the formats that a perf.data contains;
 * private to reader/.  The one user of libtraceevent.
 */
#ifndef READER_TRACEPOINT_TRACING_H
#define READER_TRACEPOINT_TRACING_H

#include "base/arena.h"
#include "base/out.h"

struct tracing;

/* Names kernel code where the text of a tracepoint shows it ("%pS"). */
struct trace_names {
	/*
	 * The function that holds ip: its name, where it begins, its module (empty:
	 * the kernel itself).  An empty name: not known, the address is shown.
	 */
	struct str (*name)(void *ctx, uint64_t ip, uint64_t *begin, struct str *module);
	void *ctx;
};

/* blob is TRACING_DATA and stays.  NULL: nothing in it can be used. */
struct tracing *tracing_open(struct str blob, struct arena *arena);

/* Returns true if there is a format of event id and its fields can be read. */
bool tracing_reads(struct tracing *t, uint64_t id);

/*
 * Writes a payload of event id as perf prints it; for a format whose expressions cannot
 * be evaluated the fields, behind "[FAILED TO PARSE]".  False: the format is unknown, or
 * not safe with these bytes.
 */
bool tracing_text(struct tracing *t, uint64_t id, int32_t cpu, struct str payload,
                  struct out *out);

/* The number in a field of a payload of event id; false: it has none of that name. */
bool tracing_number(struct tracing *t, uint64_t id, struct str payload, struct str field,
                    int64_t *out);

/*
 * The names of the fields of event id that are numbers, ", " between them, in a; fields that
 * every event has are left out.
 */
struct str tracing_fields(struct tracing *t, uint64_t id, struct arena *a);

/* Sets the lookup that names addresses; *names stays as long as t. */
void tracing_names(struct tracing *t, const struct trace_names *names);

/* "sched:sched_switch"; empty when the blob does not describe id. */
struct str tracing_name(const struct tracing *t, uint64_t id);

/* Accepts NULL. */
void tracing_close(struct tracing *t);

#endif
