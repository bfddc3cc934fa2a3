/*
 *	  7f773651f267     System.Console.Write+0x12 (System.Console.dll)
 *	    #0  0x00007f773651f267 main+0x2 (/usr/bin/app+0x1136)
 *	    native_safe_halt+42
 *		    7f773651f267 0x7f773651f267 ([unknown])
 *	7f773651f267
 */
#include "reader/perftext/bpfline.h"

#include "reader/perftext/perfscript.h"

enum { FEWEST_DIGITS = 8 }; /* of an address that no 0x tells from a name */

/* The first word of s; *s becomes what stands behind it. */
static struct str cut_word(struct str *s)
{
	size_t n = 0;
	struct str word;

	while (n < s->n && !script_is_gap(s->p[n]))
		n++;
	word = str_head(*s, n);
	*s = str_from(*s, n);
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

bool bpf_is_frame(struct str line)
{
	uint64_t addr;

	if (text_is_blank(line))
		return false;
	return line.p[0] == '\t' || str_starts(line, STR("  ")) ||
	       is_address(line, &addr);
}

/* " (MODULE)" or " [MODULE]" at the end of s; *s becomes what stands before it. */
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
	if (at >= s->n || (at && !script_is_gap(s->p[at - 1])) ||
	    str_eq(str_from(*s, at), STR("[unknown]")))
		return module;
	/* "(/usr/lib/x (deleted))" */
	if (str_ends(*s, STR("(deleted))")) && str_rfind(str_head(*s, at), '(') < at)
		at = str_rfind(str_head(*s, at), '(');
	module = str_span(s->p + at + 1, s->p + s->n - 1);
	*s = str_trim(str_head(*s, at));
	/* "libx.so+0x20267": its offset in the file. */
	at = str_search(module, STR("+0x"));
	if (at < module.n && str_is_hex(str_from(module, at + 1), &off))
		module = str_head(module, at);
	return str_eq(module, STR("[unknown]")) ? (struct str){ 0 } : module;
}

/* "+42" of bpftrace, "+0x2a" of the others. */
static void split_offset(struct frame_text *ft)
{
	struct str s = ft->func, digits;
	size_t at = str_rfind(s, '+');

	digits = str_from(s, at + 1);
	if (at == s.n || !at)
		return;
	ft->has_off = str_starts(digits, STR("0x")) ? str_is_hex(digits, &ft->func_off)
	                                            : str_is_dec(digits, &ft->func_off);
	if (ft->has_off)
		ft->func = str_head(s, at);
}

bool bpf_parse_frame(struct str line, struct frame_text *ft)
{
	struct str rest = script_trim_left(line), behind = rest, word = cut_word(&behind);
	struct str name;
	uint64_t again;

	*ft = (struct frame_text){ 0 };
	if (text_is_blank(line))
		return false;
	if (is_number(word)) {
		rest = behind = script_trim_left(behind);
		word = cut_word(&behind);
	}
	if (is_address(word, &ft->addr))
		rest = script_trim_left(behind);
	ft->prefix = str_span(line.p, rest.p);
	name = str_trim(rest);
	ft->module = take_module(&name);
	ft->inlined = str_eq(ft->module, STR("inlined"));
	/* bpftrace prints an address for a name that it does not know. */
	if (!str_eq(name, STR("[unknown]")) &&
	    !(ft->addr && str_is_hex(name, &again) && again == ft->addr))
		ft->func = name;
	split_offset(ft);
	return true;
}

void bpf_push_frame(struct text *t, struct event *ev, struct str line)
{
	text_push_frame(t, ev, line);
	t->frames[ev->nframes - 1].form = LINE_BPF;
}
