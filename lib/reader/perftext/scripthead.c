/*
 * Parses headers of samples in perf script text, with any fields:
 *
 * 	SQL 2016 node 12/13 [001] 10.500000:    7 cycles:u: ...
 * 	  comm  pid/tid cpu  time      period event   rest
 * 	node  6762    1001001 cpu-clock:
 * 	  comm tid     period event
 *
 * Layout: perf_sample__fprintf_start of tools/perf/builtin-script.c.  Without a time, numbers are
 * distinguished by the width to which perf pads them.
 */
#include "reader/perftext/scripthead.h"

#include <sys/mman.h>

#include "base/clock.h"
#include "reader/perftext/frameline.h"
#include "reader/perftext/known_heads.h"
#include "reader/perftext/text.h"

enum {
	COMM_BYTES = 15, /* TASK_COMM_LEN without its NUL */
	FRACTION = 6,    /* minimum number of decimals of a time */
	/* maximum number of words before the time: pid, cpu, misc and date */
	WORDS_BEFORE = 6,
	PERIOD_WIDTH = 10, /* width of "%10lu " */
	ID_WIDTH = 5,      /* width of "%5d " */
	IP_WIDTH = 16,     /* width of " %16lx" */
};

static bool take_id(struct str *s, int32_t *out)
{
	bool minus = s->n && *s->p == '-';
	struct str t = minus ? str_from(*s, 1) : *s;
	uint64_t v;

	if (!str_take_dec(&t, &v) || v > INT32_MAX)
		return false;
	*out = minus ? -(int32_t)v : (int32_t)v;
	*s = t;
	return true;
}

/* Removes the last word and the blanks around it from *s, and returns the word. */
static struct str pop_word(struct str *s)
{
	size_t end, begin;

	while (s->n && text_is_gap(s->p[s->n - 1]))
		s->n--;
	end = begin = s->n;
	while (begin && !text_is_gap(s->p[begin - 1]))
		begin--;
	s->n = begin;
	return (struct str){ s->p + begin, end - begin };
}

/* Parses a tid, "34", or a pid and a tid, "12/34". */
static bool parse_ids(struct str word, struct script_header *h)
{
	h->pid = -1;
	if (!take_id(&word, &h->tid))
		return false;
	if (!word.n)
		return true;
	if (*word.p != '/')
		return false;
	h->pid = h->tid;
	word = str_from(word, 1);
	return take_id(&word, &h->tid) && !word.n;
}

/* Parses a cpu, "[003]".  perf prints "[-01]" for an unknown cpu. */
static bool parse_cpu(struct str word, int32_t *out)
{
	uint64_t v;

	if (str_eq(word, STR("[-01]")) || str_eq(word, STR("[-1]"))) {
		*out = -1;
		return true;
	}
	if (word.n < 3 || word.p[0] != '[' || word.p[word.n - 1] != ']' ||
	    !str_is_dec((struct str){ word.p + 1, word.n - 2 }, &v) || v > INT32_MAX)
		return false;
	*out = (int32_t)v;
	return true;
}

/*
 * Returns true for words between pid and time that are skipped: misc letters (-F +misc) and a
 * date (+tod).
 */
static bool is_ignored(struct str word)
{
	size_t i = 0;

	while (i < word.n && memchr("KUHGgMESp", word.p[i], 9))
		i++;
	if (word.n && i == word.n)
		return true;
	for (i = 0; i < word.n; i++)
		if (!str_is_digit(word.p[i]) && !memchr("-:.", word.p[i], 3))
			return false;
	return word.n >= 10 && (word.p[4] == '-' || word.p[2] == ':');
}

/* Parses the text before the time: comm, pid, cpu. */
static bool parse_before(struct str s, struct script_header *h)
{
	struct str word;

	for (int words = 0; words < WORDS_BEFORE; words++) {
		word = pop_word(&s);
		if (parse_ids(word, h)) {
			h->comm = str_trim(s);
			return true;
		}
		if (!(h->cpu < 0 && parse_cpu(word, &h->cpu)) && !is_ignored(word))
			return false;
	}
	return false;
}

