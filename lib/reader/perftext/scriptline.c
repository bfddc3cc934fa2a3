/*
 * One line of perf script text: records and frames.
 *
 *	app 1 0.5: PERF_RECORD_MMAP2 1/1: [0x7f00(0x4000) @ 0 fe:00 83 29]: r-xp /x.dll
 *		            7f00 foo(int)+0x10 (/opt/App (x86)/lib.so)
 */
#include <sys/mman.h>

#include "reader/perftext/bpfline.h"
#include "reader/perftext/perfscript.h"

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

	if (!script_take_id(&s, &ev->pid) || !expect(&s, STR("/")) ||
	    !script_take_id(&s, &ev->tid) || !expect(&s, STR(": [")) ||
	    !take_0x(&s, &m->start) || !expect(&s, STR("(")) || !take_0x(&s, &m->len) ||
	    !expect(&s, STR(") @ ")) || !take_0x(&s, &m->file_off))
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

size_t script_build_id(struct str rest, char out[SCRIPT_BUILD_ID])
{
	struct str record = str_head(rest, str_search(rest, STR("]: ")));
	struct str hex = str_from(record, str_find(record, '<') + 1);
	size_t n = 0;

	while (n < SCRIPT_BUILD_ID && hex.n > 1) {
		struct str byte = str_head(hex, 2);
		uint64_t v;

		if (!str_take_hex(&byte, &v) || byte.n)
			return n;
		out[n++] = (char)v;
		hex = str_from(hex, 2);
	}
	return n;
}

/* "exec: name:12/34"; the name may hold colons. */
static bool parse_comm(struct str s, struct event *ev)
{
	size_t at;
	struct str ids;

	ev->exec = expect(&s, STR("exec"));
	if (!expect(&s, STR(":")))
		return false;
	s = script_trim_left(s);
	at = str_rfind(s, ':');
	ids = str_from(s, at + 1);
	if (at == s.n || !script_take_id(&ids, &ev->pid) || !expect(&ids, STR("/")) ||
	    !script_take_id(&ids, &ev->tid))
		return false;
	ev->comm = str_head(s, at);
	return true;
}

/* "(12:34):(5:6)" */
static bool parse_fork(struct str s, struct event *ev)
{
	return expect(&s, STR("(")) && script_take_id(&s, &ev->pid) &&
	       expect(&s, STR(":")) && script_take_id(&s, &ev->tid) &&
	       expect(&s, STR("):(")) && script_take_id(&s, &ev->ppid) &&
	       expect(&s, STR(":")) && script_take_id(&s, &ev->ptid);
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
		if (parse_comm(script_trim_left(body), ev))
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
	size_t i = str_rfind(s, ')'), open, depth = 0;

	if (i == s.n)
		return s.n;
	*end = i + 1;
	/* Nearly always the group has no other in it. */
	open = str_rfind(str_head(s, i), '(');
	if (open < i && (!open || script_is_gap(s.p[open - 1])) &&
	    !memchr(s.p + open, ')', i - open))
		return open;
	for (i++; i-- > 0;) {
		if (s.p[i] == ')')
			depth++;
		else if (s.p[i] == '(' && !--depth && (!i || script_is_gap(s.p[i - 1])))
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
	if (at && at + 1 < s.n && script_is_gap(s.p[at - 1]) &&
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
	if (!str_take_hex(&s, &ft->addr) || (s.n && !script_is_gap(*s.p)))
		return false;
	body = s.n ? str_from(s, 1) : s;
	group = last_group(body, &end);
	if (group < body.n && end < body.n && !script_is_gap(body.p[end]))
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

bool reader_frame_text(const struct frame *f, struct frame_text *ft)
{
	if (f->form == LINE_BPF)
		return bpf_parse_frame(f->line, ft);
	if (!reader_parse_frame(f->line, ft))
		return false;
	ft->inlined = ft->inlined || f->inlined;
	return true;
}
