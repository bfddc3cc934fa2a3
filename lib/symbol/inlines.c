#include "symbol/inlines.h"

#include <stdio.h>

enum { MAX_INLINED = 256 }; /* limit of functions at one address */

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
	/* Names are printed on one line, so a newline would break the format. */
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
 * Gives the name of the symbol to places with by_symbol set, and to the first and the last place
 * if they have no name.  perf 6.1 does so with addr2line.
 */
static void call_as_perf(struct dwarf_place *place, size_t n, struct str symbol)
{
	for (size_t i = 0; i < n; i++)
		if (place[i].by_symbol || (!place[i].func.n && (!i || i == n - 1)))
			place[i].func = symbol;
}

static void take_places(struct frames *t, const struct dwarf_place *place, size_t n,
                        struct found *f)
{
	str_id symbol = f->func;

	arena_fit(&t->s->run, t->inlined, n, t->inlined_cap);
	f->inlined = t->inlined;
	for (size_t i = 0; i < n - 1; i++) {
		bool scoped = place[i].scoped.n && !t->s->opts.compat &&
		              !t->s->opts.no_demangle;
		str_id func =
		        intern(&t->s->names, scoped ? place[i].scoped : place[i].func);

		/* The name is empty if it is in a missing supplementary file of dwz. */
		if (!place[i].func.n)
			continue;
		t->inlined[f->ninlined++] = (struct inlined_name){
			.func = func,
			.off = f->off,
			.has_off = true,
			.srcline = srcline(t, &place[i]),
			.decl = inlines_line(t, place[i].path, place[i].begins),
			.there = t->s->opts.compat == 6 && func == symbol,
		};
	}
	if (t->s->opts.compat == 6) {
		f->func = intern(&t->s->names, place[n - 1].func);
		f->as_inlined = f->func != symbol;
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
                 const struct bound_name *name, struct found *f)
{
	struct dwarf_place place[MAX_INLINED];
	size_t n;

	n = bind_places(t->s->binder, q, name, place, MAX_INLINED);
	if (!n)
		return;
	f->srcline = srcline(t, &place[q->inlined ? n - 1 : 0]);
	f->decl = inlines_line(t, place[n - 1].path, place[n - 1].begins);
	if (!q->inlined)
		return;
	if (t->s->opts.compat == 6)
		call_as_perf(place, n, intern_str(&t->s->names, f->func));
	take_places(t, place, n, f);
}
