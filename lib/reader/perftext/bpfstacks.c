#include "reader/perftext/bpfstacks.h"

#include "reader/perftext/frameline.h"
#include "reader/perftext/text.h"

enum {
	BID_LINES = 200,
	MAP_BITS = 30, /* result of bid() for a map of bpftrace, easy to recognise */
};

struct bpfstacks {
	struct text text;
	/* used for all samples, because the text contains no event name */
	struct attr attr;
};

/*
 * Reads the keys of a map, such as "dotnet, 4711".  The first number is the pid, and the second
 * is the tid.
 */
static void take_keys(struct str keys, struct event *ev)
{
	uint64_t v;

	while (keys.n) {
		struct str key = str_trim(str_cut(&keys, ','));

		if (str_is_dec(key, &v) && v <= INT32_MAX) {
			if (ev->pid < 0)
				ev->pid = ev->tid = (int32_t)v;
			else
				ev->tid = (int32_t)v;
		} else if (key.n && !ev->comm.n) {
			ev->comm = key;
		}
	}
}

/*
 * Returns true if the line starts a stack in a map, such as "@stacks[dotnet, ".  Sets *keys to
 * the text after the bracket.
 */
static bool opens_map(struct str line, struct str *keys)
{
	size_t at = str_find(line, '[');

	if (!line.n || line.p[0] != '@' || at == line.n)
		return false;
	*keys = str_from(line, at + 1);
	return !str_trim(*keys).n || str_ends(str_trim(*keys), STR(","));
}

/* Returns true if the line ends a stack in a map, such as ", dotnet, 4711]: 3" or "]: 3". */
static bool closes_map(struct str line, struct str *keys, uint64_t *count)
{
	size_t at = str_search(line, STR("]: "));
	struct str number = str_from(line, at + 3);

	if (at == line.n || !line.n || (line.p[0] != ']' && line.p[0] != ','))
		return false;
	*keys = str_head(line, at);
	if (!str_is_dec(str_trim(number), count))
		*count = 1;
	return true;
}

/* Returns true if the line is the count of a BCC stack: four blanks and a number. */
static bool is_count(struct str line, uint64_t *count)
{
	uint64_t v;

	if (!str_starts(line, STR("    ")) || !str_is_dec(str_trim(line), &v))
		return false;
	*count = v;
	return true;
}

/*
 * Returns true if the line contains a process after four blanks: "dotnet [4711]" or "- dotnet
 * (4711)".
 */
static bool is_owner(struct str line, struct str *comm, int32_t *pid)
{
	struct str s = str_trim(line), number;
	bool dash = str_starts(s, STR("- "));
	size_t at = str_rfind(s, dash ? '(' : '[');
	uint64_t v;

	if (!str_starts(line, STR("    ")) || at == s.n || !at || s.p[at - 1] != ' ' ||
	    s.p[s.n - 1] != (dash ? ')' : ']'))
		return false;
	number = str_head(str_from(s, at + 1), s.n - at - 2);
	if (!str_is_dec(number, &v) || v > INT32_MAX)
		return false;
	*comm = str_trim(str_from(str_head(s, at), dash ? 1 : 0));
	*pid = (int32_t)v;
	return true;
}

/* Returns true if the line separates kernel frames from user frames. */
static bool is_delimiter(struct str line)
{
	return str_eq(str_trim(line), STR("--"));
}

static void push_frame(struct text *t, struct event *ev, struct str line)
{
	text_push_frame(t, ev, line);
	t->frames[ev->nframes - 1].form = LINE_BPF;
}

static void finish(struct bpfstacks *r, struct event *ev, size_t end)
{
	ev->kind = EV_SAMPLE;
	ev->attr = &r->attr;
	ev->frames = r->text.frames;
	ev->raw = str_head(r->text.win, end);
}

/* Reads the lines and the count of a stack in a map.  Returns false if more bytes are needed. */
static bool read_map(struct bpfstacks *r, struct str keys, size_t pos, struct event *ev)
{
	struct text *t = &r->text;
	struct str line, end_keys = { 0 };
	bool closed = false;

	take_keys(keys, ev);
	while (!closed && (pos < t->win.n || !t->whole) && pos <= TEXT_BLOCK_MAX) {
		if (!text_line(t, pos, &line, &pos))
			return false;
		line = text_without_cr(line);
		closed = closes_map(line, &end_keys, &ev->weight);
		/* The line ", " separates two stacks. */
		if (!closed && !text_is_blank(line) && line.p[0] != ',')
			push_frame(t, ev, line);
	}
	take_keys(end_keys, ev);
	finish(r, ev, pos);
	return true;
}

/* Takes name and pid from the last line, which was read as a frame. */
static void take_owner(struct bpfstacks *r, struct event *ev)
{
	if (ev->nframes &&
	    is_owner(r->text.frames[ev->nframes - 1].line, &ev->comm, &ev->pid)) {
		ev->tid = ev->pid;
		ev->nframes--;
	}
}

