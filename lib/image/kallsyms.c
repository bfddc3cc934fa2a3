#include "image/kallsyms.h"

/* SHORT_LINE: fewer bytes than the lines of any kernel have on average */
enum { PAGE = 4096, BID_LINES = 3, SHORT_LINE = 32 };

struct line {
	uint64_t addr;
	unsigned digits;
	char type;
	struct str name;
};

/* Reads a line such as "ffffffff81000000 T _stext". */
static bool parse(struct str s, struct line *out)
{
	size_t n = s.n;

	if (!str_take_hex(&s, &out->addr) || s.n < 4 || s.p[0] != ' ' || s.p[2] != ' ')
		return false;
	out->digits = (unsigned)(n - s.n);
	out->type = s.p[1];
	out->name = str_from(s, 3);
	return str_is_letter(out->type);
}

static bool is_hex_letter(char c)
{
	return (c | 0x20) <= 'f';
}

/*
 * A line of kallsyms looks like a line of a perf map if its type is a hexadecimal digit.
 * However, a perf map never begins with address 0, which kallsyms has for per-CPU variables and
 * for hidden addresses.
 */
bool kallsyms_bid(struct str head)
{
	bool sure = false;
	int lines = 0;

	while (str_find(head, '\n') < head.n) {
		struct line l;

		if (!parse(str_cut(&head, '\n'), &l) || (l.digits != 16 && l.digits != 8))
			return false;
		sure |= !is_hex_letter(l.type) || !l.addr;
		lines++;
	}
	return sure && lines >= BID_LINES;
}

/*
 * Returns true for types that perf reads: functions and variables.  Variables matter because a
 * function ends at the next variable.
 */
static bool is_wanted(const struct line *l)
{
	char type = l->type | 0x20;

	return (type == 't' || type == 'w' || type == 'd' || type == 'b') && l->name.n &&
	       l->name.p[0] != '$';
}

static bool in_module(struct str name)
{
	return str_find(name, '[') < name.n;
}

/*
 * Returns the end of symbol i, which is the start of the next symbol.  The last symbol ends at
 * `page`: one page after its start, rounded up to a page, but at most UINT64_MAX.  If only one
 * of symbols i and i + 1 is in a module, the end is the smaller of `page` and the start of
 * symbol i + 1.
 */
static uint64_t end_of(const struct symbol *s, size_t i, size_t n)
{
	uint64_t page;

	if (__builtin_add_overflow(s[i].start, 2 * PAGE - 1, &page))
		page = UINT64_MAX;
	else
		page &= ~(uint64_t)(PAGE - 1);
	if (i + 1 == n)
		return page;
	if (page < s[i + 1].start && in_module(s[i].name) != in_module(s[i + 1].name))
		return page;
	return s[i + 1].start;
}

static void note_bounds(struct kallsyms *ks, const struct line *l)
{
	if (str_eq(l->name, STR("_text")) ||
	    (!ks->text && str_eq(l->name, STR("_stext"))))
		ks->text = l->addr;
	if (str_eq(l->name, STR("_etext")))
		ks->etext = l->addr;
	if (str_eq(l->name, STR(IRQ_BEGIN)))
		ks->irq = l->addr;
	if (str_eq(l->name, STR(IRQ_END)))
		ks->irq_end = l->addr;
	if (str_eq(l->name, STR("_edata")))
		ks->edata = l->addr;
}

bool kallsyms_has_length(const struct kallsyms *ks, uint64_t length)
{
	return (ks->etext > ks->text && length == ks->etext - ks->text) ||
	       (ks->edata > ks->text && length == ks->edata - ks->text);
}

bool kallsyms_read(struct kallsyms *ks, struct str bytes, struct arena *a)
{
	struct symtab *t = &ks->symbols, added;
	bool shown = false;

	*ks = (struct kallsyms){ .symbols.cap = bytes.n / SHORT_LINE };
	t->sym = arena_new(a, struct symbol, t->cap);
	while (bytes.n) {
		struct line l;

		if (!parse(str_cut(&bytes, '\n'), &l))
			continue;
		shown |= l.addr != 0;
		note_bounds(ks, &l);
		if (!is_wanted(&l))
			continue;
		/* If several symbols have the same address, the last one remains. */
		if (t->n && t->sym[t->n - 1].start == l.addr)
			t->n--;
		symtab_add(t, a, l.addr, 1, l.name);
	}
	if (!shown)
		t->n = 0;
	added = *t;
	symtab_sort(t, a);
	if (t->sym != added.sym)
		arena_drop(a, added.sym, added.cap, sizeof(*added.sym));
	arena_trim(a, t->sym, t->n, t->cap);
	for (size_t i = 0; i < t->n; i++)
		t->sym[i].end = end_of(t->sym, i, t->n);
	return t->n != 0;
}

struct str kallsyms_split(struct str name, struct str *module)
{
	struct str s = str_cut(&name, '\t');

	str_skip(&name, STR("["));
	*module = str_head(name, str_find(name, ']'));
	return s;
}

bool kallsyms_has_module(const struct kallsyms *ks, struct str module, uint64_t start,
                         uint64_t end)
{
	size_t in = 0, all = 0;

	for (size_t i = 0; i < ks->symbols.n; i++) {
		const struct symbol *s = &ks->symbols.sym[i];
		struct str of;

		kallsyms_split(s->name, &of);
		if (!str_eq(of, module))
			continue;
		all++;
		in += s->base >= start && s->base < end;
	}
	return in && in * 2 >= all;
}
