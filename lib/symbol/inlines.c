#include "symbol/inlines.h"

#include <stdio.h>

enum { MAX_INLINED = 256 }; /* maximum number of functions at one address */

struct named *inlines_push(struct frames *t, str_id func)
{
	struct named *own;

	arena_fit(&t->s->run, t->named, t->made.n + 1, t->named_cap);
	own = resolve_own(t);
	own[1] = own[0];
	t->made.n++;
	*own = (struct named){ .func = func,
		               .module = own->module,
		               .has_off = own->has_off,
		               .begin = own->begin,
		               .flags = (own->flags & (NAMED_KERNEL | NAMED_JIT)) |
		                        NAMED_INLINED };
	return own;
}

str_id inlines_line(struct frames *t, struct str file, uint32_t line)
{
	char text[4096];
	uint32_t *id;
	int n;

	if (!file.n || !line || file.n > sizeof(text) - 16)
		return 0;
	id = table_at(&t->srcline_of, &t->s->run, (uintptr_t)file.p, line);
	if (*id)
		return *id;
	n = snprintf(text, sizeof(text), PRSTR ":%u", STRARG(file), line);
	/* A control character such as a newline would break the output, so it becomes a blank. */
	for (int i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = ' ';
	return *id = intern(&t->s->names, (struct str){ text, (size_t)n });
}

static str_id srcline(struct frames *t, const struct dwarf_place *at)
{
	return t->s->opts.lines
	               ? inlines_line(t, t->s->opts.paths ? at->file : str_base(at->file),
	                              at->line)
	               : 0;
}

/*
 * Sets the function name of some places to the name of the symbol: places with by_symbol set, and
 * the first and the last place if they have no name.  perf 6.1 with addr2line prints these names.
 */
static void call_as_perf(struct dwarf_place *place, size_t n, struct str symbol)
{
	for (size_t i = 0; i < n; i++)
		if (place[i].by_symbol || (!place[i].func.n && (!i || i == n - 1)))
			place[i].func = symbol;
}

static void take_places(struct frames *t, const struct dwarf_place *place, size_t n)
{
	const struct named *own = resolve_own(t);
	uint64_t begin = own->has_off ? own->begin : t->made.addr;
	str_id symbol = own->func;

	for (size_t i = 0; i < n - 1; i++) {
		bool scoped = place[i].scoped.n && !t->s->opts.compat &&
		              !t->s->opts.no_demangle;
		str_id func =
		        intern(&t->s->names, scoped ? place[i].scoped : place[i].func);
		struct named *inlined;

		/* The name is empty if it is in a missing supplementary file of dwz. */
		if (!place[i].func.n)
			continue;
		inlined = inlines_push(t, func);
		inlined->has_off = true;
		inlined->begin = begin;
		inlined->srcline = srcline(t, &place[i]);
		inlined->decl = inlines_line(t, place[i].path, place[i].begins);
		if (t->s->opts.compat == 6 && func == symbol)
			inlined->flags &= ~(unsigned)NAMED_INLINED;
	}
	if (t->s->opts.compat == 6) {
		resolve_own(t)->func = intern(&t->s->names, place[n - 1].func);
		if (resolve_own(t)->func != symbol)
			resolve_own(t)->flags |= NAMED_INLINED;
	}
}

bool inlines_may_add(const struct frames *t, const struct bind_query *q,
                     const struct bound_name *name)
{
	if (name->native)
		return (t->s->opts.lines || q->inlined) &&
		       bind_has_places(t->s->binder, q->m);
	return t->s->opts.lines;
}

void inlines_add(struct frames *t, const struct bind_query *q,
                 const struct bound_name *name)
{
	struct dwarf_place place[MAX_INLINED];
	struct named *own = resolve_own(t);
	size_t n;

	n = bind_places(t->s->binder, q, name, place, MAX_INLINED);
	if (!n)
		return;
	own->srcline = srcline(t, &place[q->inlined ? n - 1 : 0]);
	own->decl = inlines_line(t, place[n - 1].path, place[n - 1].begins);
	if (!q->inlined)
		return;
	if (t->s->opts.compat == 6)
		call_as_perf(place, n, intern_str(&t->s->names, own->func));
	take_places(t, place, n);
}
