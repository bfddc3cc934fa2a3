#include "symbol/rundown.h"

#include "image/dotnet/clr_lines.h"
#include "reader/fields.h"

/* A range of code that a nettrace names. */
struct piece {
	struct jit_code code; /* time_ns is 0 if the code existed before the trace */
	str_id name;
};

/* The code of one process, and the map made from it. */
struct rundown_process {
	int32_t pid;
	struct perfmap *map;
	struct piece *piece;
	size_t n, cap;
	struct clr_lines *lines; /* methods with debug information for lines */
};

struct rundown {
	struct locator *l;
	struct interner names;
	struct table process_of;  /* pid -> index of process + 1 */
	struct table assembly_of; /* offset of a GUID -> index of assembly + 1 */
	struct clr_assembly **assembly;
	size_t nassemblies, assemblies_cap;
	struct rundown_process *process;
	size_t n, cap;
};

static struct rundown_process *process_of(struct rundown *r, int32_t pid)
{
	struct arena *run = r->l->run;
	uint32_t *at = table_at(&r->process_of, run, (uint32_t)pid, 0);

	if (!*at) {
		struct perfmap *map = arena_new(run, struct perfmap, 1);

		map->whole = true;
		arena_fit(run, r->process, r->n + 1, r->cap);
		r->process[r->n] = (struct rundown_process){
			.pid = pid,
			.map = map,
			.lines = arena_new(run, struct clr_lines, 1),
		};
		*at = (uint32_t)++r->n;
	}
	return &r->process[*at - 1];
}

/*
 * Returns the assembly that contains a method.  An assembly is identified by the position of
 * its GUID in the file.
 */
static const struct clr_assembly *assembly_of(struct rundown *r,
                                              const struct code_fields *code)
{
	struct arena *run = r->l->run;
	uint32_t *at = table_at(&r->assembly_of, run, (uintptr_t)code->guid.p, 0);

	if (!*at) {
		arena_fit(run, r->assembly, r->nassemblies + 1, r->assemblies_cap);
		r->assembly[r->nassemblies] = arena_new(run, struct clr_assembly, 1);
		*r->assembly[r->nassemblies] =
		        (struct clr_assembly){ code->image, code->pdb, code->guid };
		*at = (uint32_t)++r->nassemblies;
	}
	return r->assembly[*at - 1];
}

static void take_source(struct rundown *r, const struct rundown_process *p,
                        const struct event *ev)
{
	const struct code_fields *code = ev->other ? ev->other->code : NULL;
	struct clr_lines *to = p->lines;

	if (!code || !code->guid.n || !code->method)
		return;
	*arena_push(r->l->run, to->code, to->n, to->cap) =
	        (struct clr_code){ .start = ev->map.start,
		                   .time_ns = ev->time_ns,
		                   .method = code->method,
		                   .assembly = assembly_of(r, code),
		                   .il = code->il,
		                   .native = code->native };
}

static void take_code(struct rundown *r, const struct event *ev, struct arena *scratch)
{
	struct rundown_process *p = process_of(r, ev->pid);
	str_id name = intern(&r->names, ev->map.path);

	symtab_add(&p->map->symbols, r->l->run, ev->map.start, ev->map.len,
	           intern_str(&r->names, name));
	if (!ev->map.len || ev->map.len > UINT32_MAX)
		return;
	take_source(r, p, ev);
	*arena_push(scratch, p->piece, p->n, p->cap) =
	        (struct piece){ { .start = ev->map.start,
		                  .time_ns = ev->time_ns,
		                  .size = (uint32_t)ev->map.len },
		                name };
}

/*
 * Sorts by address, then by name.  A piece with a time precedes an equal piece without a time.
 */
ORDER(by_place, struct piece,
      num_cmp(a->code.start, b->code.start) ?: num_cmp(a->name, b->name)
              ?: num_cmp(b->code.time_ns, a->code.time_ns))

ORDER(by_time, struct piece, num_cmp(a->code.time_ns, b->code.time_ns) ?: by_place(a, b))

/*
 * Drops repeated entries.  A method is listed when it is loaded, and again when it is unloaded or
 * when the trace ends.  The entry with the load time is kept.
 */
static void drop_repeated(struct rundown_process *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct piece *before = n ? &p->piece[n - 1] : NULL;

		if (before && before->code.start == p->piece[i].code.start &&
		    before->name == p->piece[i].name &&
		    (!p->piece[i].code.time_ns ||
		     before->code.time_ns == p->piece[i].code.time_ns))
			continue;
		p->piece[n++] = p->piece[i];
	}
	p->n = n;
}

/* Returns true if pieces of code with different names overlap.  Pieces must be sorted. */
static bool is_shared(const struct rundown_process *p)
{
	uint64_t end = 0;
	str_id name = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct jit_code *c = &p->piece[i].code;

		if (i && c->start < end && p->piece[i].name != name)
			return true;
		if (!i || c->start + c->size > end) {
			end = c->start + c->size;
			name = p->piece[i].name;
		}
	}
	return false;
}

static void add_times(struct rundown *r, struct rundown_process *p)
{
	struct arena *run = r->l->run;
	struct jit_code *code;
	struct str *name;

	order_by(p->piece, p->n, by_place);
	drop_repeated(p);
	if (!is_shared(p))
		return;
	order_by(p->piece, p->n, by_time);
	code = arena_new(run, struct jit_code, p->n);
	name = arena_new(run, struct str, p->n);
	for (size_t i = 0; i < p->n; i++) {
		code[i] = p->piece[i].code;
		name[i] = intern_str(&r->names, p->piece[i].name);
	}
	perfmap_set_times(p->map, code, name, p->n, run);
}

void rundown_read(struct locator *l, struct reader *reader, const struct item *of)
{
	struct rundown r = { .l = l };
	/* a copy, because the array of items moves when items are added */
	struct item from = *of;
	arena_scope(scratch);
	struct event ev;
	int got;

	intern_init(&r.names, l->run);
	while ((got = reader_next(reader, &ev)) != 0)
		if (got > 0 && ev.kind == EV_CODE)
			take_code(&r, &ev, &scratch);
	for (struct rundown_process *p = r.process; p < r.process + r.n; p++) {
		symtab_sort(&p->map->symbols, l->run);
		add_times(&r, p);
		clr_lines_sort(p->lines);
		p->map->lines = p->lines->n ? p->lines : NULL;
		locate_add_map(l, &from, p->pid, p->map);
	}
}
