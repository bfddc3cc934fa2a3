/*
 * One line of perf script text: headers, records, frames.
 *
 *	SQL 2016 node 12/13 [001] 10.500000:    7 cycles:u: ...
 *	  comm        pid/tid cpu  time      period event   rest
 *	app 1 0.5: PERF_RECORD_MMAP2 1/1: [0x7f00(0x4000) @ 0 fe:00 83 29]: r-xp /x.dll
 *		            7f00 foo(int)+0x10 (/opt/App (x86)/lib.so)
 */
#include <sys/mman.h>

#include "reader/perfscript.h"

static bool is_gap(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct str trim_left(struct str s)
{
	while (s.n && is_gap(*s.p))
		s = str_from(s, 1);
	return s;
}

/* Takes the last word off *s, and the blanks around it. */
static struct str pop_word(struct str *s)
{
	size_t end, begin;

	while (s->n && is_gap(s->p[s->n - 1]))
		s->n--;
	end = begin = s->n;
	while (begin && !is_gap(s->p[begin - 1]))
		begin--;
	s->n = begin;
	return (struct str){ s->p + begin, end - begin };
}

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

/* "34" or "12/34", whole. */
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

static bool parse_cpu(struct str word, int32_t *out)
{
	uint64_t v;

	if (word.n < 3 || word.p[0] != '[' || word.p[word.n - 1] != ']' ||
	    !str_is_dec((struct str){ word.p + 1, word.n - 2 }, &v) || v > INT32_MAX)
		return false;
	*out = (int32_t)v;
	return true;
}

/* Between pid and time may stand the cpu, misc letters (-F +misc), a date (+tod). */
static bool is_ignored(struct str word)
{
	size_t i = 0;

	while (i < word.n && memchr("KUHGgMESp", word.p[i], 9))
		i++;
	if (word.n && i == word.n)
		return true;
	for (i = 0; i < word.n; i++)
		if (!is_digit(word.p[i]) && !memchr("-:.", word.p[i], 3))
			return false;
	return word.n >= 10 && (word.p[4] == '-' || word.p[2] == ':');
}

/* What stands before the time: comm, pid, cpu. */
static bool parse_before(struct str s, struct script_header *h)
{
	struct str word;

	for (int words = 0; words < 6; words++) {
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

/* Digits, a point and up to nine digits end right before the colon at `colon`. */
static bool time_before(struct str line, size_t colon, size_t *begin, uint64_t *ns)
{
	size_t i = colon, point;
	uint64_t sec = 0, frac = 0, scale = 1000000000;
	struct str s;

	while (i && is_digit(line.p[i - 1]))
		i--;
	if (i == colon || colon - i > 9 || !i || line.p[i - 1] != '.')
		return false;
	point = i - 1;
	for (i = point; i && is_digit(line.p[i - 1]); i--)
		;
	s = str_span(line.p + i, line.p + point);
	if (i == point || (i && !is_gap(line.p[i - 1])) || !str_take_dec(&s, &sec) ||
	    sec > UINT64_MAX / scale - 1)
		return false;
	for (size_t k = point + 1; k < colon; k++) {
		scale /= 10;
		frac += (uint64_t)(line.p[k] - '0') * scale;
	}
	*begin = i;
	*ns = sec * 1000000000 + frac;
	return true;
}

/* Period, event and what follows; or a record that is no sample. */
static void parse_after(struct str s, struct script_header *h)
{
	struct str t = trim_left(s), word;
	uint64_t v;
	size_t n;

	if (str_take_dec(&t, &v) && t.n && is_gap(*t.p)) {
		h->has_period = true;
		h->period = v;
		s = t;
	}
	s = trim_left(s);
	for (n = 0; n < s.n && !is_gap(s.p[n]); n++)
		;
	word = str_head(s, n);
	if (str_starts(word, STR("PERF_RECORD_"))) {
		h->record = word;
		s = str_from(s, n);
	} else if (n > 1 && word.p[n - 1] == ':') {
		h->event = str_head(word, n - 1);
		s = str_from(s, n);
	}
	h->rest = str_trim(s);
}

/* Without a time: the first number behind the comm, and an event that ends in ':'. */
static bool parse_untimed(struct str line, struct script_header *h)
{
	struct str s = trim_left(line), word = { 0 };
	const char *comm = s.p;

	if (!str_ends(str_trim(line), STR(":")))
		return false;
	while (s.n) {
		size_t n = 0;

		while (n < s.n && !is_gap(s.p[n]))
			n++;
		word = str_head(s, n);
		if (word.p > comm && parse_ids(word, h))
			break;
		s = trim_left(str_from(s, n));
	}
	if (!s.n)
		return false;
	h->comm = str_trim(str_span(comm, word.p));
	s = trim_left(str_from(s, word.n));
	word = str_head(s, str_find(s, ' '));
	if (parse_cpu(word, &h->cpu))
		s = str_from(s, word.n);
	parse_after(s, h);
	return h->event.n != 0;
}

bool script_parse_header(struct str line, struct script_header *h)
{
	struct str rest;
	size_t at = 0, begin;

	*h = (struct script_header){ .pid = -1, .tid = -1, .cpu = -1 };
	while ((at += str_find(str_from(line, at), ':')) < line.n) {
		if ((at + 1 == line.n || is_gap(line.p[at + 1])) &&
		    time_before(line, at, &begin, &h->time_ns) &&
		    parse_before(str_head(line, begin), h)) {
			h->has_time = true;
			rest = str_from(line, at + 1);
			parse_after(rest, h);
			return true;
		}
		h->cpu = -1;
		at++;
	}
	return parse_untimed(line, h);
}

static bool expect(struct str *s, struct str what)
{
	if (!str_starts(*s, what))
		return false;
	*s = str_from(*s, what.n);
	return true;
}

/* perf prints %#lx, so zero has no 0x in front. */
static bool take_0x(struct str *s, uint64_t *out)
{
	struct str t = *s;

	if (expect(&t, STR("0x")) && str_take_hex(&t, out)) {
		*s = t;
		return true;
	}
	return str_take_hex(s, out);
}

/* " 1/1: [0x7f00(0x4000) @ 0 fe:00 83 29]: r-xp /x.dll" */
static bool parse_mmap(struct str s, struct event *ev)
{
	struct mmap_event *m = &ev->map;
	struct str prot;
	size_t at;

	if (!take_id(&s, &ev->pid) || !expect(&s, STR("/")) || !take_id(&s, &ev->tid) ||
	    !expect(&s, STR(": [")) || !take_0x(&s, &m->start) || !expect(&s, STR("(")) ||
	    !take_0x(&s, &m->len) || !expect(&s, STR(") @ ")) ||
	    !take_0x(&s, &m->file_off))
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
	/* The kernel's mapping is printed with the name of its reference symbol. */
	if (str_starts(s, STR("[kernel.kallsyms]")))
		m->path = str_head(s, 17);
	return s.n != 0;
}

/* "exec: name:12/34"; the name may hold colons. */
static bool parse_comm(struct str s, struct event *ev)
{
	size_t at;
	struct str ids;

	ev->exec = expect(&s, STR("exec"));
	if (!expect(&s, STR(":")))
		return false;
	s = trim_left(s);
	at = str_rfind(s, ':');
	ids = str_from(s, at + 1);
	if (at == s.n || !take_id(&ids, &ev->pid) || !expect(&ids, STR("/")) ||
	    !take_id(&ids, &ev->tid))
		return false;
	ev->comm = str_head(s, at);
	return true;
}

/* "(12:34):(5:6)" */
static bool parse_fork(struct str s, struct event *ev)
{
	return expect(&s, STR("(")) && take_id(&s, &ev->pid) && expect(&s, STR(":")) &&
	       take_id(&s, &ev->tid) && expect(&s, STR("):(")) &&
	       take_id(&s, &ev->ppid) && expect(&s, STR(":")) && take_id(&s, &ev->ptid);
}

void script_parse_record(const struct script_header *h, struct event *ev)
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
		if (parse_comm(trim_left(body), ev))
			ev->kind = EV_COMM;
	} else if (str_eq(name, STR("PERF_RECORD_FORK"))) {
		if (parse_fork(body, ev))
			ev->kind = EV_FORK;
	} else if (str_eq(name, STR("PERF_RECORD_EXIT"))) {
		if (parse_fork(body, ev))
			ev->kind = EV_EXIT;
	}
}

/*
 * Where the last group of balanced parentheses begins that stands behind a blank;
 * s.n when there is none.  *end is behind its ')'.
 */
static size_t last_group(struct str s, size_t *end)
{
	size_t i = str_rfind(s, ')'), depth = 0;

	if (i == s.n)
		return s.n;
	*end = i + 1;
	for (i++; i-- > 0;) {
		if (s.p[i] == ')')
			depth++;
		else if (s.p[i] == '(' && !--depth && (!i || is_gap(s.p[i - 1])))
			return i;
		else if (!depth && s.p[i] == '(')
			return s.n;
	}
	return s.n;
}

/* A line cut off inside its module: "start_thread (/lib/x86_64-linux-gnu". */
static size_t cut_group(struct str s, size_t *end)
{
	size_t at = str_rfind(s, '(');

	*end = 0;
	if (at && at + 1 < s.n && is_gap(s.p[at - 1]) &&
	    (s.p[at + 1] == '/' || s.p[at + 1] == '[') &&
	    !memchr(s.p + at, ')', s.n - at))
		return at;
	return s.n;
}

/* The offset perf prints behind a name; only the last counts. */
static void split_offset(struct frame_text *ft)
{
	struct str s = ft->func, digits;
	size_t at = str_rfind(s, '+');

	digits = str_from(s, at + 1);
	if (at == s.n || !expect(&digits, STR("0x")) ||
	    !str_take_hex(&digits, &ft->func_off) || digits.n)
		return;
	ft->func = str_head(s, at);
	ft->has_off = true;
}

bool reader_parse_frame(struct str line, struct frame_text *ft)
{
	struct str s = str_trim(line), body;
	size_t group, end = 0;

	*ft = (struct frame_text){ 0 };
	if (!str_take_hex(&s, &ft->addr) || (s.n && !is_gap(*s.p)))
		return false;
	body = s.n ? str_from(s, 1) : s;
	group = last_group(body, &end);
	if (group < body.n && end < body.n && !is_gap(body.p[end]))
		group = body.n; /* part of a type, as in "function<void (int)>" */
	if (group == body.n)
		group = cut_group(body, &end);
	ft->func = str_trim(str_head(body, group));
	if (group < body.n && end > group) {
		ft->module = str_span(body.p + group + 1, body.p + end - 1);
		ft->tail = str_trim(str_from(body, end));
		ft->inlined = str_eq(ft->module, STR("inlined"));
	}
	split_offset(ft);
	if (str_eq(ft->func, STR("[unknown]")))
		ft->func.n = 0;
	return true;
}
