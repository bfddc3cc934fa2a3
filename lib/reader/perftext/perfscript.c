/*
 * Reads the text of perf script, of any version and with any set of fields:
 *
 * 	worker 12/34 [001] 100.000002:   250000 cycles:
 * 	        ffffffff8104f45a native_safe_halt+0x2a ([kernel.kallsyms])
 * 	                  401136 main+0x6 (/usr/bin/app)
 * 	(blank line)
 *
 * Layout: tools/perf/builtin-script.c.  A comm may contain any text, so a header is recognised
 * by its time.  A header without a time is recognised by the first number after the first word.
 * This file only finds the ends of frame lines.  Callers use frameline_read to parse each
 * distinct line once.
 */
#include "reader/perftext/perfscript.h"

#include "base/intern.h"
#include "reader/perftext/frameline.h"
#include "reader/perftext/known_heads.h"
#include "reader/perftext/known_lines.h"
#include "reader/perftext/repeated_stacks.h"
#include "reader/perftext/scripthead.h"
#include "reader/perftext/text.h"
#include "reader/perftext/tracefield.h"

enum {
	BID_LINES = 200,
	ANY_THREAD = -1, /* used as tid of remembered stacks if threads do not matter */
};

/* The lines of a text that are headers. */
enum header_form {
	HEADER_WHOLE, /* lines with a pid or tid, and a time or an event */
	HEADER_LOOSE, /* any line above a frame, with any fields */
	HEADER_NONE,  /* stacks have no header */
};

struct perfscript {
	struct text text;
	enum header_form form;
	char build_id[SCRIPTHEAD_BUILD_ID]; /* build-id of the current event */
	struct other_fields other;          /* fields of the current event */
	struct known_heads *heads;
	struct known_lines *lines;
	struct interner names;
	/*
	 * indexed by the str_id of an event's name.  An element is NULL before its event
	 * occurs
	 */
	struct attr **attrs;
	size_t attrs_cap;
	const struct attr *attr;          /* attr of the last header, or NULL */
	struct repeated_stacks *repeated; /* NULL if all samples are delivered */
	bool by_thread; /* only stacks that occurred in the same thread are skipped */
};

static const struct attr *attr_named(struct perfscript *r, struct str name)
{
	str_id id;

	if (r->attr && str_eq(r->attr->name, name))
		return r->attr;
	id = intern(&r->names, name);
	arena_fit(r->text.base.run, r->attrs, id + 1u, r->attrs_cap);
	if (!r->attrs[id]) {
		r->attrs[id] = arena_new(r->text.base.run, struct attr, 1);
		r->attrs[id]->name = intern_str(&r->names, id);
	}
	return r->attr = r->attrs[id];
}

/*
 * Returns true if the line begins with exactly two blanks.  Frames begin with a tab.  The line
 * may be the source line of the frame above: "file.c:17 (inlined)".  It may also contain
 * branches, registers or instructions, which perf prints after a stack instead of the blank line.
 */
static bool is_source_line(struct str line)
{
	return line.n > 2 && line.p[0] == ' ' && line.p[1] == ' ' && line.p[2] != ' ';
}

static void take_source_line(struct frame *f, struct str line)
{
	size_t whole = (size_t)(line.p + line.n - f->line.p);

	if (str_ends(line, STR(" (inlined)")))
		f->inlined = true;
	if (!f->whole && whole <= UINT16_MAX)
		f->whole = (uint16_t)whole;
}

static bool is_tabbed(const struct perfscript *r, const struct event *ev)
{
	return ev->nframes && r->text.frames[0].line.p[0] == '\t';
}

/* Returns true for a frame line without leading blanks: "401136 main (/usr/bin/app)". */
static bool is_stripped_frame(struct str line)
{
	struct frame_text ft;

	return frameline_perf(text_without_cr(line), &ft) && ft.module.n;
}

/*
 * Takes known lines at *pos.  If the first line is unknown, takes one line of the form that
 * frameline_split parses.  Returns false if that line has another form.
 */
static bool take_split(struct perfscript *r, struct event *ev, size_t *pos)
{
	struct text *t = &r->text;
	struct frame *to;
	size_t taken, n;

	if (ev->nframes == t->frames_cap)
		text_more_frames(t, ev->nframes);
	to = &t->frames[ev->nframes];
	taken = known_lines_take(r->lines, str_from(t->win, *pos), to,
	                         t->frames_cap - ev->nframes, &n);
	if (!n && (taken = frameline_split(str_from(t->win, *pos), to)) != 0) {
		known_lines_keep(r->lines, to);
		n = 1;
	}
	ev->nframes += n;
	*pos += taken;
	return n;
}

