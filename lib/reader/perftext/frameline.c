/*
 * Frames as perf script prints them:
 *
 *	            7f00 foo(int)+0x10 (/opt/App (x86)/lib.so)
 *
 * and as BCC and bpftrace do:
 *
 *	  7f773651f267     System.Console.Write+0x12 (System.Console.dll)
 *	    #0  0x00007f773651f267 main+0x2 (/usr/bin/app+0x1136)
 *	    native_safe_halt+42
 *		    7f773651f267 0x7f773651f267 ([unknown])
 *	7f773651f267
 */
#include "reader/perftext/frameline.h"

#include "reader/perftext/text.h"

enum {
	FEWEST_DIGITS = 8
}; /* digits of an address without 0x; what is shorter may be a name */

/*
 * Index of the last group of balanced parentheses behind a blank; s.n when there is none.
 * *end is behind its ')'.
 */
static size_t last_group(struct str s, size_t *end)
{
	size_t i = str_rfind(s, ')'), open, depth = 0;

	if (i == s.n)
		return s.n;
	*end = i + 1;
	/* The usual case: the group contains no other parentheses. */
	open = str_rfind(str_head(s, i), '(');
	if (open < i && (!open || text_is_gap(s.p[open - 1])) &&
	    !memchr(s.p + open, ')', i - open))
		return open;
	for (i++; i-- > 0;) {
		if (s.p[i] == ')')
			depth++;
		else if (s.p[i] == '(' && !--depth && (!i || text_is_gap(s.p[i - 1])))
			return i;
		else if (!depth && s.p[i] == '(')
			return s.n;
	}
	return s.n;
}

/*
 * Index of a module that the end of the line cuts off: "start_thread (/lib/x86_64-linux-
 * gnu".
 */
static size_t cut_group(struct str s, size_t *end)
{
	size_t at = str_rfind(s, '(');

	*end = 0;
	if (at && at + 1 < s.n && text_is_gap(s.p[at - 1]) &&
	    (s.p[at + 1] == '/' || s.p[at + 1] == '[') &&
	    !memchr(s.p + at, ')', s.n - at))
		return at;
	return s.n;
}

/*
 * The offset behind a name, of which only the last counts: "+0x2a", from bpftrace
 * "+42".
 */
static void split_offset(struct frame_text *ft, bool bpf)
{
	struct str s = ft->func, digits;
	size_t at = str_rfind(s, '+');

	digits = str_from(s, at + 1);
	if (at == s.n || (bpf && !at))
		return;
	if (str_starts(digits, STR("0x")))
		ft->has_off = str_is_hex(digits, &ft->func_off);
	else if (bpf)
		ft->has_off = str_is_dec(digits, &ft->func_off);
	if (ft->has_off)
		ft->func = str_head(s, at);
}

bool frameline_perf(struct str line, struct frame_text *ft)
{
	struct str s = str_trim(line), body;
	size_t group, end = 0;

	*ft = (struct frame_text){ 0 };
	if (!str_take_hex(&s, &ft->addr) || (s.n && !text_is_gap(*s.p)))
		return false;
	body = s.n ? str_from(s, 1) : s;
	group = last_group(body, &end);
	if (group < body.n && end < body.n && !text_is_gap(body.p[end]))
		group = body.n; /* part of a type, as in "function<void (int)>" */
	if (group == body.n)
		group = cut_group(body, &end);
	ft->func = str_trim(str_head(body, group));
	if (group < body.n && end > group) {
		ft->module = str_span(body.p + group + 1, body.p + end - 1);
		ft->tail = str_trim(str_from(body, end));
		ft->inlined = str_eq(ft->module, STR("inlined"));
	}
	split_offset(ft, false);
	if (str_eq(ft->func, STR("[unknown]")))
		ft->func.n = 0;
	return true;
}

/* Takes the first word off *s. */
static struct str cut_word(struct str *s)
{
	struct str word = text_word(*s);

	*s = str_from(*s, word.n);
	return word;
}

static bool is_address(struct str word, uint64_t *out)
{
	if (!str_starts(word, STR("0x")) && word.n < FEWEST_DIGITS)
		return false;
	return str_is_hex(word, out);
}

/* "#12" */
static bool is_number(struct str word)
{
	uint64_t v;

	return word.n > 1 && word.p[0] == '#' && str_is_dec(str_from(word, 1), &v);
}

bool frameline_is_bpf(struct str line)
{
	uint64_t addr;

	if (text_is_blank(line))
		return false;
	return line.p[0] == '\t' || str_starts(line, STR("  ")) ||
	       is_address(line, &addr);
}

/* Takes " (MODULE)" or " [MODULE]" off the end of *s. */
static struct str take_module(struct str *s)
{
	char last = s->n ? s->p[s->n - 1] : 0;
	size_t at = s->n;
	struct str module = { 0 };
	uint64_t off;

	if (last == ')')
		at = str_rfind(*s, '(');
	else if (last == ']')
		at = str_rfind(*s, '[');
	if (at >= s->n || (at && !text_is_gap(s->p[at - 1])) ||
	    str_eq(str_from(*s, at), STR("[unknown]")))
		return module;
	/* "(/usr/lib/x (deleted))" */
	if (str_ends(*s, STR("(deleted))")) && str_rfind(str_head(*s, at), '(') < at)
		at = str_rfind(str_head(*s, at), '(');
	module = str_span(s->p + at + 1, s->p + s->n - 1);
	*s = str_trim(str_head(*s, at));
	/* Drops the offset of "libx.so+0x20267". */
	at = str_search(module, STR("+0x"));
	if (at < module.n && str_is_hex(str_from(module, at + 1), &off))
		module = str_head(module, at);
	return str_eq(module, STR("[unknown]")) ? (struct str){ 0 } : module;
}

bool frameline_bpf(struct str line, struct frame_text *ft)
{
	struct str rest = text_trim_left(line), behind = rest, word = cut_word(&behind);
	struct str name;
	uint64_t again;

	*ft = (struct frame_text){ 0 };
	if (text_is_blank(line))
		return false;
	if (is_number(word)) {
		rest = behind = text_trim_left(behind);
		word = cut_word(&behind);
	}
	if (is_address(word, &ft->addr))
		rest = text_trim_left(behind);
	ft->prefix = str_span(line.p, rest.p);
	name = str_trim(rest);
	ft->module = take_module(&name);
	ft->inlined = str_eq(ft->module, STR("inlined"));
	/* bpftrace prints an address for a name that it does not know. */
	if (!str_eq(name, STR("[unknown]")) &&
	    !(ft->addr && str_is_hex(name, &again) && again == ft->addr))
		ft->func = name;
	split_offset(ft, true);
	return true;
}

bool frameline_read(const struct frame *f, struct frame_text *ft)
{
	if (f->form == LINE_BPF)
		return frameline_bpf(f->line, ft);
	if (!frameline_perf(f->line, ft))
		return false;
	ft->inlined = ft->inlined || f->inlined;
	return true;
}
