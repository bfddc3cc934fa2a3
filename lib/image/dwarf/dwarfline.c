/*
 * Lines: DWARF 5, 6.2; of the versions before, 6.2.4 of DWARF 4.  readelf -wL:
 *
 *	busy.c                        4              0x1143               x
 *	busy.c                        5              0x114a
 *	busy.c                        -              0x11c8
 *
 * A program makes rows of ascending addresses; a row holds up to the next one.
 */
#include "image/dwarf/dwarfkeep.h"

#include <stdlib.h>

enum { FORMATS = 16 };

struct program {
	struct unit *u; /* for the sizes of forms */
	struct lines *to;
	struct cursor c;
	uint8_t min_length, line_range, opcode_base;
	int8_t line_base;
	uint8_t operands[256]; /* of standard opcodes */
	uint64_t va;
	uint64_t file, line;
	size_t first;  /* row of this sequence */
	bool descends; /* rows are not in order */
};

static void add_file(struct program *p, struct str path)
{
	struct lines *to = p->to;

	to->file = arena_grow(p->u->d->arena, to->file, &to->files_cap, to->files + 1,
	                      sizeof(*to->file));
	to->file[to->files++] = str_base(path);
}

/* Up to version 4: directories, then files with three numbers each. */
static void read_old_files(struct program *p)
{
	struct cursor *c = &p->c;
	struct str path;

	p->to->first_file = 1;
	while (cur_zstr(c).n)
		;
	while ((path = cur_zstr(c)).n) {
		cur_uleb(c);
		cur_uleb(c);
		cur_uleb(c);
		add_file(p, path);
	}
}

struct file_format {
	uint64_t what[FORMATS], form[FORMATS];
	size_t n;
};

static void read_format(struct cursor *c, struct file_format *f)
{
	f->n = cur_u8(c);
	if (f->n > FORMATS)
		c->bad = true;
	for (size_t i = 0; i < f->n && !c->bad; i++) {
		f->what[i] = cur_uleb(c);
		f->form[i] = cur_uleb(c);
	}
}

/* Of version 5, where entries say of what they consist. */
static void read_table(struct program *p, bool files)
{
	struct cursor *c = &p->c;
	struct file_format f = { 0 };
	uint64_t n;

	read_format(c, &f);
	n = cur_uleb(c);
	for (uint64_t i = 0; i < n && !c->bad; i++) {
		const char *at = c->p;
		struct str path = { 0 };
		struct form value;

		for (size_t k = 0; k < f.n; k++)
			if (dwarf_form(c, p->u, (unsigned)(f.form[k] & 0xffff), 0,
			               &value) &&
			    f.what[k] == DW_LNCT_path)
				path = dwarf_string(p->u, &value);
		if (c->p == at)
			c->bad = true;
		if (files && !c->bad)
			add_file(p, path);
	}
}

/* False: it cannot be read. */
static bool read_header(struct program *p)
{
	struct cursor *c = &p->c;
	uint64_t length = cur_u32(c), header;
	unsigned version;
	const char *code;

	p->u->off_size = 4;
	if (length == UINT32_MAX) {
		p->u->off_size = 8;
		length = cur_u64(c);
	}
	if (c->bad || length > cur_left(c))
		return false;
	c->end = c->p + length;
	version = cur_u16(c);
	if (version < 2 || version > 5)
		return false;
	if (version >= 5)
		cur_take(c, 2); /* sizes of an address and a segment */
	header = dwarf_word(c, p->u->off_size);
	if (c->bad || header > cur_left(c))
		return false;
	code = c->p + header;
	p->min_length = cur_u8(c);
	if (version >= 4)
		cur_u8(c); /* operations of one instruction */
	cur_u8(c);         /* whether rows begin statements */
	p->line_base = (int8_t)cur_u8(c);
	p->line_range = cur_u8(c);
	p->opcode_base = cur_u8(c);
	for (unsigned i = 1; i < p->opcode_base; i++)
		p->operands[i] = cur_u8(c);
	if (version >= 5) {
		read_table(p, false);
		read_table(p, true);
	} else {
		read_old_files(p);
	}
	if (c->bad || !p->line_range || c->p > code)
		return false;
	c->p = code;
	return true;
}

static void add_row(struct program *p, uint32_t file, uint64_t line)
{
	struct lines *to = p->to;
	struct line_row *last = to->n ? &to->row[to->n - 1] : NULL;

	p->descends |= last && last->va > p->va;
	/* Of rows at one address the last counts, but not across an end. */
	if (last && last->va == p->va && last->file != UINT32_MAX) {
		last->file = file;
		last->line = (uint32_t)line;
		return;
	}
	to->row = arena_grow(p->u->d->arena, to->row, &to->cap, to->n + 1,
	                     sizeof(*to->row));
	to->row[to->n++] = (struct line_row){ p->va, file, (uint32_t)line };
}

static void begin(struct program *p)
{
	p->va = 0;
	p->file = p->line = 1;
	p->first = p->to->n;
}