static void report_cut(struct perfscript *r, const struct event *ev)
{
	struct reader *base = &r->text.base;

	if (format_tells(base, ev->at))
		diag_at(base->diag, base->name, ev->at,
		        "a stack of more than %d MiB: the remaining frames are left out",
		        TEXT_BLOCK_MAX >> 20);
}

/*
 * Reports an input that ends inside a frame.  The evidence is that the first frame ends with a
 * module, and the last frame does not.
 */
static void report_unended(struct perfscript *r, const struct event *ev)
{
	const struct frame *f = r->text.frames;
	struct reader *base = &r->text.base;
	struct str win = r->text.win;

	if (ev->nframes > 1 && win.n && win.p[win.n - 1] != '\n' &&
	    str_ends(f[0].line, STR(")")) &&
	    !str_ends(f[ev->nframes - 1].line, STR(")")) && format_tells(base, ev->at))
		diag_at(base->diag, base->name, ev->at, "the text ends inside a frame");
}

/*
 * Reads the lines of a sample after its header.  Other lines without an initial blank, such as
 * warnings of perf or comments, become part of the sample.
 */
static bool read_frames(struct perfscript *r, struct event *ev, size_t *pos)
{
	struct script_header ignored;
	struct str line;
	size_t next;

	while (*pos < r->text.win.n || !r->text.whole) {
		if (*pos > TEXT_BLOCK_MAX) {
			report_cut(r, ev);
			return true;
		}
		if (take_split(r, ev, pos))
			continue;
		if (!text_line(&r->text, *pos, &line, &next))
			return false;
		if (line.n && line.p[0] == '\t' && !text_is_blank(line)) {
			text_push_frame(&r->text, ev, text_without_cr(line));
		} else if (text_is_blank(line)) {
			*pos = next;
			return true;
		} else if (scripthead_parse(text_without_cr(line), r->heads, &ignored)) {
			return true;
		} else if (!is_tabbed(r, ev) &&
		           (line.p[0] == ' ' || is_stripped_frame(line))) {
			text_push_frame(&r->text, ev, text_without_cr(line));
		} else if (is_source_line(line)) {
			take_source_line(&r->text.frames[ev->nframes - 1],
			                 text_without_cr(line));
		} else if (line.p[0] == ' ' && r->form != HEADER_WHOLE) {
			*pos = next;
			return true;
		}
		*pos = next;
	}
	report_unended(r, ev);
	return true;
}

static void take_header(struct perfscript *r, const struct script_header *h,
                        struct event *ev)
{
	ev->pid = h->pid;
	ev->tid = h->tid;
	ev->cpu = h->cpu;
	ev->has_time = h->has_time;
	ev->time_ns = h->time_ns;
	ev->comm = h->comm;
	ev->weight = h->has_period ? h->period : 1;
	ev->attr = attr_named(r, h->event);
	ev->payload = h->rest;
}

/* Quickly checks whether frameline_perf may accept the line. */
static bool looks_like_frame(struct str line)
{
	struct str s = str_trim(line);
	uint64_t addr;

	return line.n && text_is_gap(line.p[0]) && str_take_hex(&s, &addr) &&
	       (!s.n || text_is_gap(*s.p));
}

/* Sets *follows if the line at pos is a frame.  Returns false if more bytes are needed. */
static bool stack_follows(const struct perfscript *r, size_t pos, bool *follows)
{
	struct str line;
	size_t next;

	*follows = false;
	if (pos >= r->text.win.n && r->text.whole)
		return true;
	if (!text_line(&r->text, pos, &line, &next))
		return false;
	*follows = line.n && line.p[0] == '\t' && looks_like_frame(text_without_cr(line));
	return true;
}

/*
 * Finds a frame on the header line.  Without -g, this is the only frame.  A data address (-F
 * addr) looks like a frame, but a stack follows it.
 */
static bool find_lone_frame(const struct script_header *h, struct str line,
                            struct str *frame)
{
	struct frame_text ft;

	if (!h->rest.n)
		return false;
	*frame = h->rest;
	return scripthead_lone_frame(line, frame) ||
	       (frameline_perf(h->rest, &ft) && ft.module.n);
}

/*
 * If the stack at `next` was already delivered, makes ev an EV_TEXT that ends with the stack,
 * and returns true.  If by_thread is set, ignores stacks of other threads.
 */
static bool is_repeated(const struct perfscript *r, size_t next, int32_t tid,
                        struct event *ev)
{
	size_t n = 0;

	if (r->repeated)
		n = repeated_stacks_find(r->repeated, str_from(r->text.win, next), tid);
	if (!n)
		return false;
	ev->kind = EV_TEXT;
	ev->raw = str_head(r->text.win, next + n);
	return true;
}

