/*
 * reader - reads a profile of any format as a sequence of events.
 *
 * Each format rates the first bytes, and the format with the highest rating opens the profile.
 * Events of perf.data are in the order of `perf script`.
 * See reader/event.h for how long the pointers in an event are valid.
 */
#ifndef READER_READER_H
#define READER_READER_H

#include "reader/event.h"
#include "reader/location.h"
#include "reader/skimming.h"
#include "source/source.h"

struct reader;
struct capture;
struct out;
struct trace_names;

/* Sets of formats.  A command accepts one set or several. */
enum {
	READ_SAMPLES = 1,
	READ_FOLDED = 2,
	READ_ADDRESSES = 4, /* samples with addresses, which pmerge compares with maps */
};

/* The properties of a format.  Code outside reader/ tests only these, not names of formats. */
struct traits {
	unsigned sets; /* the READ_* sets that contain the format */
	unsigned rank; /* the fitting member with the smallest rank is chosen */
	bool has_ips;  /* samples contain addresses, and mappings are recorded */
	/* the format is perf.data, with a header and the kernel's records of threads */
	bool has_records;
	bool has_locations; /* frames refer to a table of locations (reader/location.h) */
	bool is_text;       /* text of perf script */
	bool is_folded;
	bool states_weights; /* the input states the unit of its weights */
	/* a runtime wrote the input, which contains the names of the runtime's methods */
	bool is_runtime;
	struct str again; /* psym --to format that keeps the input's bytes, or empty */
};

/* Returns the traits of the format that begins with `head`, or NULL if it is unknown. */
const struct traits *reader_bid(struct str head);

/* Returns true if the format can be read from a pipe: text, or perf.data in pipe mode. */
bool reader_streams(struct str head);

/*
 * Chooses the profile among the members of s, and sets *out to its index.  Considers only formats
 * in `sets`.  Priorities: perf.data, then perf script text, then folded stacks.  Within a format:
 * the smallest depth, then the name perf.data.  `name` is the argument of --member, or NULL.  If
 * there is no profile, or if several remain, reports this and returns -1.
 */
int reader_choose(struct source *s, const char *name, unsigned sets, struct diag *diag,
                  size_t *out);

/* Opens a reader for a member.  Returns NULL after it has reported an error. */
struct reader *reader_open(struct source *s, size_t member, struct arena *run,
                           struct diag *diag);

const struct traits *reader_traits(const struct reader *r);

/* Returns 1 with an event, 0 at the end, or -1 after reported damage.  After -1, call again. */
int reader_next(struct reader *r, struct event *ev);

/* From now on, delivers events of perf.data in file order. */
void reader_as_written(struct reader *r);

/*
 * From now on, a sample of text may be delivered as EV_TEXT if its stack was delivered before.
 * by_thread: only if the stack was delivered for the same thread.
 */
void reader_skip_repeated(struct reader *r, bool by_thread);

/* Moves to the first event in the n bytes from `at` on.  Returns its position, or UINT64_MAX. */
uint64_t reader_seek(struct reader *r, uint64_t at, uint64_t n);

/* Names of events for reader_want_events. */
struct event_names {
	const struct str *name; /* "GCStart", or "Shop-Orders/Placed" with a provider */
	size_t n;
	bool all; /* all events */
};

/* Returns true if reader_want_events can select events. */
bool reader_has_events(const struct reader *r);

/*
 * From now on, events of a nettrace are also delivered as samples, if `names` selects the events
 * ("Event" or "Provider/Event").  Such a sample has the weight 1, and its attr has the name
 * "Provider/Event".  reader_trace_value reads the fields.  *names must live as long as r.
 */
void reader_want_events(struct reader *r, const struct event_names *names);

/*
 * From now on, reader_next may omit a sample if s->needs returns none of its addresses.  Of the
 * others, it may omit a sample if another sample of its process has an equal stack, except the
 * first and the last sample in time.  NULL: no sample is omitted.
 */
void reader_skim(struct reader *r, const struct skimming *s);
/* From now on, joins samples that differ only in weight or, if `undated` is set, in time. */
void reader_join(struct reader *r, bool undated);

/* Moves back to the first event.  Damage is not reported a second time. */
void reader_rewind(struct reader *r);

/* From now on, keeps the bytes of a pipe for reader_rewind.  reader_held returns their number. */
void reader_hold(struct reader *r);
uint64_t reader_held(const struct reader *r);

/* Sets *done to the number of bytes read so far, and *total to the number of all bytes, or 0. */
void reader_progress(const struct reader *r, uint64_t *done, uint64_t *total);

/* Sets *out to the attrs of all events, and returns their number.  A text has no attrs. */
size_t reader_attrs(const struct reader *r, const struct attr *const **out);

/* Returns the header of a perf.data.  All fields are zero for other formats. */
const struct capture *reader_capture(const struct reader *r);

/* Sets the functions that name addresses in tracepoints.  *names must live as long as r. */
void reader_trace_names(struct reader *r, const struct trace_names *names);

/* Writes the payload of a tracepoint as perf does.  Returns false if the format is unknown. */
bool reader_trace_text(struct reader *r, const struct event *ev, struct out *out);

/* Reads a field of ev's payload, such as "prev_pid".  Returns false if it is missing or empty. */
bool reader_trace_value(struct reader *r, const struct event *ev, struct str field,
                        struct trace_value *out);

/* Returns the names of numeric fields in ev's payload, joined by ", ", in arena `a`. */
struct str reader_trace_fields(struct reader *r, const struct event *ev, struct arena *a);

/*
 * Return the number of locations, and location `number`, starting at 1.  The location is valid
 * until the next call.
 */
size_t reader_locations(const struct reader *r);
struct location reader_location(struct reader *r, uint32_t number);
/* Sets ev->frames if ev->stack is not 0.  The frames are valid until the next event or call. */
void reader_frames(struct reader *r, struct event *ev);
struct str reader_written(const struct reader *r); /* the input, if traits.again is set */

void reader_close(struct reader *r); /* r may be NULL */

#endif