/* Code that the linker left out begins at 0, or at the end of all addresses. */
static void end_sequence(struct program *p)
{
	add_row(p, UINT32_MAX, 0);
	if (p->to->row[p->first].va + 2 <= 2)
		p->to->n = p->first;
	begin(p);
}

static void extended(struct program *p)
{
	struct cursor *c = &p->c;
	uint64_t n = cur_uleb(c);
	struct cursor body = cur_over((struct str){ 0 }, c->swap);
	const char *at = cur_take(c, n);

	if (!at || !n)
		return;
	body = cur_over((struct str){ at, n }, c->swap);
	switch (cur_u8(&body)) {
	case DW_LNE_end_sequence:
		end_sequence(p);
		break;
	case DW_LNE_set_address:
		p->va = n == 9 ? cur_u64(&body) : n == 5 ? cur_u32(&body) : p->va;
		break;
	default:
		break;
	}
}

static void standard(struct program *p, unsigned opcode)
{
	struct cursor *c = &p->c;

	switch (opcode) {
	case DW_LNS_copy:
		add_row(p, (uint32_t)p->file, p->line);
		break;
	case DW_LNS_advance_pc:
		p->va += cur_uleb(c) * p->min_length;
		break;
	case DW_LNS_advance_line:
		p->line += (uint64_t)cur_sleb(c);
		break;
	case DW_LNS_set_file:
		p->file = cur_uleb(c);
		break;
	case DW_LNS_const_add_pc:
		p->va += (uint64_t)((255 - p->opcode_base) / p->line_range) *
		         p->min_length;
		break;
	case DW_LNS_fixed_advance_pc:
		p->va += cur_u16(c);
		break;
	default:
		for (unsigned i = 0; i < p->operands[opcode]; i++)
			cur_uleb(c);
	}
}

static void run(struct program *p)
{
	begin(p);
	while (cur_left(&p->c) && !p->c.bad) {
		unsigned opcode = cur_u8(&p->c);

		if (opcode >= p->opcode_base) {
			unsigned by = opcode - p->opcode_base;

			p->va += (uint64_t)(by / p->line_range) * p->min_length;
			p->line += (uint64_t)(int64_t)(p->line_base +
			                               (int)(by % p->line_range));
			add_row(p, (uint32_t)p->file, p->line);
		} else if (!opcode) {
			extended(p);
		} else {
			standard(p, opcode);
		}
	}
}

/* Where one sequence ends and another begins, what begins counts. */
static int by_va(const void *pa, const void *pb)
{
	const struct line_row *a = pa, *b = pb;
	bool a_ends = a->file == UINT32_MAX, b_ends = b->file == UINT32_MAX;

	if (a->va != b->va)
		return a->va < b->va ? -1 : 1;
	if (a_ends != b_ends)
		return a_ends ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

static struct lines *read_lines(struct unit *u, uint64_t off)
{
	struct dwarf *d = u->d;
	struct unit sizes = *u; /* of forms: those of the program, not of the unit */
	struct program p = { .u = &sizes, .c = dwarf_at(d, DW_LINE, off) };
	const char *at = p.c.p;

	p.to = arena_new(d->arena, struct lines, 1);
	if (!read_header(&p) || !dwarf_may(d, (uint64_t)(p.c.end - at)))
		return p.to;
	run(&p);
	if (p.descends)
		qsort(p.to->row, p.to->n, sizeof(*p.to->row), by_va);
	return p.to;
}

const struct lines *dwarf_lines_of(struct unit *u)
{
	struct dwarf *d = u->d;
	uint32_t *at;

	if (u->lines_tried)
		return u->lines;
	u->lines_tried = true;
	if (dwarf_kept_lines(u))
		return u->lines;
	dwarf_read_late(d);
	d->changed = true;
	if (!dwarf_root(u) || !u->stmt_list.form ||
	    u->stmt_list.u >= d->section[DW_LINE].n)
		return NULL;
	at = table_at(&d->lines_of, d->arena, u->stmt_list.u, 0);
	if (!*at) {
		d->lines = arena_grow(d->arena, d->lines, &d->lines_cap, d->nlines + 1,
		                      sizeof(*d->lines));
		d->lines[d->nlines++] = read_lines(u, u->stmt_list.u);
		*at = (uint32_t)d->nlines;
	}
	u->lines = d->lines[*at - 1];
	return u->lines;
}

struct str dwarf_file_of(const struct lines *l, uint64_t number)
{
	uint64_t i = number - l->first_file;

	return i < l->files ? l->file[i] : (struct str){ 0 };
}

const struct line_row *dwarf_row(const struct lines *l, uint64_t va)
{
	size_t low = 0, high = l->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (l->row[mid].va <= va)
			low = mid + 1;
		else
			high = mid;
	}
	return low && l->row[low - 1].file != UINT32_MAX ? &l->row[low - 1] : NULL;
}