/* Reads an indented stack and its count.  Returns false if more bytes are needed. */
static bool read_stack(struct bpfstacks *r, struct event *ev)
{
	struct text *t = &r->text;
	struct str line;
	size_t pos = 0, next;
	bool counted = false;

	while (!counted && (pos < t->win.n || !t->whole) && pos <= TEXT_BLOCK_MAX) {
		if (!text_line(t, pos, &line, &next))
			return false;
		line = text_without_cr(line);
		if (text_is_blank(line) || !frameline_is_bpf(line))
			break;
		counted = is_count(line, &ev->weight);
		if (!counted && !is_delimiter(line))
			push_frame(t, ev, line);
		pos = next;
	}
	take_owner(r, ev);
	finish(r, ev, pos);
	return true;
}

static bool parse(struct text *t, struct event *ev)
{
	struct bpfstacks *r = (struct bpfstacks *)t;
	struct str line, keys;
	size_t next;

	*ev = (struct event){ .pid = -1, .tid = -1, .cpu = -1, .weight = 1 };
	ev->at = stream_at(t->stream);
	if (!text_line(t, 0, &line, &next))
		return false;
	line = text_without_cr(line);
	if (opens_map(line, &keys))
		return read_map(r, keys, next, ev);
	if (frameline_is_bpf(line))
		return read_stack(r, ev);
	ev->kind = EV_TEXT;
	ev->raw = str_head(t->win, next);
	return true;
}

/* Evidence for the format in the first lines. */
struct sniff {
	bool in_map;
	/*
	 * an indented line is source code or prose, so only maps of bpftrace can contain
	 * stacks
	 */
	bool prose;
	/*
	 * frames: number of lines in the current stack.  addresses: number of these lines
	 * that contain only an address
	 */
	size_t frames, addresses;
	int bits;
};

/*
 * Returns true if the line cannot be the name of a function.  It may be source code, a list, or
 * prose.
 */
static bool is_prose(struct str line)
{
	static const char *const within[] = { "/*", "*/",     " = ", "://",
		                              ". ", ", and ", "\\" };
	struct str s = str_trim(line);

	if (!s.n)
		return false;
	if (strchr(";,{}:.\"'`?!", s.p[s.n - 1]) || strchr("\"'`;,{}*|%>@", s.p[0]))
		return true;
	if (s.p[0] == '#' && !(s.n > 1 && str_is_digit(s.p[1])))
		return true;
	return STR_ANY(s, str_has, within);
}

static bool is_address_alone(struct str line)
{
	struct frame_text ft;

	return frameline_bpf(line, &ft) && ft.addr && !ft.func.n && !ft.module.n;
}

static void sniff_line(struct sniff *s, struct str line)
{
	struct str keys;
	uint64_t count;

	if (opens_map(line, &keys)) {
		*s = (struct sniff){ .in_map = true, .bits = s->bits, .prose = s->prose };
	} else if (s->in_map && closes_map(line, &keys, &count)) {
		if (s->frames)
			s->bits = MAP_BITS;
		s->in_map = false;
	} else if (!s->in_map && s->frames && is_count(line, &count)) {
		s->bits = s->bits > 16 ? s->bits : 16;
	} else if (text_is_blank(line)) {
		/* A stack whose lines all contain only an address counts as 10 bits of evidence. */
		if (!s->in_map && s->addresses > 1 && s->addresses == s->frames &&
		    s->bits < 10)
			s->bits = 10;
		s->frames = s->addresses = 0;
	} else if (s->in_map || frameline_is_bpf(line)) {
		s->frames++;
		s->addresses += is_address_alone(line);
		s->prose = s->prose || (!s->in_map && is_prose(line));
	} else {
		*s = (struct sniff){ .bits = s->bits, .prose = s->prose };
	}
}

static int bid(struct str head)
{
	struct sniff s = { 0 };

	for (int i = 0; i < BID_LINES && head.n; i++) {
		struct str line = text_without_cr(str_cut(&head, '\n'));

		if (line.n && memchr(line.p, '\0', line.n))
			return 0;
		sniff_line(&s, line);
	}
	sniff_line(&s, STR(""));
	return s.prose && s.bits < MAP_BITS ? 0 : s.bits;
}

static struct reader *open_stacks(struct source *s, size_t member, struct arena *run,
                                  struct diag *diag)
{
	struct text *t = text_open(s, member, run, diag, &bpfstacks_format,
	                           sizeof(struct bpfstacks));

	if (!t)
		return NULL;
	t->parse = parse;
	return &t->base;
}

const struct format bpfstacks_format = {
	.name = "stacks of BCC or bpftrace",
	.what = "these are stacks of BCC or bpftrace",
	.traits = { .sets = READ_SAMPLES, .rank = 4, .states_weights = true },
	.bid = bid,
	.open = open_stacks,
	.next = text_next,
	.rewind = text_rewind,
	.hold = text_hold,
	.held = text_held,
	.progress = text_progress,
	.close = text_close,
};
