/*
 * Prints the text of `perf script`, as process_event and perf_sample__fprintf_start in
 * tools/perf/builtin-script.c of Linux 6.1 do:
 *
 *	calc10  8292   856.934774:    2004008 cpu-clock:ppp:
 *		ffffffff8220186b [unknown] ([kernel.kallsyms])
 *
 *	       .NET Timer 13436 [000]  1563.862919: sched:sched_switch: prev_comm=.NET ...
 */
#include "writer/script/script.h"

#include <time.h>

#include "base/clock.h"
#include "reader/fields.h"
#include "writer/script/details.h"
#include "writer/script/lines.h"

enum { NS_DIGITS = 9, US_DIGITS = 6 };

int script_init(struct script *sc, struct profile *p, const struct script_opts *opts,
                struct diag *diag)
{
	const struct reader *r = profile_reader(p);
	const struct attr *const *attrs = NULL;
	size_t n = reader_attrs(r, &attrs);

	*sc = (struct script){ .profile = p,
		               .capture = reader_capture(r),
		               .opts = *opts };
	if (opts->columns)
		sc->columns = *opts->columns;
	else
		columns_init(&sc->columns);
	sc->columns.compat = opts->compat;
	for (size_t i = 0; i < n; i++)
		if (attrs[i]->name.n > sc->event_width)
			sc->event_width = attrs[i]->name.n;
	if (reader_traits(r)->has_records || reader_traits(r)->has_locations)
		return columns_settle(&sc->columns, r, opts->hide_chain, diag);
	if (opts->columns && !columns_suit_text(opts->columns))
		return diag_fatal(diag, "-F: fields of a text cannot be changed; only "
		                        "+guess can be added");
	return 0;
}

void script_end(struct script *sc)
{
	arena_release(&sc->arena);
}

static void pad(struct out *o, size_t n)
{
	while (n--)
		out_char(o, ' ');
}

/* Write a name or a number, aligned to the right like printf's "%*s". */
static void right(struct out *o, struct str s, size_t width)
{
	if (s.n < width)
		pad(o, width - s.n);
	out_name(o, s);
}

static void right_number(struct out *o, struct str digits, size_t width)
{
	if (digits.n < width)
		pad(o, width - digits.n);
	out_str(o, digits);
}

static struct str decimal(char buf[24], uint64_t v)
{
	return (struct str){ buf, out_dec_at(buf, v, 1) };
}

static struct str signed_decimal(char buf[24], int64_t v)
{
	if (v >= 0)
		return decimal(buf, (uint64_t)v);
	buf[0] = '-';
	return (struct str){ buf, 1 + out_dec_at(buf + 1, -(uint64_t)v, 1) };
}

/* Writes the CPU as "[%03d] ". */
static void write_cpu(struct out *o, int32_t cpu)
{
	bool negative = cpu < 0;
	char buf[24];
	size_t n =
	        out_dec_at(buf, negative ? -(uint64_t)cpu : (uint64_t)cpu, 3u - negative);

	out_str(o, negative ? STR("[-") : STR("["));
	out_str(o, (struct str){ buf, n });
	out_str(o, STR("] "));
}

/* Returns a time in seconds.  The time is truncated, not rounded. */
static struct str seconds(const struct script *sc, char buf[40], uint64_t time_ns)
{
	uint64_t part = time_ns % CLOCK_SECOND_NS;
	size_t n = out_dec_at(buf, time_ns / CLOCK_SECOND_NS, 1);

	buf[n++] = '.';
	n += sc->opts.ns ? out_dec_at(buf + n, part, NS_DIGITS)
	                 : out_dec_at(buf + n, part / 1000, US_DIGITS);
	return (struct str){ buf, n };
}

/*
 * Returns the time to print, which --reltime and --deltatime change.  As in perf, since_ns is 0
 * until a time was printed.
 */
static uint64_t shown_time(struct script *sc, uint64_t time_ns)
{
	uint64_t since = sc->since_ns;

	if (sc->opts.reltime && !since)
		sc->since_ns = since = time_ns;
	if (sc->opts.deltatime) {
		sc->since_ns = time_ns;
		if (!since)
			return 0;
	}
	return sc->opts.reltime || sc->opts.deltatime ? time_ns - since : time_ns;
}