/* Reads n digits before *end, and moves *end to the first digit.  Returns n, at most 18. */
static size_t digits_before(struct str line, size_t *end, uint64_t *out)
{
	uint64_t v = 0, power = 1;
	size_t i = *end, n;

	for (; i && str_is_digit(line.p[i - 1]) && *end - i < 18; i--) {
		v += (uint64_t)(line.p[i - 1] - '0') * power;
		power *= 10;
	}
	n = *end - i;
	*end = i;
	*out = v;
	return n;
}

/*
 * Returns true if there is a time before the colon.  A time has a decimal point and up to nine
 * decimals.
 */
static bool time_before(struct str line, size_t colon, size_t *begin, uint64_t *ns)
{
	static const uint32_t scale[] = { 0,     100000000, 10000000, 1000000, 100000,
		                          10000, 1000,      100,      10,      1 };
	size_t i = colon, n;
	uint64_t sec, frac;

	n = digits_before(line, &i, &frac);
	if (!n || n > 9 || !i || line.p[i - 1] != '.')
		return false;
	i--;
	if (!digits_before(line, &i, &sec) || (i && !text_is_gap(line.p[i - 1])) ||
	    sec > UINT64_MAX / CLOCK_SECOND_NS - 1)
		return false;
	*begin = i;
	*ns = sec * CLOCK_SECOND_NS + frac * scale[n];
	return true;
}

/*
 * Returns the width to which perf has padded `word` with blanks on the left.  If other words
 * precede `word`, the first blank is a separator.
 */
static size_t width_of(struct str s, struct str word)
{
	const char *p = word.p;

	while (p > s.p && p[-1] == ' ')
		p--;
	return (size_t)(word.p + word.n - p) - (p > s.p && p < word.p);
}

/* Returns true for an event with its colon, such as "cycles:u:", but not for a lone ":". */
static bool is_event(struct str word)
{
	return word.n > 1 && word.p[word.n - 1] == ':';
}

/* Parses the text after the time: a sample's period and event, or the type of another record. */
static void parse_after(struct str s, struct script_header *h)
{
	struct str t = text_trim_left(s), word = text_word(t);
	uint64_t v;

	if (str_is_dec(word, &v) && word.n < t.n && width_of(s, word) < IP_WIDTH) {
		h->has_period = true;
		h->period = v;
		s = str_from(t, word.n);
	}
	s = text_trim_left(s);
	word = text_word(s);
	if (str_starts(word, STR("PERF_RECORD_"))) {
		h->record = word;
		s = str_from(s, word.n);
	} else if (is_event(word)) {
		h->event = str_head(word, word.n - 1);
		s = str_from(s, word.n);
	}
	h->rest = str_trim(s);
}

/*
 * Removes a period from the end of *s.  A number is a period if it is padded like a period, or if
 * it follows a tid or cpu.  In "job 7 99", 99 is the tid unless it is padded.
 */
static void take_period(struct str *s, struct script_header *h)
{
	struct script_header ignored;
	struct str before = *s, word = pop_word(&before), last;
	struct str rest = before;
	size_t width = width_of(*s, word);
	uint64_t v;
	int32_t cpu;

	if (!str_is_dec(word, &v))
		return;
	last = pop_word(&rest);
	if (width < PERIOD_WIDTH &&
	    ((width == ID_WIDTH && word.n < ID_WIDTH) ||
	     !(parse_ids(last, &ignored) || parse_cpu(last, &cpu))))
		return;
	h->has_period = true;
	h->period = v;
	*s = before;
}

/* Parses a header without time.  It ends with an event, and has a number after the comm. */
static bool parse_untimed(struct str line, struct script_header *h)
{
	struct str s = str_trim(line), word;

	if (!str_ends(s, STR(":")))
		return false;
	word = pop_word(&s);
	if (!is_event(word))
		return false;
	h->event = str_head(word, word.n - 1);
	h->rest = (struct str){ s.p + s.n, 0 };
	take_period(&s, h);
	return parse_before(s, h) && h->comm.n;
}

