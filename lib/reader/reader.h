/*
 * reader - bytes in, events out.
 *
 * The reader checks the first bytes and selects the format with the highest bid.  It then returns
 * one event for each call, whatever the format: perf.data, the text of perf script, folded
 * stacks.  Time order is the order of `perf script`.
 *
 * The pointers in an event are valid until the next reader_next().  Intern strings to keep them
 * longer.  Frames run from leaf to root, as in perf.
 */
#ifndef READER_READER_H
#define READER_READER_H

#include "base/arena.h"
#include "base/diag.h"
#include "reader/event.h"
#include "source/source.h"

struct reader;
struct capture;
struct out;
struct trace_names;

/* Sets of formats, of which a command accepts one or several. */
enum {
	READ_SAMPLES = 1,
	READ_FOLDED = 2,
	READ_ADDRESSES = 4, /* samples with addresses, which pmerge compares with maps */
};

/* The properties of a format.  Code outside reader/ asks for them, never for the format. */
struct traits {
	unsigned sets;    /* that the format is in */
	unsigned rank;    /* the lowest is preferred */
	bool has_ips;     /* samples hold run-time addresses, and mappings are recorded */
	bool has_records; /* perf.data: the kernel's records of threads, and a header */
	bool is_text;     /* of perf script */
	bool is_folded;
	bool states_weights; /* the input itself states the unit of its weights */
	bool is_runtime; /* written by a runtime, which used the names of its methods */
};

/* Returns the format of these first bytes, or NULL if it is unknown. */
const struct traits *reader_bid(struct str head);

/* True: the format can be read from a pipe: text, and perf.data in pipe mode. */
bool reader_streams(struct str head);

/*
 * Chooses the member of s that is the profile.  Its format is in these sets, and is used in this
 * order: perf.data, perf script text, folded stacks.  Among several of one format, the one with
 * the shortest path is chosen, then the one with the name perf.data.  name is --member, or NULL.
 * Returns -1 after a report if there is no profile, or more than one.
 */
int reader_choose(struct source *s, const char *name, unsigned sets, struct diag *diag,
                  size_t *out);

/*
 * run holds data that lives as long as the reader.  Returns NULL, after a report, if the format
 * is unknown.
 */
struct reader *reader_open(struct source *s, size_t member, struct arena *run,
                           struct diag *diag);

const struct traits *reader_traits(const struct reader *r);

/*
 * Returns 1 with the next event in *ev, 0 at the end, or -1 for damage, after a report.  It can
 * be used again after damage.
 */
int reader_next(struct reader *r, struct event *ev);

/* From now on events of perf.data are delivered in the order of the file. */
void reader_as_written(struct reader *r);

/*
 * From now on, a sample of text whose stack, byte for byte, was delivered before may come as
 * EV_TEXT.  With by_thread, only if the same thread had it.
 */
void reader_skip_repeated(struct reader *r, bool by_thread);

/* Events that are asked for. */
struct event_names {
	const struct str *name; /* "GCStart", or with the provider "Shop-Orders/Placed" */
	size_t n;
	bool all; /* every event */
};

/* Returns true if reader_want_events can select events. */
bool reader_has_events(const struct reader *r);

/*
 * From now on, the events of a nettrace that names lists are delivered as samples, beside those
 * of its sampler: by "Event", or by "Provider/Event", the name of their attr.  Their weight is 1,
 * and reader_trace_value has their fields.  *names must live as long as r.
 */
void reader_want_events(struct reader *r, const struct event_names *names);

/* Back to the first event.  Damage met again is not reported again. */
void reader_rewind(struct reader *r);

/*
 * From now on, the bytes of a pipe are kept, for later use of reader_rewind.  Files need no such
 * copy.  reader_held is the number of bytes kept (0 for a file).
 */
void reader_hold(struct reader *r);
uint64_t reader_held(const struct reader *r);

/* Bytes read so far and in total.  total is 0 if unknown. */
void reader_progress(const struct reader *r, uint64_t *done, uint64_t *total);

/* Returns the events of the profile (all events of perf.data, no events of text). */
size_t reader_attrs(const struct reader *r, const struct attr *const **out);

/* Returns the header of a perf.data, all zero for other formats. */
const struct capture *reader_capture(const struct reader *r);

/*
 * See reader/tracepoint/tracing.h.  *names must live as long as r.  Without it, addresses are
 * printed.
 */
void reader_trace_names(struct reader *r, const struct trace_names *names);

/*
 * Writes the text of a tracepoint's payload to out, as perf prints it.  Returns false if the
 * format is unknown.
 */
bool reader_trace_text(struct reader *r, const struct event *ev, struct out *out);

/* Reads the field with that name, "prev_pid".  Returns false if it is missing or empty. */
bool reader_trace_value(struct reader *r, const struct event *ev, struct str field,
                        struct trace_value *out);

/*
 * Returns the names of the numeric fields of ev's payload, with ", " between them, in a.  Empty
 * if it has no fields.
 */
struct str reader_trace_fields(struct reader *r, const struct event *ev, struct arena *a);

/* Accepts NULL. */
void reader_close(struct reader *r);

#endif