/* Writes the time as "%12s: ", or with nanoseconds as "%5lu.%09lu: ". */
static void write_time(struct script *sc, struct out *o, uint64_t time_ns)
{
	char buf[40];

	right_number(o, seconds(sc, buf, shown_time(sc, time_ns)), sc->opts.ns ? 15 : 12);
	out_str(o, STR(": "));
}

/* Writes the time of day in this machine's time zone: "2026-11-21 21:43:05.123456 ". */
static void write_day(const struct script *sc, struct out *o, uint64_t time_ns)
{
	const struct capture *rec = sc->capture;
	uint64_t wall_ns = rec->wall_ns + (time_ns - rec->clock_ns);
	time_t when = (time_t)(wall_ns / CLOCK_SECOND_NS);
	char text[64];
	struct tm tm;

	if (!rec->has_clock) {
		out_str(o, STR("disabled "));
		return;
	}
	if (!localtime_r(&when, &tm)) {
		out_str(o, STR("failed "));
		return;
	}
	strftime(text, sizeof(text), "%F %T", &tm);
	if (sc->opts.ns)
		out_fmt(o, "%s.%09llu ", text,
		        (unsigned long long)(wall_ns % CLOCK_SECOND_NS));
	else
		out_fmt(o, "%s.%06llu ", text,
		        (unsigned long long)(wall_ns % CLOCK_SECOND_NS / 1000));
}

/* Returns true if the stack is printed below the header line, one address on each line. */
static bool has_stack(const struct script *sc, const struct attr *a)
{
	return a->has_callchain && !sc->opts.hide_chain;
}

/*
 * Writes pid and tid.  Records that are not samples have the ids of the thread that caused them.
 */
static void write_ids(const struct script *sc, struct out *o, unsigned type,
                      const struct sample *s)
{
	const struct event *ev = s->ev;
	bool own = ev->kind == EV_SAMPLE || ev->by_tid < 0;
	int32_t pid = own ? s->pid : ev->by_pid, tid = own ? s->tid : ev->by_tid;
	bool has_pid = columns_show(&sc->columns, type, COL_PID);
	bool has_tid = columns_show(&sc->columns, type, COL_TID);
	size_t width = sc->opts.compat == 7 ? 7 : 5;
	char buf[24];

	if (has_pid && has_tid) {
		struct str number;

		right_number(o, signed_decimal(buf, pid), width);
		out_char(o, '/');
		number = signed_decimal(buf, tid);
		out_str(o, number);
		pad(o, number.n < width ? width + 1 - number.n : 1);
	} else if (has_pid || has_tid) {
		right_number(o, signed_decimal(buf, has_pid ? pid : tid), width);
		out_char(o, ' ');
	}
}

/*
 * Returns true if the comm is written without padding.  perf 7 pads the comm if the call chain is
 * in the payload of the sample, as in samples of offcpu-time.
 */
static bool is_bare(const struct script *sc, unsigned type, const struct sample *s)
{
	const struct attr *a = s->ev->attr;

	if (sc->opts.compat == 7 && !(a->sample_type & HAS_CALLCHAIN))
		return false;
	return columns_show(&sc->columns, type, COL_IP) && has_stack(sc, a);
}

/* Writes comm, pid and tid. */
static void write_thread(struct script *sc, struct out *o, unsigned type,
                         const struct sample *s)
{
	const struct columns *c = &sc->columns;

	if (columns_show(c, type, COL_COMM)) {
		right(o, s->comm, is_bare(sc, type, s) ? 0 : 16);
		out_char(o, ' ');
	}
	write_ids(sc, o, type, s);
}

static bool is_of_thread(const struct script_thread *t, const struct script_thread *key)
{
	return t->n && t->tid == key->tid && t->pid == key->pid && t->type == key->type &&
	       t->bare == key->bare && !memcmp(t->comm, key->comm, SCRIPT_COMM);
}

/*
 * Writes comm, pid and tid of a sample.  Caches the text in sc->thread until another thread needs
 * the same element.
 */