/* Reads a sample, whose header h is before `next`.  Returns false if more bytes are needed. */
static bool read_sample(struct perfscript *r, const struct script_header *h,
                        struct str line, size_t next, struct event *ev)
{
	struct str frame;
	size_t end = next;
	bool follows;

	ev->kind = EV_SAMPLE;
	take_header(r, h, ev);
	if (r->by_thread && is_repeated(r, next, ev->tid, ev))
		return true;
	if (find_lone_frame(h, line, &frame)) {
		if (!stack_follows(r, next, &follows))
			return false;
		if (!follows)
			text_push_frame(&r->text, ev, frame);
		else if (!read_frames(r, ev, &end))
			return false;
	} else if (!read_frames(r, ev, &end)) {
		return false;
	}
	ev->frames = r->text.frames;
	ev->notes = known_lines_notes(r->lines);
	if (r->repeated && ev->nframes && looks_like_frame(ev->frames[0].line))
		repeated_stacks_keep(r->repeated,
		                     str_from(str_head(r->text.win, end), next),
		                     r->by_thread ? ev->tid : ANY_THREAD);
	ev->raw = str_head(r->text.win, end);
	return true;
}

/*
 * Reads a line that is not a complete header, in a text with loose headers or without headers.
 * Returns false if more bytes are needed.
 */
static bool read_loose(struct perfscript *r, struct str line, size_t next,
                       struct event *ev)
{
	struct script_header h = { .pid = -1, .tid = -1, .cpu = -1 };
	struct str frame = line;
	bool follows;

	if (r->form == HEADER_NONE && looks_like_frame(line))
		return read_sample(r, &h, frame, 0, ev);
	if (line.p[0] == '\t' || r->form != HEADER_LOOSE)
		return true;
	if (scripthead_lone_frame(line, &frame)) {
		scripthead_parse_loose(str_span(line.p, frame.p), &h);
		h.rest = frame;
		return read_sample(r, &h, line, next, ev);
	}
	if (!stack_follows(r, next, &follows))
		return false;
	if (!follows && next < r->text.win.n && r->text.win.p[next] != '\n')
		return true;
	scripthead_parse_loose(line, &h);
	return read_sample(r, &h, line, next, ev);
}

static bool parse(struct text *text, struct event *ev)
{
	struct perfscript *r = (struct perfscript *)text;
	struct script_header h;
	struct str line;
	size_t next;

	*ev = (struct event){ .pid = -1, .tid = -1, .cpu = -1 };
	ev->at = stream_at(r->text.stream);
	known_lines_begin(r->lines);
	if (!text_line(&r->text, 0, &line, &next))
		return false;
	line = text_without_cr(line);
	ev->kind = EV_TEXT;
	ev->raw = str_head(r->text.win, next);
	if (!line.n || line.p[0] == '#')
		return true;
	if (line.p[0] != '\t' && !r->by_thread && is_repeated(r, next, ANY_THREAD, ev))
		return true;
	if (line.p[0] == '\t' || !scripthead_parse(line, r->heads, &h))
		return r->form == HEADER_WHOLE || read_loose(r, line, next, ev);
	if (h.record.n) {
		take_header(r, &h, ev);
		scripthead_record(&h, ev, &r->other);
		if (ev->kind == EV_MMAP)
			ev->map.build_id =
			        (struct str){ r->build_id,
				              scripthead_build_id(h.rest, r->build_id) };
		return true;
	}
	return read_sample(r, &h, line, next, ev);
}

/* Returns true if the line begins with "\t%16lx", as perf's stack addresses do. */
static bool is_padded_frame(struct str line)
{
	struct str digits;

	if (!line.n || line.p[0] != '\t' || !looks_like_frame(line))
		return false;
	digits = text_trim_left(line);
	while (digits.n && !text_is_gap(*digits.p))
		digits = str_from(digits, 1);
	return line.n - digits.n == 1 + 16;
}

/* Evidence in the first lines.  A complete header is sufficient.  Other lines are only hints. */
struct sniff {
	enum header_form form;
	/* the bid (reader/format.h), or 0 if the input is not text of perf */
	int bits;
	bool opened;   /* a header without time was read */
	bool in_stack; /* the first frame of a stack was read */
	struct str above;
};

static void sniff_loose(struct sniff *s, struct str line)
{
	struct str frame;

	if (text_is_blank(line)) {
		s->in_stack = false;
	} else if (is_padded_frame(line)) {
		if (!s->in_stack && s->above.n && s->above.p[0] != '@')
			*s = (struct sniff){ .form = HEADER_LOOSE, .bits = 24 };
		else if (!s->in_stack && !s->above.n && s->bits < 20)
			*s = (struct sniff){ .form = HEADER_NONE, .bits = 20 };
		s->in_stack = true;
	} else if (line.p[0] != '\t' && scripthead_lone_frame(line, &frame)) {
		*s = (struct sniff){ .form = HEADER_LOOSE, .bits = 24 };
	}
	s->above = text_is_blank(line) ? (struct str){ 0 } : line;
}

