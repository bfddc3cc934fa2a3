#include "symbol/found.h"

#include <stdio.h>

enum { MAX_INLINED = 256 }; /* functions at one address */

static str_id srcline(struct profile *p, const struct dwarf_place *at)
{
	uint64_t file = (uintptr_t)at->file.p;
	char text[512];
	uint32_t *id;
	int n;

	if (!p->opts.lines || !at->file.n || !at->line || at->file.n > sizeof(text) - 16)
		return 0;
	id = table_at(&p->line_of, &p->run, file, at->line);
	if (*id)
		return *id;
	n = snprintf(text, sizeof(text), PRSTR ":%u", STRARG(at->file), at->line);
	/* A line end in it would end the frame's line. */
	for (int i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = ' ';
	return *id = intern(&p->names, (struct str){ text, (size_t)n });
}

/* perf 6.1 asks addr2line, and takes for the function that is there what is called so. */
static void call_as_perf(struct dwarf_place *place, size_t n, struct str symbol)
{
	for (size_t i = 0; i < n; i++)
		if (place[i].by_symbol || (!place[i].func.n && (!i || i == n - 1)))
			place[i].func = symbol;
}

static void take_places(struct profile *p, const struct dwarf_place *place, size_t n,
                        struct found *f)
{
	str_id symbol = f->func;

	p->inlined =
	        arena_grow(&p->run, p->inlined, &p->inlined_cap, n, sizeof(*p->inlined));
	f->inlined = p->inlined;
	for (size_t i = 0; i < n - 1; i++) {
		str_id func = intern(&p->names, place[i].func);

		/* Their names may be in a file that is not there. */
		if (!place[i].func.n)
			continue;
		p->inlined[f->ninlined++] = (struct inlined_name){
			.func = func,
			.off = f->off,
			.has_off = true,
			.srcline = srcline(p, &place[i]),
			.there = p->opts.compat && func == symbol,
		};
	}
	if (p->opts.compat) {
		f->func = intern(&p->names, place[n - 1].func);
		f->as_inlined = f->func != symbol;
	}
}

/* A dump of JIT code knows lines alone, and is not asked for nothing. */
static bool may_add(const struct profile *p, const struct bind_query *q,
                    const struct bound_name *name)
{
	return p->opts.lines ? name->native || name->dump : name->native && q->inlined;
}

void found_add_places(struct profile *p, const struct bind_query *q,
                      const struct bound_name *name, struct found *f)
{
	struct dwarf_place place[MAX_INLINED];
	size_t n;

	if (!may_add(p, q, name))
		return;
	n = bind_places(p->binder, q, name, place, MAX_INLINED);
	if (!n)
		return;
	f->srcline = srcline(p, &place[q->inlined ? n - 1 : 0]);
	if (!q->inlined)
		return;
	if (p->opts.compat)
		call_as_perf(place, n, intern_str(&p->names, f->func));
	take_places(p, place, n, f);
}
