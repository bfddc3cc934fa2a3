#include "reader/beside.h"

#include "reader/ctf/ctf.h"
#include "reader/format.h"

/* One of the two readers, with its next event. */
struct side {
	struct reader *reader;
	struct event event;
	bool held, ended;
};

struct beside {
	struct reader base;
	/* name and traits of the profile's format, with the functions of this file */
	struct format format;
	struct side profile, events;
};

static struct beside *of(struct reader *r)
{
	return (struct beside *)r;
}

static const struct reader *profile_of(const struct reader *r)
{
	return ((const struct beside *)r)->profile.reader;
}

/* Returns the reader that delivered ev. */
static struct reader *maker(struct reader *r, const struct event *ev)
{
	struct beside *b = of(r);

	return ev->attr && ev->attr->runtime ? b->events.reader : b->profile.reader;
}

/*
 * Fetches the next event of s, unless s already holds an event.  If the input is damaged, reports
 * this and returns -1.
 */
static int fetch(struct side *s)
{
	int got;

	while (!s->held && !s->ended) {
		got = reader_next(s->reader, &s->event);
		if (got < 0)
			return -1;
		s->ended = !got;
		s->held = got;
	}
	return 0;
}

/* Fetches the next event of the runtime.  Skips EV_CODE, because the profile names the code. */
static int fetch_event(struct side *s)
{
	int got;

	while ((got = fetch(s)) == 0 && s->held && s->event.kind == EV_CODE)
		s->held = false;
	return got;
}

static int next(struct reader *r, struct event *ev)
{
	struct beside *b = of(r);
	struct side *first = &b->profile;

	b->profile.reader->as_written = b->base.as_written;
	if (fetch(&b->profile) < 0 || fetch_event(&b->events) < 0)
		return -1;
	if (!b->profile.held && !b->events.held)
		return 0;
	if (!b->profile.held || (b->events.held && b->profile.event.has_time &&
	                         b->events.event.time_ns < b->profile.event.time_ns))
		first = &b->events;
	*ev = first->event;
	first->held = false;
	return 1;
}

static void rewind_side(struct side *s)
{
	reader_rewind(s->reader);
	s->held = s->ended = false;
}

static void rewind_both(struct reader *r)
{
	rewind_side(&of(r)->profile);
	rewind_side(&of(r)->events);
}

static void want_events(struct reader *r, const struct event_names *names)
{
	reader_want_events(of(r)->profile.reader, names);
	reader_want_events(of(r)->events.reader, names);
}

static void progress(const struct reader *r, uint64_t *done, uint64_t *total)
{
	reader_progress(profile_of(r), done, total);
}

static size_t attrs(const struct reader *r, const struct attr *const **out)
{
	return reader_attrs(profile_of(r), out);
}

static const struct capture *capture(const struct reader *r)
{
	return reader_capture(profile_of(r));
}

static void trace_names(struct reader *r, const struct trace_names *names)
{
	reader_trace_names(of(r)->profile.reader, names);
}

static bool trace_text(struct reader *r, const struct event *ev, struct out *out)
{
	return reader_trace_text(maker(r, ev), ev, out);
}

static bool trace_value(struct reader *r, const struct event *ev, struct str field,
                        struct trace_value *out)
{
	return reader_trace_value(maker(r, ev), ev, field, out);
}

static struct str trace_fields(struct reader *r, const struct event *ev, struct arena *a)
{
	return reader_trace_fields(maker(r, ev), ev, a);
}

static void close_both(struct reader *r)
{
	reader_close(of(r)->profile.reader);
	reader_close(of(r)->events.reader);
}

/*
 * LTTng uses CLOCK_MONOTONIC.  If the profile uses another clock, reports that times cannot be
 * compared.
 */
static void compare_clocks(const struct reader *profile, struct str name,
                           struct diag *diag)
{
	const struct attr *const *list;

	if (reader_attrs(profile, &list) && !list[0]->monotonic)
		diag_note(diag,
		          PRSTR
		          ": its times and the samples' use different clocks (record "
		          "with perf record -k mono), so they cannot be compared",
		          STRARG(name));
}

struct reader *beside_open(struct source *s, struct reader *profile, struct arena *run,
                           struct diag *diag)
{
	size_t trace = reader_traits(profile)->has_records ? ctf_find(s) : SIZE_MAX;
	struct reader *events;
	struct beside *b;

	if (trace == SIZE_MAX)
		return profile;
	events = ctf_format.open(s, trace, run, diag);
	if (!events)
		return profile;
	compare_clocks(profile, s->members[trace].name, diag);
	b = arena_new(run, struct beside, 1);
	b->format = (struct format){ .name = profile->format->name,
		                     .traits = profile->format->traits,
		                     .next = next,
		                     .rewind = rewind_both,
		                     .want_events = want_events,
		                     .progress = progress,
		                     .attrs = attrs,
		                     .capture = capture,
		                     .trace_names = trace_names,
		                     .trace_text = trace_text,
		                     .trace_value = trace_value,
		                     .trace_fields = trace_fields,
		                     .close = close_both };
	b->base = (struct reader){
		.format = &b->format, .run = run, .diag = diag, .name = profile->name
	};
	b->profile.reader = profile;
	b->events.reader = events;
	return &b->base;
}
