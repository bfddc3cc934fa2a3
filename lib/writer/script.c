/*
 * The text of `perf script`, tools/perf/builtin-script.c of Linux 6.1: process_event
 * and perf_sample__fprintf_start.
 *
 *	calc10  8292   856.934774:    2004008 cpu-clock:ppp:
 *		ffffffff8220186b [unknown] ([kernel.kallsyms])
 *
 *	       .NET Timer 13436 [000]  1563.862919: sched:sched_switch: prev_comm=.NET ...
 *
 * Fields are chosen once for each type of event, by the first event of that type.
 */
#include "writer/script.h"

#include "reader/fields.h"

enum {
	FIELD_TID = 1,
	FIELD_TIME = 2,
	FIELD_CPU = 4,
	FIELD_PERIOD = 8,
	FIELD_IP = 16,
	FIELD_TRACE = 32,
};

/* PERF_TYPE_*, PERF_COUNT_SW_DUMMY: include/uapi/linux/perf_event.h. */
enum {
	TYPE_SOFTWARE = 1,
	TYPE_TRACEPOINT = 2,
	TYPE_OTHER = SCRIPT_TYPES - 1,
	SW_DUMMY = 9
};

static unsigned type_of(const struct attr *a)
{
	return a->type < TYPE_OTHER ? a->type : TYPE_OTHER;
}

static unsigned fields_of(const struct attr *a)
{
	uint64_t has = a->sample_type;
	unsigned f = FIELD_TID | FIELD_TIME | FIELD_CPU;

	f |= a->type == TYPE_TRACEPOINT ? FIELD_TRACE : FIELD_IP | FIELD_PERIOD;
	if (a->type == TYPE_SOFTWARE && a->config == SW_DUMMY)
		return f;
	if (!(has & HAS_IP))
		f &= ~(unsigned)FIELD_IP;
	if (!(has & HAS_TID))
		f &= ~(unsigned)FIELD_TID;
	if (!(has & HAS_TIME))
		f &= ~(unsigned)FIELD_TIME;
	if (!(has & HAS_CPU))
		f &= ~(unsigned)FIELD_CPU;
	return f;
}

void script_init(struct script *sc, struct profile *p, const struct script_opts *opts)
{
	const struct attr *const *attrs = NULL;
	size_t n = reader_attrs(profile_reader(p), &attrs);

	*sc = (struct script){ .profile = p, .opts = *opts };
	for (size_t i = 0; i < n; i++) {
		unsigned t = type_of(attrs[i]);

		if (!sc->fields[t])
			sc->fields[t] = fields_of(attrs[i]);
		if (attrs[i]->name.n > sc->event_width)
			sc->event_width = attrs[i]->name.n;
	}
	/* Tracepoints have no address of interest, but a call chain is one. */
	for (size_t i = 0; i < n && !opts->hide_chain; i++)
		if (type_of(attrs[i]) == TYPE_TRACEPOINT && attrs[i]->has_callchain)
			sc->fields[TYPE_TRACEPOINT] |= FIELD_IP;
}

static void pad(struct out *o, size_t n)
{
	while (n--)
		out_char(o, ' ');
}

/* printf's "%*s". */
static void right(struct out *o, struct str s, size_t width)
{
	if (s.n < width)
		pad(o, width - s.n);
	out_str(o, s);
}

static struct str decimal(char buf[24], uint64_t v)
{
	size_t at = 24;

	do
		buf[--at] = (char)('0' + v % 10);
	while (v /= 10);
	return (struct str){ buf + at, 24 - at };
}

static struct str signed_decimal(char buf[24], int64_t v)
{
	struct str s;

	if (v >= 0)
		return decimal(buf, (uint64_t)v);
	s = decimal(buf, -(uint64_t)v);
	buf[24 - s.n - 1] = '-';
	return (struct str){ s.p - 1, s.n + 1 };
}

/* "[%03d] " */
static void write_cpu(struct out *o, int32_t cpu)
{
	char buf[24];
	struct str s = decimal(buf, cpu < 0 ? -(uint64_t)cpu : (uint64_t)cpu);

	out_str(o, cpu < 0 ? STR("[-") : STR("["));
	for (size_t n = s.n + (cpu < 0); n < 3; n++)
		out_char(o, '0');
	out_str(o, s);
	out_str(o, STR("] "));
}

/* Seconds with six digits, cut not rounded: "%12s: "; or nine: "%5lu.%09lu: ". */
static void write_time(const struct script *sc, struct out *o, uint64_t time_ns)
{
	char buf[32], digits[24];
	struct str s = decimal(digits, time_ns / 1000000000u);
	uint64_t part = time_ns % 1000000000u;
	size_t n = s.n, places = sc->opts.ns ? 9 : 6;

	if (!sc->opts.ns)
		part /= 1000;

	memcpy(buf, s.p, n);
	buf[n] = '.';
	for (size_t i = places; i; i--, part /= 10)
		buf[n + i] = (char)('0' + part % 10);
	right(o, (struct str){ buf, n + 1 + places }, sc->opts.ns ? 15 : 12);
	out_str(o, STR(": "));
}

/* The address stands in lines of its own. */
static bool has_stack(const struct script *sc, const struct attr *a)
{
	return a->has_callchain && !sc->opts.hide_chain;
}

/* Who and when, in front of samples and of other records. */
static void write_start(const struct script *sc, struct out *o, const struct sample *s,
                        int32_t tid)
{
	const struct event *ev = s->ev;
	unsigned fields = sc->fields[type_of(ev->attr)];
	char buf[24];

	right(o, s->comm, fields & FIELD_IP && has_stack(sc, ev->attr) ? 0 : 16);
	out_char(o, ' ');
	if (fields & FIELD_TID) {
		right(o, signed_decimal(buf, tid), 5);
		out_char(o, ' ');
	}
	if (fields & FIELD_CPU)
		write_cpu(o, ev->cpu);
	if (fields & FIELD_TIME)
		write_time(sc, o, ev->time_ns);
}