/* Parses the text before the event or time: any of comm, ids and cpu. */
static bool parse_any_before(struct str s, struct script_header *h)
{
	struct str rest = s, word;

	h->comm = str_trim(s);
	h->pid = h->tid = h->cpu = -1;
	for (int words = 0; words < WORDS_BEFORE; words++) {
		struct str all = rest;

		word = pop_word(&rest);
		if (parse_ids(word, h) && (h->pid >= 0 || !str_trim(rest).n ||
		                           width_of(all, word) >= ID_WIDTH)) {
			h->comm = str_trim(rest);
			break;
		}
		h->pid = h->tid = -1;
		if (!(h->cpu < 0 && parse_cpu(word, &h->cpu)) && !is_ignored(word))
			break;
		h->comm = str_trim(rest);
	}
	return true;
}

static bool know_before(struct known_heads *k, struct str s, struct script_header *h)
{
	if (k && known_heads_find_before(k, s, h))
		return true;
	if (!parse_before(s, h))
		return false;
	if (k)
		known_heads_keep_before(k, s, h);
	return true;
}

static void know_after(struct known_heads *k, struct str s, struct script_header *h)
{
	if (k && known_heads_find_after(k, s, h))
		return;
	parse_after(s, h);
	if (k && !h->record.n)
		known_heads_keep_after(k, s, h);
}

/*
 * Finds the next time at or after *at, parses the text before it, and moves *at to the byte after
 * the colon of the time.  If `loose` is set, comm and ids may be missing.
 */
static bool next_time(struct str line, struct known_heads *k, bool loose, size_t *at,
                      struct script_header *h)
{
	size_t begin;

	for (; (*at += str_find(str_from(line, *at), ':')) < line.n; ++*at) {
		h->cpu = -1;
		if ((*at + 1 == line.n || text_is_gap(line.p[*at + 1])) &&
		    time_before(line, *at, &begin, &h->time_ns) &&
		    (know_before(k, str_head(line, begin), h) ||
		     (loose && parse_any_before(str_head(line, begin), h)))) {
			++*at;
			return true;
		}
	}
	return false;
}

/*
 * If a comm contains text that looks like a time, next_time may find this text.  This function
 * then moves *at to the header's own time.  perf pads the comm to its maximum length, so the
 * header's own time begins after these bytes.
 */
static void pass_comm(struct str line, size_t *at, struct script_header *h)
{
	const char *begin = text_trim_left(line).p;
	struct script_header own = *h;
	size_t end = *at;

	while (line.p + *at - begin <= COMM_BYTES &&
	       next_time(line, NULL, false, &end, &own)) {
		struct str s = str_span(begin, line.p + end - 1);

		if (s.n <= COMM_BYTES || s.n - str_rfind(s, '.') <= FRACTION)
			continue;
		*h = own;
		*at = end;
	}
}

static bool parse_timed(struct str line, struct known_heads *k, bool loose,
                        struct script_header *h)
{
	size_t at = 0;

	if (!next_time(line, k, loose, &at, h))
		return false;
	pass_comm(line, &at, h);
	h->has_time = true;
	know_after(k, str_from(line, at), h);
	return true;
}

bool scripthead_parse(struct str line, struct known_heads *k, struct script_header *h)
{
	*h = (struct script_header){ .pid = -1, .tid = -1, .cpu = -1 };
	return parse_timed(line, k, false, h) || parse_untimed(line, h);
}

/*
 * Returns the event of a line without time: the first word that ends with a colon, or else the
 * last word.
 */
static struct str find_event(struct str line)
{
	struct str rest = str_trim(line), word = rest;

	if (str_ends(rest, STR(":")))
		return pop_word(&word);
	while (rest.n && !is_event(word = text_word(rest)))
		rest = text_trim_left(str_from(rest, word.n));
	return rest.n ? word : rest;
}

/*
 * Returns the start of a line, up to the cpu.  Use it for a line without an event.  The text of a
 * tracepoint may follow the cpu.
 */
