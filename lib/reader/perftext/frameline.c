/*
 * perf script prints frames such as:
 *
 * 	            7f00 foo(int)+0x10 (/opt/App (x86)/lib.so)
 *
 * BCC and bpftrace print:
 *
 * 	  7f773651f267     System.Console.Write+0x12 (System.Console.dll)
 * 	    #0  0x00007f773651f267 main+0x2 (/usr/bin/app+0x1136)
 * 	    native_safe_halt+42
 * 	            7f773651f267 0x7f773651f267 ([unknown])
 * 	7f773651f267
 */
#include "reader/perftext/frameline.h"

#include "base/block.h"
#include "reader/perftext/text.h"

/* Minimum number of digits of an address without 0x.  Shorter words may be names. */
enum { FEWEST_DIGITS = 8 };

/*
 * Returns the index of the last pair of balanced parentheses that follows a blank, or s.n.  Sets
 * *end to the index after the closing parenthesis.
 */
static size_t last_group(struct str s, size_t *end)
{
	size_t i = str_rfind(s, ')'), open, depth = 0;

	if (i == s.n)
		return s.n;
	*end = i + 1;
	/* Usually there are no nested parentheses, so try the last '(' first. */
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
 * Returns the index of a module that the end of the line truncates, as in "start_thread
 * (/lib/x86_64-linux-gnu".  Returns s.n if there is no such module.
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

/* Removes the offset at the end of a name: "+0x2a" or, for bpftrace, "+42". */
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
		/* text follows, so this is a part of a C++ type, as in "function<void (int)>" */
		group = body.n;
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

/* Replaces the blanks at the start of `text`, a word of 8 characters, by the digit 0. */
static uint64_t without_blanks(uint64_t text)
{
	uint64_t other = text ^ BLOCK_EACH(' ');
	unsigned bits = other ? block_first(other) & ~7u : 64;

	if (bits == 64)
		return BLOCK_EACH('0');
	return text | (BLOCK_EACH('0' - ' ') & block_below(bits));
}

/* Parses an address of 16 characters at p.  Blanks may replace its first digits. */
static bool padded_address(const char *p, uint64_t *out)
{
	uint64_t front = block_word(p), back = block_word(p + 8), high, low;

	if (front == BLOCK_EACH(' '))
		back = without_blanks(back);
	if (p[15] == ' ' || !block_hex(without_blanks(front), &high) ||
	    !block_hex(back, &low))
		return false;
	*out = high << 32 | low;
	return true;
}

/*
 * Returns the length of "foo+0x2a" without the offset.  `n` is the whole length.  Returns 0 if
 * frameline_read must parse the line.
 */
static size_t without_offset(const char *func, size_t n)
{
	uint64_t end = block_word(func + n - 8),
	         plus = block_zeros(end ^ BLOCK_EACH('+'));
	uint64_t ignored;
	unsigned digits; /* number of bits in `end` that precede the digits */

	if (!plus)
		return memchr(func, '+', n) ? 0 : n;
	digits = block_last(plus) + 1 + 16;
	if (digits >= 64 || (end >> (digits - 16) & 0xffff) != ('0' | 'x' << 8) ||
	    !block_hex((end & ~block_below(digits)) |
	                       (BLOCK_EACH('0') & block_below(digits)),
	               &ignored))
		return 0;
	return n - 8 + digits / 8 - 3;
}

/* SPLIT_MOST: maximum length of a line */
enum { BODY = FRAMELINE_BODY, SPLIT_MOST = 4096 };

/*
 * Returns the index of the line end, or 0 if frameline_read must parse the line.  BLOCK bytes
 * after the line end are readable.
 */
static size_t find_end(struct str text)
{
	for (size_t at = BODY; at < SPLIT_MOST && at + 2 * BLOCK <= text.n; at += BLOCK) {
		uint64_t newline = block_find(text.p + at, '\n');

		if (newline)
			return at + block_first(newline);
	}
	return 0;
}

/*
 * Returns the index of the '(' of the parentheses at the end of the line.  Returns 0 if the
 * parentheses contain another ')', so that frameline_read must parse the line.
 */
static size_t find_group(const char *p, size_t end)
{
	size_t base = end > BLOCK ? end - BLOCK : 0;
	uint64_t line =
	        end > BLOCK ? ~(uint64_t)0 : block_below((unsigned)end - 1) * 2 + 1;
	uint64_t open = block_find(p + base, '(') & line;
	uint64_t close = block_find(p + base, ')') & line;
	unsigned at;

	if (!open || p[end - 1] != ')')
		return 0;
	at = block_last(open);
	return (close >> at & ((close >> at) - 1)) ? 0 : base + at;
}

size_t frameline_split(struct str text, struct frame *f)
{
	const char *p = text.p;
	size_t end, open, func_n = 0;
	uint64_t addr;

	if (text.n < BODY || p[0] != '\t' || p[BODY - 1] != ' ' ||
	    !(end = find_end(text)) || !padded_address(p + 1, &addr))
		return 0;
	open = find_group(p, end);
	if (open < BODY + 2 || p[BODY] <= ' ' || p[open - 1] != ' ' || p[open - 2] <= ' ')
		return 0;
	if (open - 1 - BODY != 9 || memcmp(p + BODY, "[unknown]", 9) != 0) {
		func_n = without_offset(p + BODY, open - 1 - BODY);
		if (!func_n)
			return 0;
	}
	*f = (struct frame){ .ip = addr,
		             .line = { p, end },
		             .func_n = (uint16_t)func_n,
		             .module_at = (uint16_t)(open + 1) };
	return end + 1;
}

/* Sets the fields of *ft from the positions that frameline_split found. */
static void read_split(const struct frame *f, struct frame_text *ft)
{
	struct str off;

	*ft = (struct frame_text){
		.addr = f->ip,
		.func = frameline_func(f),
		.module = frameline_module(f),
	};
	off = str_span(ft->func.p + f->func_n, f->line.p + f->module_at - 2);
	ft->has_off =
	        off.n && *off.p == '+' && str_is_hex(str_from(off, 1), &ft->func_off);
	ft->inlined = f->inlined || str_eq(ft->module, STR("inlined"));
}

/* Removes the first word from *s, and returns it. */
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

/* Returns true for a word such as "#12". */
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

/* Removes " (MODULE)" or " [MODULE]" from the end of *s, and returns it. */
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
	/* the module in "(/usr/lib/x (deleted))" begins at the outer parenthesis */
	if (str_ends(*s, STR("(deleted))")) && str_rfind(str_head(*s, at), '(') < at)
		at = str_rfind(str_head(*s, at), '(');
	module = str_span(s->p + at + 1, s->p + s->n - 1);
	*s = str_trim(str_head(*s, at));
	/* Removes the offset in "libx.so+0x20267". */
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
	/* If bpftrace does not know the name, it prints the address, so `func` stays empty. */
	if (!str_eq(name, STR("[unknown]")) &&
	    !(ft->addr && str_is_hex(name, &again) && again == ft->addr))
		ft->func = name;
	split_offset(ft, true);
	return true;
}

bool frameline_read(const struct frame *f, struct frame_text *ft)
{
	if (f->module_at) {
		read_split(f, ft);
		return true;
	}
	if (f->form == LINE_BPF)
		return frameline_bpf(f->line, ft);
	if (!frameline_perf(f->line, ft))
		return false;
	ft->inlined = ft->inlined || f->inlined;
	return true;
}