static void write_header(const struct script *sc, struct out *o, const struct sample *s)
{
	const struct event *ev = s->ev;
	unsigned fields = sc->fields[type_of(ev->attr)];
	char buf[24];

	write_start(sc, o, s, s->tid);
	if (fields & FIELD_PERIOD) {
		right(o, decimal(buf, ev->weight), 10);
		out_char(o, ' ');
	}
	right(o, ev->attr->name, sc->event_width);
	out_str(o, STR(": "));
	if (fields & FIELD_TRACE && ev->payload.n)
		reader_trace_text(profile_reader(sc->profile), ev, o);
}

/* What follows the address in a frame's lines: "\t%16llx" and a blank. */
static struct str behind_address(struct str text)
{
	struct str rest = text;
	uint64_t addr;

	while (rest.n && (rest.p[0] == '\t' || rest.p[0] == ' '))
		rest = str_from(rest, 1);
	return str_take_hex(&rest, &addr) ? rest : text;
}

/*
 * A lone address stands on the header's line, and is the ip itself even where perf
 * prints the addresses of a chain as offsets into their files.
 */
static void write_lone(const struct script *sc, struct out *o, const struct sample *s)
{
	out_char(o, ' ');
	if (!s->nframes) {
		out_char(o, '\n');
		return;
	}
	out_hex(o, s->ev->frames[0].ip, 16);
	out_str(o, behind_address(profile_frame(sc->profile, s->frames[0])->text));
}

void script_sample(const struct script *sc, struct out *o, const struct sample *s)
{
	write_header(sc, o, s);
	if (!(sc->fields[type_of(s->ev->attr)] & FIELD_IP)) {
		out_char(o, '\n');
		return;
	}
	if (!has_stack(sc, s->ev->attr)) {
		write_lone(sc, o, s);
		return;
	}
	out_char(o, '\n');
	for (size_t i = 0; i < s->nframes; i++)
		out_str(o, profile_frame(sc->profile, s->frames[i])->text);
	out_char(o, '\n');
}

/* "4711/4712" */
static void write_pair(struct out *o, int32_t pid, char between, int32_t tid)
{
	char buf[24];

	out_str(o, signed_decimal(buf, pid));
	out_char(o, between);
	out_str(o, signed_decimal(buf, tid));
}

void script_task(const struct script *sc, struct out *o, const struct sample *s)
{
	const struct event *ev = s->ev;

	write_start(sc, o, s, ev->by_tid < 0 ? ev->tid : ev->by_tid);
	if (ev->kind == EV_COMM) {
		out_str(o, STR("PERF_RECORD_COMM"));
		out_str(o, ev->exec ? STR(" exec: ") : STR(": "));
		out_str(o, ev->comm);
		out_char(o, ':');
		write_pair(o, ev->pid, '/', ev->tid);
	} else {
		out_str(o, ev->kind == EV_FORK ? STR("PERF_RECORD_FORK(")
		                               : STR("PERF_RECORD_EXIT("));
		write_pair(o, ev->pid, ':', ev->tid);
		out_str(o, STR("):("));
		write_pair(o, ev->ppid, ':', ev->ptid);
		out_char(o, ')');
	}
	out_char(o, '\n');
}

/* The line at the front of *raw with its end. */
static struct str take_line(struct str *raw)
{
	size_t n = str_find(*raw, '\n');
	struct str line = str_head(*raw, n + 1);

	*raw = str_from(*raw, line.n);
	return line;
}

/* text in place of line; its own line ends are "\n". */
static void write_improved(struct out *o, struct str text, struct str line)
{
	bool cr = str_ends(line, STR("\r\n")), open = !str_ends(line, STR("\n"));

	while (text.n) {
		struct str part = take_line(&text);

		part.n -= str_ends(part, STR("\n"));
		out_str(o, part);
		if (text.n || !open)
			out_str(o, cr ? STR("\r\n") : STR("\n"));
	}
}

/* The header's line and behind it the one frame, as where no stack was recorded. */
static void write_joined(const struct script *sc, struct out *o, const struct sample *s)
{
	const struct event *ev = s->ev;
	const char *end = ev->raw.p + ev->raw.n;
	struct str rest = ev->raw, header = take_line(&rest), line, text;
	const struct resolved *r = NULL;
	bool joined;

	if (s->nframes)
		r = profile_frame(sc->profile, s->frames[0]);
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
	text = r->improved ? r->text : line;
	while (r->improved && str_find(text, '\n') + 1 < text.n)
		take_line(&text);
	write_improved(o, str_from(text, str_starts(text, STR("\t"))), line);
}

/*
 * Where frame i's line begins in raw: its slice points into it.  Lines between
 * (srcline, brstack) are none of the frames'.
 */
void script_text(const struct script *sc, struct out *o, const struct sample *s)
{
	const struct event *ev = s->ev;
	const char *done = ev->raw.p, *end = ev->raw.p + ev->raw.n;

	if (sc->opts.hide_chain && ev->kind == EV_SAMPLE) {
		write_joined(sc, o, s);
		return;
	}
	for (size_t i = 0; i < s->nframes; i++) {
		const struct resolved *r = profile_frame(sc->profile, s->frames[i]);
		struct str rest, line;

		if (!r->improved)
			continue;
		rest = str_span(ev->frames[i].line.p, end);
		line = take_line(&rest);
		out_str(o, str_span(done, line.p));
		write_improved(o, r->text, line);
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