static struct str until_cpu(struct str line, struct script_header *h)
{
	struct str rest = text_trim_left(line), word;
	int32_t cpu;

	while (rest.n) {
		word = text_word(rest);
		rest = text_trim_left(str_from(rest, word.n));
		if (!parse_cpu(word, &cpu))
			continue;
		h->rest = str_trim(rest);
		return str_span(line.p, word.p + word.n);
	}
	return line;
}

void scripthead_parse_loose(struct str line, struct script_header *h)
{
	struct str event, before = line;

	if (scripthead_parse(line, NULL, h))
		return;
	*h = (struct script_header){ .pid = -1, .tid = -1, .cpu = -1 };
	if (parse_timed(line, NULL, true, h))
		return;
	event = find_event(line);
	if (is_event(event)) {
		h->event = str_head(event, event.n - 1);
		h->rest = str_trim(str_span(event.p + event.n, line.p + line.n));
		before = str_span(line.p, event.p);
	} else {
		before = until_cpu(line, h);
	}
	take_period(&before, h);
	parse_any_before(before, h);
}

/*
 * If the first field is a hexadecimal word, it must exceed this value to be an address.  "a" may
 * be an English article, and "C" a language.
 */
enum { FIRST_PAGES = 0xffff };

/*
 * Returns false if s has only blanks and punctuation, for example the start of a comment line.
 */
static bool has_fields(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (str_is_alnum(s.p[i]))
			return true;
	return false;
}

bool scripthead_lone_frame(struct str line, struct str *frame)
{
	struct frame_text ft;
	struct str rest = line, word;
	uint64_t addr;

	while (rest.n) {
		struct str all = rest, digits = word = pop_word(&rest);

		if (word.p > line.p && str_take_hex(&digits, &addr) && !digits.n &&
		    width_of(all, word) >= IP_WIDTH &&
		    (addr > FIRST_PAGES || has_fields(str_span(line.p, word.p)))) {
			*frame = str_span(word.p, line.p + line.n);
			return frameline_perf(*frame, &ft) && ft.module.n;
		}
	}
	return false;
}

/* Reads a number in the form %#lx.  Zero has no 0x in this form. */
static bool take_0x(struct str *s, uint64_t *out)
{
	struct str t = *s;

	if (str_skip(&t, STR("0x")) && str_take_hex(&t, out)) {
		*s = t;
		return true;
	}
	return str_take_hex(s, out);
}

/* Parses " 1/1: [0x7f00(0x4000) @ 0 fe:00 83 29]: r-xp /x.dll". */
static bool parse_mmap(struct str s, struct event *ev)
{
	struct mmap_event *m = &ev->map;
	struct str prot;
	size_t at;

	if (!take_id(&s, &ev->pid) || !str_skip(&s, STR("/")) || !take_id(&s, &ev->tid) ||
	    !str_skip(&s, STR(": [")) || !take_0x(&s, &m->start) ||
	    !str_skip(&s, STR("(")) || !take_0x(&s, &m->len) ||
	    !str_skip(&s, STR(") @ ")) || !take_0x(&s, &m->file_off))
		return false;
	at = str_search(s, STR("]: "));
	if (at == s.n)
		return false;
	s = str_from(s, at + 3);
	prot = str_cut(&s, ' ');
	m->prot = PROT_EXEC;
	if (prot.n == 4)
		m->prot = (prot.p[0] == 'r' ? PROT_READ : 0u) |
		          (prot.p[1] == 'w' ? PROT_WRITE : 0u) |
		          (prot.p[2] == 'x' ? PROT_EXEC : 0u);
	else if (!str_eq(prot, STR("x")))
		m->prot = PROT_READ;
	m->path = s;
	m->cpumode = ev->pid < 0 ? MODE_KERNEL : MODE_USER;
	/* perf appends the name of a reference symbol to the path of the kernel. */
	if (str_starts(s, STR("[kernel.kallsyms]")))
		m->path = str_head(s, 17);
	return s.n != 0;
}

