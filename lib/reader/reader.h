/*
 * reader - reads a profile of any format as a sequence of events.
 *
 * The format with the highest bid on the first bytes opens the profile.  Events of perf.data are
 * in the order of `perf script`.
 * See reader/event.h for how long the pointers in an event are valid.
 */
#ifndef READER_READER_H
#define READER_READER_H

#include "base/arena.h"
#include "base/diag.h"
#include "reader/event.h"
#include "reader/location.h"
#include "source/source.h"

struct reader;
struct capture;
struct out;
struct trace_names;

/* Sets of formats.  A command accepts one or several. */
enum {
	READ_SAMPLES = 1,
	READ_FOLDED = 2,
	READ_ADDRESSES = 4, /* samples with addresses, which pmerge compares with maps */
};

/* The properties of a format.  Code outside reader/ uses these and never names a format. */
struct traits {
	unsigned sets;      /* READ_* sets that contain the format */
	unsigned rank;      /* the format with the lowest rank is preferred */
	bool has_ips;       /* samples hold addresses, and mappings are recorded */
	bool has_records;   /* perf.data: the kernel's records of threads, and a header */
	bool has_locations; /* frames refer to a table: reader/location.h */
	bool is_text;       /* text of perf script */
	bool is_folded;
	bool states_weights; /* the input itself states the unit of its weights */
	bool is_runtime;  /* written by a runtime, which used the names of its methods */
	struct str again; /* argument of psym --to that keeps all bytes, or empty */
};

/* Returns the traits of the format that begins with `head`, or NULL if it is unknown. */
const struct traits *reader_bid(struct str head);

/* Returns true if the format can be read from a pipe, as text and perf.data in pipe mode can. */
bool reader_streams(struct str head);

/*
 * Chooses the profile among the members of s and sets *out to its index.  Only formats in `sets`
 * are considered.  perf.data is preferred to perf script text, and this to folded stacks.  Among
 * members of one format, the smallest depth is preferred, then the name perf.data.  `name` is the
 * argument of --member, or NULL.  Returns -1 after a report if there is no profile, or if several
 * remain.
 */
int reader_choose(struct source *s, const char *name, unsigned sets, struct diag *diag,
                  size_t *out);

/*
 * Opens a reader of a member.  Its data lives in `run`.  Returns NULL after a report if the
 * format is unknown or the member is unreadable.
 */
struct reader *reader_open(struct source *s, size_t member, struct arena *run,
                           struct diag *diag);

const struct traits *reader_traits(const struct reader *r);

/* Returns 1 with the next event, 0 at the end, or -1 after a report of damage: go on. */
int reader_next(struct reader *r, struct event *ev);

/* From now on, events of perf.data are delivered in the order of the file. */
void reader_as_written(struct reader *r);

/*
 * From now on, a sample of text may come as EV_TEXT if the bytes of its stack were delivered
 * before.  If by_thread is set, they must have been delivered for the same thread.
 */
void reader_skip_repeated(struct reader *r, bool by_thread);

/*
 * If pass_over is set, samples from now on have only pid and tid.  reader_divides returns true if
 * that leaves later events unchanged.  Call it after all events were read once.
 */
bool reader_divides(const struct reader *r);
void reader_pass_over(struct reader *r, bool pass_over);

/* Moves to the start of an event in the n bytes from `at` on.  Returns it, or UINT64_MAX. */
uint64_t reader_seek(struct reader *r, uint64_t at, uint64_t n);

/* The events that reader_want_events selects. */
struct event_names {
	const struct str *name; /* "GCStart", or with the provider "Shop-Orders/Placed" */
	size_t n;
	bool all; /* every event */
};

/* Returns true if reader_want_events can select events. */
bool reader_has_events(const struct reader *r);

/*
 * From now on, the events of a nettrace in `names`, "Event" or "Provider/Event", are delivered as
 * samples, too.  Their attr has the name "Provider/Event", and their weight is 1.
 * reader_trace_value reads their fields.  *names must live as long as r.
 */
void reader_want_events(struct reader *r, const struct event_names *names);

/* Moves back to the first event.  Damage is not reported a second time. */
void reader_rewind(struct reader *r);

/* From now on, bytes of a pipe are kept for reader_rewind.  reader_held: number of bytes kept. */
void reader_hold(struct reader *r);
uint64_t reader_held(const struct reader *r);

/* Sets *done to the bytes read so far, and *total to all bytes, or 0 if unknown. */
void reader_progress(const struct reader *r, uint64_t *done, uint64_t *total);

/* Returns the number of attrs and their list: all events of a perf.data, no events of a text. */
size_t reader_attrs(const struct reader *r, const struct attr *const **out);

/* Returns the header of a perf.data, all zero for other formats. */
const struct capture *reader_capture(const struct reader *r);

/*
 * Sets the names that are printed instead of addresses in tracepoints, see
 * reader/tracepoint/tracing.h.  *names must live as long as r.
 */
void reader_trace_names(struct reader *r, const struct trace_names *names);

/*
 * Writes the text of a tracepoint's payload to out, as perf prints it.  Returns false if the
 * format is unknown.
 */
bool reader_trace_text(struct reader *r, const struct event *ev, struct out *out);

/* Reads a field of ev's payload: "prev_pid".  Returns false if it is missing or empty. */
bool reader_trace_value(struct reader *r, const struct event *ev, struct str field,
                        struct trace_value *out);

/* Returns the names of the numeric fields of ev's payload, joined by ", ", in arena `a`. */
struct str reader_trace_fields(struct reader *r, const struct event *ev, struct arena *a);

/* Return the number of locations, and location `number`, from 1, until the next call. */
size_t reader_locations(const struct reader *r);
struct location reader_location(struct reader *r, uint32_t number);
struct str reader_written(const struct reader *r); /* the bytes, if traits.again */

/* Accepts NULL. */
void reader_close(struct reader *r);

#endif
