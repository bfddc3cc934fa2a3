#include "writer/annotate/listing.h"

#include <stdlib.h>

#include "symbol/function_code.h"

enum { PLACES = 256 }; /* maximum number of functions at one address */

/* The state of listing_make.  A spot is an address with a weight (stack/spots.h). */
struct maker {
	struct listing *to;
	const struct listing_opts *opts;
	struct arena *a;
	struct dwarf_place *place; /* the functions at the last instruction */
	size_t nplaces;
	uint64_t places_end; /* the functions are the same up to this address */
	struct profile *p;   /* profile that contains the current block */
	struct function_code block;
	uint32_t nblocks;
	uint64_t *known; /* addresses at which instructions start */
	size_t nknown, known_cap;
	struct table blocks; /* (file, start) -> 1 if the block was already added */
	/* indexed by spot of the function: true if a row has the weight of the spot */
	bool *used;
	/* indexed by spot: struct function_code.shift, or 0 if the function is unknown */
	uint64_t *shift;
	struct str path; /* the interned path of the last row */
};

static const struct spot *spot_at(const struct maker *m, size_t i)
{
	return &m->to->spots->spot[m->to->function->first + i];
}

static struct listing_row *add_row(struct maker *m)
{
	struct listing *l = m->to;

	arena_fit(m->a, l->row, l->n + 1, l->cap);
	l->row[l->n] = (struct listing_row){ .block = m->nblocks };
	return &l->row[l->n++];
}

/* Returns the name of a function in the form that struct spots uses. */
static struct str place_name(const struct dwarf_place *at)
{
	return at->scoped.n ? at->scoped : at->func;
}

/* Returns true if the listed function is one of the n functions in `at`. */
static bool is_there(const struct maker *m, const struct dwarf_place *at, size_t n)
{
	struct str symbol = spots_str(m->to->spots, m->to->function->symbol);

	for (size_t i = 0; i < n; i++)
		if (str_eq(place_name(&at[i]), symbol) || str_eq(at[i].func, symbol))
			return true;
	return false;
}

/*
 * Sets the name of the function to which a branch jumps, and the offset of the target in it.
 * `own` is true if the block belongs to the listed function.
 */
static void name_target(struct maker *m, struct listing_row *row, bool own)
{
	const struct function_code *block = &m->block;

	if (!row->target)
		return;
	if (row->target < block->start || row->target >= block->end) {
		row->target_name =
		        function_code_target(m->p, block, row->target, &row->target_off);
		row->target_name = arena_str(m->a, row->target_name);
		return;
	}
	row->target_name = own ? m->to->name : block->name.func;
	row->target_off = row->target - block->start;
}

/*
 * Adds an instruction.  If the block belongs to a function into which the listed function was
 * inlined, adds only instructions of the listed function.
 */
static bool take_insn(struct maker *m, struct disasm *d, const struct code_insn *in,
                      bool own)
{
	const struct dwarf_place *at = m->place;
	struct listing_row *row;
	size_t n;

	if (in->addr >= m->places_end) {
		m->nplaces =
		        function_code_places(m->p, &m->block, in->addr, m->place, PLACES);
		m->places_end = in->addr + (m->nplaces ? at[0].same : 0);
	}
	n = m->nplaces;
	if (!own && !is_there(m, at, n))
		return false;
	row = add_row(m);
	row->addr = in->addr;
	row->text = arena_str(m->a, disasm_text(d));
	row->kind = in->kind;
	row->target = in->target;
	name_target(m, row, own);
	if (n && at[0].line && at[0].line <= INT32_MAX) {
		if (!str_eq(m->path, at[0].file))
			m->path = arena_str(m->a, at[0].file);
		row->path = m->path;
		row->line = at[0].line;
	}
	if (n > 1 && !m->opts->no_inline &&
	    !str_eq(place_name(&at[0]), spots_str(m->to->spots, m->to->function->symbol)))
		row->inlined = arena_str(m->a, place_name(&at[0]));
	return true;
}