size_t scripthead_build_id(struct str rest, char out[SCRIPTHEAD_BUILD_ID])
{
	struct str record = str_head(rest, str_search(rest, STR("]: ")));
	struct str hex = str_from(record, str_find(record, '<') + 1);
	size_t n = 0;

	while (n < SCRIPTHEAD_BUILD_ID && hex.n > 1) {
		struct str byte = str_head(hex, 2);
		uint64_t v;

		if (!str_take_hex(&byte, &v) || byte.n)
			return n;
		out[n++] = (char)v;
		hex = str_from(hex, 2);
	}
	return n;
}

/* Parses "exec: name:12/34".  The name may contain colons. */
static bool parse_comm(struct str s, struct event *ev)
{
	size_t at;
	struct str ids;

	ev->exec = str_skip(&s, STR("exec"));
	if (!str_skip(&s, STR(":")))
		return false;
	s = text_trim_left(s);
	at = str_rfind(s, ':');
	ids = str_from(s, at + 1);
	if (at == s.n || !take_id(&ids, &ev->pid) || !str_skip(&ids, STR("/")) ||
	    !take_id(&ids, &ev->tid))
		return false;
	ev->comm = str_head(s, at);
	return true;
}

/* Parses "(12:34):(5:6)". */
static bool parse_fork(struct str s, struct event *ev)
{
	return str_skip(&s, STR("(")) && take_id(&s, &ev->pid) &&
	       str_skip(&s, STR(":")) && take_id(&s, &ev->tid) &&
	       str_skip(&s, STR("):(")) && take_id(&s, &ev->ppid) &&
	       str_skip(&s, STR(":")) && take_id(&s, &ev->ptid);
}

/* Parses "OUT preempt next pid/tid: 12/34" or "IN".  perf prints the ids only with -a. */
static bool parse_switch(struct str s, struct other_fields *other)
{
	*other = (struct other_fields){ .out = str_skip(&s, STR("OUT")) };
	if (!other->out && !str_skip(&s, STR("IN")))
		return false;
	other->preempt = other->out && str_skip(&s, STR(" preempt"));
	s = str_trim(s);
	if (!str_skip(&s, STR("next pid/tid:")) && !str_skip(&s, STR("prev pid/tid:")))
		return !s.n;
	other->wide = true;
	s = text_trim_left(s);
	return take_id(&s, &other->other_pid) && str_skip(&s, STR("/")) &&
	       take_id(&s, &other->other_tid) && !s.n;
}

void scripthead_record(const struct script_header *h, struct event *ev,
                       struct other_fields *other)
{
	struct str name = str_head(h->record, str_find(h->record, '('));
	struct str all = str_span(h->record.p, h->rest.p + h->rest.n);
	struct str body = str_from(all, name.n);

	if (name.n && name.p[name.n - 1] == ':')
		name.n--, body = str_from(all, name.n);
	if (str_eq(name, STR("PERF_RECORD_MMAP")) ||
	    str_eq(name, STR("PERF_RECORD_MMAP2"))) {
		if (parse_mmap(h->rest, ev))
			ev->kind = EV_MMAP;
	} else if (str_eq(name, STR("PERF_RECORD_COMM"))) {
		if (parse_comm(text_trim_left(body), ev))
			ev->kind = EV_COMM;
	} else if (str_eq(name, STR("PERF_RECORD_FORK"))) {
		if (parse_fork(body, ev))
			ev->kind = EV_FORK;
	} else if (str_eq(name, STR("PERF_RECORD_EXIT"))) {
		if (parse_fork(body, ev))
			ev->kind = EV_EXIT;
	} else if (str_eq(name, STR("PERF_RECORD_LOST"))) {
		body = text_trim_left(body);
		if (str_skip(&body, STR("lost ")) && str_is_dec(body, &ev->weight))
			ev->kind = EV_LOST;
	} else if (str_starts(name, STR("PERF_RECORD_SWITCH"))) {
		if (parse_switch(h->rest, other)) {
			ev->kind = EV_SWITCH;
			ev->other = other;
		}
	}
}