static void write_thread_once(struct script *sc, struct out *o, unsigned type,
                              const struct sample *s)
{
	struct script_thread *t = &sc->thread[(uint32_t)s->tid % SCRIPT_THREADS];
	struct script_thread key = { .pid = s->pid,
		                     .tid = s->tid,
		                     .type = (uint8_t)type,
		                     .bare = is_bare(sc, type, s) };
	size_t from;

	if (s->comm.n > SCRIPT_COMM) {
		write_thread(sc, o, type, s);
		return;
	}
	for (size_t i = 0; i < s->comm.n; i++)
		key.comm[i] = s->comm.p[i];
	if (is_of_thread(t, &key)) {
		out_str(o, (struct str){ t->text, t->n });
		return;
	}
	out_room(o, sizeof(t->text));
	from = o->n;
	write_thread(sc, o, type, s);
	*t = key;
	t->n = (uint8_t)(o->n - from);
	memcpy(t->text, o->buf + from, t->n);
}

static void write_cpu_and_time(struct script *sc, struct out *o, unsigned type,
                               const struct event *ev)
{
	const struct columns *c = &sc->columns;
	uint64_t time_ns = ev->attr->sample_type & HAS_TIME ? ev->time_ns : UINT64_MAX;

	if (columns_show(c, type, COL_CPU))
		write_cpu(o, ev->cpu);
	if (columns_show(c, type, COL_MISC))
		details_misc(o, ev);
	if (columns_show(c, type, COL_TOD))
		write_day(sc, o, time_ns);
	if (columns_show(c, type, COL_TIME))
		write_time(sc, o, time_ns);
}

void script_start(struct script *sc, struct out *o, const struct sample *s)
{
	unsigned type = columns_type(s->ev->attr);

	write_thread(sc, o, type, s);
	write_cpu_and_time(sc, o, type, s->ev);
}

static void write_event(struct script *sc, struct out *o, const struct attr *a)
{
	struct script_event *e = &sc->event;
	size_t from;

	if (e->name.p == a->name.p && e->name.n == a->name.n) {
		out_str(o, (struct str){ e->text, e->n });
		return;
	}
	out_room(o, sizeof(e->text));
	from = o->n;
	right(o, a->name, sc->event_width);
	out_str(o, STR(": "));
	if (o->n < from || o->n - from > sizeof(e->text))
		return;
	e->name = a->name;
	e->n = o->n - from;
	memcpy(e->text, o->buf + from, e->n);
}

static void write_header(struct script *sc, struct out *o, const struct sample *s)
{
	const struct event *ev = s->ev;
	unsigned type = columns_type(ev->attr);
	char buf[24];

	write_thread_once(sc, o, type, s);
	write_cpu_and_time(sc, o, type, ev);
	if (columns_show(&sc->columns, type, COL_PERIOD)) {
		right_number(o, decimal(buf, ev->weight), 10);
		out_char(o, ' ');
	}
	if (columns_show(&sc->columns, type, COL_EVENT))
		write_event(sc, o, ev->attr);
	if (sc->columns.flags)
		pad(o, 24); /* blanks in place of the columns for instruction traces */
	if (columns_show(&sc->columns, type, COL_TRACE) && ev->payload.n)
		reader_trace_text(profile_reader(sc->profile), ev, o);
}

/*
 * Writes the address of a sample without a call chain on the header line.  As in perf, this is
 * the sampled run-time address, even if addresses in call chains are printed as file offsets.
 */
static void write_lone(struct script *sc, struct out *o, const struct sample *s,
                       unsigned type)
{
	static const struct named name = { .flags = NAMED_UNKNOWN };
	static const struct resolved unknown = { .names = &name, .n = 1 };
	const struct resolved *r = &unknown;

	if (s->nframes)
		r = profile_frame(sc->profile, s->frames[0].id);
	out_char(o, ' ');
	out_hex(o, s->nframes ? s->ev->frames[0].ip : 0, 16);
	lines_name(sc, o, type, r, r->n - 1, s->nframes ? s->frames[0].addr : 0, false);
}