/* Moves *next to the first spot at or after the address of an instruction. */
static void skip_spots(const struct maker *m, const struct code_insn *in, size_t *next)
{
	uint64_t from = in->addr - m->block.shift;

	while (*next < m->to->function->n && spot_at(m, *next)->addr < from)
		++*next;
}

/* Returns true if spot i is in the instruction `in`. */
static bool is_in(const struct maker *m, const struct code_insn *in, size_t i)
{
	return i < m->to->function->n &&
	       spot_at(m, i)->addr - (in->addr - m->block.shift) < in->len;
}

/* Adds the weights of an instruction's spots to its row. */
static void take_spots(struct maker *m, struct listing_row *row,
                       const struct code_insn *in, size_t next)
{
	for (; is_in(m, in, next); next++) {
		if (!m->used[next])
			spots_add_weight(&row->weight, &spot_at(m, next)->weight);
		m->used[next] = true;
	}
}

/*
 * Collects addresses at which instructions certainly begin: addresses of leaf frames, and branch
 * targets.
 */
static void find_known(struct maker *m)
{
	const struct spot_function *f = m->to->function;

	m->nknown = 0;
	for (size_t i = 0; i < f->n; i++) {
		const struct spot *s = spot_at(m, i);
		uint64_t addr = s->addr + m->block.shift;

		if (!s->weight.samples || addr < m->block.start || addr >= m->block.end)
			continue;
		*arena_push(m->a, m->known, m->nknown, m->known_cap) = addr;
	}
}

/*
 * Adds the instructions of the current block.  `own` is true if the block belongs to the listed
 * function itself.
 */
static void take_block(struct maker *m, bool own)
{
	struct disasm *d =
	        disasm_find(m->opts->disasms, m->block.code.machine, m->opts->arena);
	struct code_insn in;
	size_t next = 0;

	if (!d)
		return;
	find_known(m);
	m->places_end = 0;
	disasm_start(d, m->block.code.bytes, m->block.start, m->known, m->nknown);
	while (disasm_next(d, &in)) {
		skip_spots(m, &in, &next);
		if (m->opts->weighted && next == m->to->function->n)
			break;
		if (m->opts->weighted && !is_in(m, &in, next))
			continue;
		if (take_insn(m, d, &in, own))
			take_spots(m, &m->to->row[m->to->n - 1], &in, next);
	}
	m->nblocks++;
}

/* Adds the code of the function that contains spot i, if a file has the code. */
static void take_code(struct maker *m, size_t i)
{
	const struct spot *s = spot_at(m, i);
	const struct resolved *r;
	uint32_t *met;

	m->p = m->opts->profiles[s->profile];
	if (!m->p || !function_code_find(m->p, s->frame, s->addr, &m->block))
		return;
	m->shift[i] = m->block.shift;
	if (!m->block.code.bytes.n)
		return;
	met = table_at(&m->blocks, m->a, (uintptr_t)m->block.item, m->block.start);
	if (*met)
		return;
	*met = 1;
	r = profile_frame(m->p, s->frame);
	/* Compares symbols, because several symbols may have one label, as f and f.abi0 of Go. */
	take_block(m, !s->inlined ||
	                      str_eq(profile_str(m->p, r->names[r->n - 1].func),
	                             spots_str(m->to->spots, m->to->function->symbol)));
}

/* Adds a row without an instruction for spot i, whose code is unknown. */
static void take_bare(struct maker *m, size_t i)
{
	const struct spot *s = spot_at(m, i);
	struct listing_row *row = add_row(m);

	row->addr = s->addr + m->shift[i];
	row->weight = s->weight;
	row->line = str_split_line(spots_str(m->to->spots, s->line), &row->path);
}

static int by_line(const void *pa, const void *pb)
{
	const struct listing_line *a = pa, *b = pb;

	if (!a->line != !b->line)
		return a->line ? -1 : 1;
	if (!str_eq(a->path, b->path))
		return str_cmp(a->path, b->path);
	return num_cmp(a->line, b->line);
}