static struct sniff sniff(struct str head)
{
	static const struct sniff none, whole = { .bits = 48 }, sure = { .bits = 64 };
	struct sniff s = { 0 };
	struct script_header h;

	for (int i = 0; i < BID_LINES && head.n; i++) {
		struct str line = text_without_cr(str_cut(&head, '\n'));

		/* A line with NULs is a tar header, even if a text follows. */
		if (line.n && memchr(line.p, '\0', line.n))
			return none;
		if (s.opened && (looks_like_frame(line) || is_stripped_frame(line)))
			return sure;
		if (line.n && line.p[0] == '#') {
			if (str_starts(line, STR("# captured on")) ||
			    str_starts(line, STR("# psym: no samples")))
				return whole;
			continue;
		}
		if (line.n && line.p[0] != '\t' && scripthead_parse(line, NULL, &h)) {
			if (h.has_time)
				return whole;
			s.opened = true;
		} else if (text_is_blank(line) || text_is_gap(line.p[0])) {
			s.opened = false;
		}
		sniff_loose(&s, line);
	}
	return s;
}

static int bid(struct str head)
{
	return sniff(head).bits;
}

static struct reader *open_script(struct source *s, size_t member, struct arena *run,
                                  struct diag *diag)
{
	struct text *t = text_open(s, member, run, diag, &perfscript_format,
	                           sizeof(struct perfscript));
	struct perfscript *r = (struct perfscript *)t;

	if (!t)
		return NULL;
	t->parse = parse;
	r->form = sniff(source_head(s, member)).form;
	intern_init(&r->names, run);
	r->heads = known_heads_new(run);
	r->lines = known_lines_new(run);
	return &t->base;
}

static bool trace_value(struct reader *r, const struct event *ev, struct str field,
                        struct trace_value *out)
{
	(void)r;
	return tracefield_value(ev->attr ? ev->attr->name : STR(""), ev->payload, field,
	                        out);
}

static struct str trace_fields(struct reader *r, const struct event *ev, struct arena *a)
{
	(void)r;
	return tracefield_list(ev->attr ? ev->attr->name : STR(""), ev->payload, a);
}

static void skip_repeated(struct reader *base, bool by_thread)
{
	struct perfscript *r = (struct perfscript *)base;

	r->repeated = repeated_stacks_new(base->run, stream_stays(r->text.stream));
	r->by_thread = by_thread;
}

static void close_script(struct reader *base)
{
	repeated_stacks_free(((struct perfscript *)base)->repeated);
	text_close(base);
}

bool perfscript_next_start(struct str *head, int32_t *tid, uint64_t *time_ns)
{
	struct script_header h;
	struct str line;

	/* The last line may be incomplete, so it is not used. */
	while (line = str_cut(head, '\n'), head->n) {
		if (line.n && line.p[0] == '\t')
			continue;
		if (!scripthead_parse(text_without_cr(line), NULL, &h) || !h.has_time ||
		    h.record.n)
			continue;
		*tid = h.tid;
		*time_ns = h.time_ns;
		return true;
	}
	return false;
}

const struct format perfscript_format = {
	.name = "perf script text",
	.what = "this is perf script text",
	.traits = { .sets = READ_SAMPLES | READ_ADDRESSES, .rank = 3, .is_text = true },
	.bid = bid,
	.open = open_script,
	.next = text_next,
	.skip_repeated = skip_repeated,
	.rewind = text_rewind,
	.seek = text_seek,
	.hold = text_hold,
	.held = text_held,
	.progress = text_progress,
	.trace_value = trace_value,
	.trace_fields = trace_fields,
	.close = close_script,
};

bool perfscript_is_error(struct str line)
{
	static const char *const parts[] = {
		"attribute set. Cannot print '",
		"attribute set. Hence can't ",
		"failed to open perf.data",
		"(try 'perf record' first)",
		"incompatible file format",
		"zero-sized data",
		"not owned by current user or root",
		"data size field is 0 which is unexpected",
		"perf record' command properly terminated",
		"Invalid field requested",
		"perf: command not found",
		"WARNING: perf not found for kernel",
	};

	return STR_ANY(line, str_has, parts);
}

const char *perfscript_advice(struct str line)
{
	if (str_has(line, STR("Cannot print 'cpu' field")))
		return "; cpu was not recorded: give perf script other fields (-F -cpu), "
		       "or use the perf.data";
	if (str_has(line, STR("Cannot print '")))
		return "; give perf script only recorded fields, or use the perf.data";
	return "";
}