void script_sample(struct script *sc, struct out *o, const struct sample *s)
{
	const struct attr *a = s->ev->attr;
	unsigned type = columns_type(a);

	if (!sc->columns.shown[type])
		return;
	write_header(sc, o, s);
	details_before(sc, o, s, type);
	if (columns_show(&sc->columns, type, COL_IP)) {
		if (!has_stack(sc, a))
			write_lone(sc, o, s, type);
		else
			out_char(o, '\n');
		if (has_stack(sc, a))
			lines_frames(sc, o, type, s->frames, s->nframes);
	}
	details_behind(sc, o, s, type);
	out_char(o, '\n');
}

/* Takes the first line of *raw, including its line end. */
static struct str take_line(struct str *raw)
{
	size_t n = str_find(*raw, '\n');
	struct str line = str_head(*raw, n + 1);

	*raw = str_from(*raw, line.n);
	return line;
}

/* Writes the line end of `line`, or nothing if it has no line end. */
static void write_line_end(struct out *o, struct str line)
{
	if (str_ends(line, STR("\n")))
		out_str(o, str_ends(line, STR("\r\n")) ? STR("\r\n") : STR("\n"));
}

/*
 * Writes the lines of a newly named frame instead of `line`.  The new lines get the line end of
 * `line`.
 */
static void write_improved(struct script *sc, struct out *o, struct placed f,
                           struct str line)
{
	const struct resolved *r = profile_frame(sc->profile, f.id);
	bool cr = str_ends(line, STR("\r\n"));

	if (!cr && str_ends(line, STR("\n"))) {
		lines_frame(sc, o, LINES_TEXT, f);
		return;
	}
	for (size_t i = 0; i < r->n; i++) {
		lines_one(sc, o, LINES_TEXT, r, i, f.addr, false);
		if (i + 1 < r->n)
			out_str(o, cr ? STR("\r\n") : STR("\n"));
	}
	write_line_end(o, line);
}

/*
 * Writes the header and the only frame on one line, as perf does for events without a recorded
 * stack.
 */
static void write_joined(struct script *sc, struct out *o, const struct sample *s)
{
	const struct event *ev = s->ev;
	const char *end = ev->raw.p + ev->raw.n;
	struct str rest = ev->raw, header = take_line(&rest), line;
	const struct resolved *r = NULL;
	bool joined;

	if (s->nframes)
		r = profile_frame(sc->profile, s->frames[0].id);
	joined = r && ev->frames[0].line.p < rest.p;
	if (ev->comm.n && ev->comm.p == ev->raw.p && ev->comm.n < 16)
		pad(o, 16 - ev->comm.n);
	if (!r || (joined && !r->improved)) {
		out_str(o, header);
		return;
	}
	line = str_span(ev->frames[0].line.p, end);
	line = take_line(&line);
	if (joined) {
		out_str(o, str_span(header.p, line.p));
	} else {
		header.n -= str_ends(header, STR("\n"));
		header.n -= str_ends(header, STR("\r"));
		out_str(o, header);
		out_char(o, ' ');
	}
	if (r->improved) {
		lines_one(sc, o, LINES_TEXT, r, r->n - 1, s->frames[0].addr, true);
		write_line_end(o, line);
	} else {
		out_str(o, str_from(line, str_starts(line, STR("\t"))));
	}
}

/* Lines between frames (srcline, brstack) are parts of ev->raw, and are copied with it. */
void script_text(struct script *sc, struct out *o, const struct sample *s)
{
	const struct event *ev = s->ev;
	const char *done = ev->raw.p, *end = ev->raw.p + ev->raw.n;

	if (sc->opts.hide_chain && ev->kind == EV_SAMPLE) {
		write_joined(sc, o, s);
		return;
	}
	for (size_t i = 0; i < s->nframes; i++) {
		const struct resolved *r = profile_frame(sc->profile, s->frames[i].id);
		struct str rest, line;

		if (!r->improved)
			continue;
		rest = str_span(ev->frames[i].line.p, end);
		line = take_line(&rest);
		out_str(o, str_span(done, line.p));
		write_improved(sc, o, s->frames[i], line);
		done = line.p + line.n;
	}
	for (size_t i = s->nframes; i < s->nframes + s->left_out; i++) {
		struct str line = str_span(ev->frames[i].line.p, end);

		out_str(o, str_span(done, line.p));
		take_line(&line);
		done = line.p;
	}
	out_str(o, str_span(done, end));
}