static void make_lines(struct maker *m)
{
	const struct spot_function *f = m->to->function;
	struct listing *l = m->to;
	size_t n = 0;

	l->line = arena_new(m->a, struct listing_line, f->n);
	for (size_t i = 0; i < f->n; i++) {
		const struct spot *s = spot_at(m, i);
		struct listing_line *line = &l->line[i];

		line->line = str_split_line(spots_str(l->spots, s->line), &line->path);
		if (!line->line)
			line->path = (struct str){ 0 };
		line->weight = s->weight;
	}
	qsort(l->line, f->n, sizeof(*l->line), by_line);
	for (size_t i = 0; i < f->n; i++) {
		if (n && !by_line(&l->line[n - 1], &l->line[i]))
			spots_add_weight(&l->line[n - 1].weight, &l->line[i].weight);
		else
			l->line[n++] = l->line[i];
	}
	l->nlines = n;
}

static int by_weight(const void *pa, const void *pb)
{
	const struct listing_inlined *a = pa, *b = pb;

	return num_cmp(b->weight.total, a->weight.total) ?: str_cmp(a->name, b->name);
}

/* Sums the weights of the rows of each inlined function. */
static void make_inlined(struct maker *m)
{
	struct listing *l = m->to;
	struct interner names;
	size_t first = 0, cap = 0;

	/*
	 * Few functions have inlined code, and interning takes long.  Therefore nothing is
	 * interned before the first row with inlined code.
	 */
	while (first < l->n && !l->row[first].inlined.n)
		first++;
	if (first == l->n)
		return;
	intern_init(&names, m->a);
	for (size_t i = first; i < l->n; i++) {
		struct str name = l->row[i].inlined;
		str_id id = name.n ? intern(&names, name) : 0;

		arena_fit(m->a, l->inlined, names.n, cap);
		l->inlined[id].name = name;
		spots_add_weight(&l->inlined[id].weight, &l->row[i].weight);
	}
	for (size_t i = 1; i < names.n; i++)
		if (l->inlined[i].weight.total || l->inlined[i].weight.self)
			l->inlined[l->ninlined++] = l->inlined[i];
	qsort(l->inlined, l->ninlined, sizeof(*l->inlined), by_weight);
}

static int by_addr(const void *pa, const void *pb)
{
	const struct listing_row *a = pa, *b = pb;

	return num_cmp(a->addr, b->addr);
}

void listing_make(struct listing *l, const struct spots *s, const struct spot_function *f,
                  const struct listing_opts *opts, struct arena *a)
{
	struct dwarf_place place[PLACES];
	struct maker m = { .to = l, .opts = opts, .a = a, .place = place };
	struct profile *p = opts->profiles[f->profile];
	size_t sorted;

	*l = (struct listing){ .spots = s,
		               .function = f,
		               .name = spots_str(s, f->name),
		               .module = spots_str(s, f->module),
		               .files = opts->files,
		               .sources = p ? function_code_sources(p) : NULL };
	l->begins = str_split_line(spots_str(s, f->decl), &l->path);
	make_lines(&m);
	if (opts->lines)
		return;
	m.used = arena_new(a, bool, f->n);
	m.shift = arena_new(a, uint64_t, f->n);
	for (size_t i = 0; i < f->n; i++)
		if (!m.used[i])
			take_code(&m, i);
	/* The rows of blocks are sorted already, but the rows of take_bare are not. */
	sorted = l->n;
	for (size_t i = 0; i < f->n; i++)
		if (!m.used[i])
			take_bare(&m, i);
	if (l->n > sorted)
		qsort(l->row + sorted, l->n - sorted, sizeof(*l->row), by_addr);
	make_inlined(&m);
}

struct str listing_source(const struct listing *l, struct str path, uint32_t line)
{
	if (!path.n || !l->files)
		return (struct str){ 0 };
	return source_files_line(source_files_find(l->files, l->sources, path), line);
}
