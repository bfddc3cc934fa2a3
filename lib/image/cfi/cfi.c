/*
 * .eh_frame and .debug_frame are lists of entries: a CIE says what many functions have
 * in common, an FDE is about one.  readelf --debug-dump=frames:
 *
 *	00000000 0000000000000014 00000000 CIE
 *	  Augmentation:          "zR"
 *	  Code alignment factor: 1
 *	  Data alignment factor: -8
 *	  Return address column: 16
 *	00000018 0000000000000014 0000001c FDE cie=00000000 pc=1060..1086
 *
 * .eh_frame_hdr is a table of the FDEs, sorted by address; what has no such table is
 * listed here when it is first asked for.  libdw would do this as well, but what it
 * makes of damaged sections is not ours to mend.
 */
#include "image/cfi/cfi.h"

#include <elf.h>
#include <stdlib.h>

#include "image/cfi/cfirow.h"
#include "image/elf/relocate.h"

enum {
	DATA4 = 0x3b, /* four bytes, signed, relative to the table: how all linkers do it */
	PAIR = 8, /* bytes of an entry of the table: where code begins, where its FDE is */
	LETTERS_MAX = 16,
};

struct listed {
	uint64_t start, end; /* va */
	size_t at;           /* of the FDE, in its section */
};

struct section {
	struct cfi_pointers at;
	bool eh;
	bool made; /* the list below */
	struct listed *list;
	size_t n, cap;
};

struct cfi {
	struct arena *arena;
	struct section eh, debug; /* none: at.section is empty */
	uint64_t moved;           /* how much higher va are than those of debug */
	struct str table;         /* of .eh_frame_hdr: pairs; empty when it has none */
	unsigned machine;
	bool swap;
};

/* A CIE or an FDE. */
struct entry {
	struct cursor c;    /* over what follows the id */
	bool common;        /* a CIE */
	uint64_t common_at; /* else where its CIE is, in the section */
	size_t end;         /* where the next one begins */
};

struct common {
	struct str program;
	uint64_t code_align, ra;
	int64_t data_align;
	uint8_t encoding;
	bool sized; /* FDEs say how long their own augmentation is */
	bool signal;
};

/* False: no entry begins there, or it is longer than the section. */
static bool read_entry(const struct cfi *cfi, const struct section *s, uint64_t at,
                       struct entry *e)
{
	struct str all = s->at.section;
	struct cursor c;
	uint64_t n, id, id_at;
	bool wide;

	if (at >= all.n)
		return false;
	c = cur_over(str_from(all, at), cfi->swap);
	n = cur_u32(&c);
	wide = n == UINT32_MAX;
	if (wide)
		n = cur_u64(&c);
	if (c.bad || !n || n > cur_left(&c))
		return false;
	id_at = (uint64_t)(c.p - all.p);
	e->end = (size_t)(id_at + n);
	c = cur_over((struct str){ c.p, n }, cfi->swap);
	id = wide ? cur_u64(&c) : cur_u32(&c);
	if (s->eh) {
		e->common = !id;
		e->common_at = id_at - (wide ? id : (uint64_t)(int64_t)(int32_t)id);
	} else {
		e->common = id == (wide ? UINT64_MAX : UINT32_MAX);
		e->common_at = id;
	}
	e->c = c;
	return !c.bad;
}

/* The letters of an augmentation; real ones are five at most. */
static struct str read_letters(struct cursor *c)
{
	struct str s = str_head((struct str){ c->p, cur_left(c) }, LETTERS_MAX + 1);
	size_t n = str_find(s, '\0');

	if (n == s.n)
		c->bad = true;
	else
		cur_take(c, n + 1);
	return str_head(s, n);
}

/* "zPLR", a letter for each thing that follows; behind an unknown one nothing is known. */
static void read_augmentation(struct str letters, struct cursor *c,
                              const struct cfi_pointers *at, struct common *out)
{
	for (size_t i = 0; i < letters.n; i++) {
		switch (letters.p[i]) {
		case 'R':
			out->encoding = cur_u8(c);
			break;
		case 'P':
			cfirow_pointer(c, cur_u8(c), at);
			break;
		case 'L':
			cur_u8(c);
			break;
		case 'S':
			out->signal = true;
			break;
		case 'B': /* arm64: which key signs */
			break;
		default:
			c->bad |= !out->sized;
			return;
		}
	}
}

static bool read_common(const struct cfi *cfi, const struct section *s, uint64_t at,
                        struct common *out)
{
	struct str letters, augmentation;
	struct entry e;
	uint8_t version;
	uint64_t n;

	*out = (struct common){ 0 };
	if (!read_entry(cfi, s, at, &e) || !e.common)
		return false;
	version = cur_u8(&e.c);
	letters = read_letters(&e.c);
	if (version == 4)
		cur_u16(&e.c); /* sizes of an address and of a segment */
	out->code_align = cur_uleb(&e.c);
	out->data_align = cur_sleb(&e.c);
	out->ra = version == 1 ? cur_u8(&e.c) : cur_uleb(&e.c);
	out->sized = str_starts(letters, STR("z"));
	if (out->sized) {
		struct cursor c;

		n = cur_uleb(&e.c);
		augmentation.p = cur_take(&e.c, n);
		augmentation.n = augmentation.p ? n : 0;
		c = cur_over(augmentation, cfi->swap);
		read_augmentation(str_from(letters, 1), &c, &s->at, out);
		e.c.bad |= c.bad;
	} else {
		read_augmentation(letters, &e.c, &s->at, out);
	}
	out->program = (struct str){ e.c.p, cur_left(&e.c) };
	return !e.c.bad && version >= 1 && version <= 4 && version != 2;
}

/* The va that an FDE is about, first and behind the last; its program is left in e. */
static bool read_range(const struct section *s, const struct common *common,
                       struct entry *e, uint64_t *start, uint64_t *end)
{
	uint64_t size;

	*start = cfirow_pointer(&e->c, common->encoding, &s->at);
	size = cfirow_pointer(&e->c, common->encoding & POINTER_FORM, &s->at);
	*end = *start + size;
	if (common->sized)
		cur_take(&e->c, cur_uleb(&e->c));
	return !e->c.bad && *end >= *start;
}

/* The FDE at that place of the section, if it holds va. */
static enum cfi_found find_in(struct cfi *cfi, const struct section *s, uint64_t at,
                              uint64_t va, struct cfi_row *out)
{
	struct cfi_program p = { .at = s->at,
		                 .swap = cfi->swap,
		                 .arm64 = cfi->machine == EM_AARCH64 };
	struct common common;
	struct entry e;
	uint64_t end;

	if (!read_entry(cfi, s, at, &e) || e.common ||
	    !read_common(cfi, s, e.common_at, &common) ||
	    !read_range(s, &common, &e, &p.start, &end))
		return CFI_NONE;
	if (va < p.start || va >= end)
		return CFI_GAP;
	p.common = common.program;
	p.own = (struct str){ e.c.p, cur_left(&e.c) };
	p.code_align = common.code_align;
	p.data_align = common.data_align;
	p.encoding = common.encoding;
	*out = (struct cfi_row){ .ra = (uint8_t)common.ra, .signal = common.signal };
	if (common.ra >= CFI_REGS || !cfirow_run(&p, va, cfi->arena, out))
		return CFI_NONE;
	return CFI_FOUND;
}

static int by_start(const void *pa, const void *pb)
{
	const struct listed *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static void push(struct cfi *cfi, struct section *s, struct listed l)
{
	s->list = arena_grow(cfi->arena, s->list, &s->cap, s->n + 1, sizeof(*s->list));
	s->list[s->n++] = l;
}

/* Every FDE.  Functions that the linker dropped are left behind, at 0 or empty. */
static void make_list(struct cfi *cfi, struct section *s)
{
	uint64_t known_at = UINT64_MAX;
	struct common common;
	struct entry e;
	bool good = false;

	s->made = true;
	for (size_t at = 0; read_entry(cfi, s, at, &e); at = e.end) {
		struct listed l = { .at = at };

		if (e.common)
			continue;
		if (e.common_at != known_at)
			good = read_common(cfi, s, e.common_at, &common);
		known_at = e.common_at;
		if (good && read_range(s, &common, &e, &l.start, &l.end) && l.start &&
		    l.end > l.start)
			push(cfi, s, l);
	}
	if (s->n)
		qsort(s->list, s->n, sizeof(*s->list), by_start);
}

static enum cfi_found find_listed(struct cfi *cfi, struct section *s, uint64_t va,
                                  struct cfi_row *out)
{
	size_t low = 0, high;

	if (!s->made)
		make_list(cfi, s);
	high = s->n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->list[mid].start <= va)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? find_in(cfi, s, s->list[low - 1].at, va, out) : CFI_GAP;
}

/* A number of the table: a va. */
static uint64_t table_va(const struct cfi *cfi, size_t at)
{
	struct cursor c = cur_over(str_from(cfi->table, at), cfi->swap);

	return cfi->eh.at.data + (uint64_t)(int64_t)(int32_t)cur_u32(&c);
}

static enum cfi_found find_in_table(struct cfi *cfi, uint64_t va, struct cfi_row *out)
{
	size_t low = 0, high = cfi->table.n / PAIR;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (table_va(cfi, mid * PAIR) <= va)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return CFI_GAP;
	return find_in(cfi, &cfi->eh,
	               table_va(cfi, (low - 1) * PAIR + PAIR / 2) - cfi->eh.at.va, va,
	               out);
}

enum cfi_found cfi_find(struct cfi *c, uint64_t va, bool as_perf, struct cfi_row *out)
{
	enum cfi_found found;

	if (as_perf)
		return c->table.n ? find_in_table(c, va, out) : CFI_NONE;
	if (c->table.n)
		found = find_in_table(c, va, out);
	else
		found = find_listed(c, &c->eh, va, out);
	if (found != CFI_FOUND && c->debug.at.section.n)
		found = find_listed(c, &c->debug, va - c->moved, out);
	return found;
}

/* version, encodings of three things, .eh_frame's address, how many pairs, the pairs. */
static void read_table(struct cfi *cfi, struct str header, uint64_t va)
{
	struct cfi_pointers at = { header, va, va, cfi->eh.at.word };
	struct cursor c = cur_over(header, cfi->swap);
	uint8_t version = cur_u8(&c), frame = cur_u8(&c), count = cur_u8(&c);
	uint8_t table = cur_u8(&c);
	uint64_t n;

	cfirow_pointer(&c, frame, &at);
	n = cfirow_pointer(&c, count, &at);
	if (c.bad || version != 1 || table != DATA4 || count == POINTER_OMIT)
		return;
	if (n > cur_left(&c) / PAIR)
		n = cur_left(&c) / PAIR;
	cfi->table = (struct str){ c.p, n * PAIR };
}

static void open_loaded(struct section *s, const struct elf *e)
{
	s->eh = true;
	s->at.word = e->wide ? 8 : 4;
	elf_section(e, STR(".eh_frame"), &s->at.section, &s->at.va);
}

/* It may be packed like other debug information; its place is nowhere. */
static void open_debug(struct section *s, const struct elf *e, struct arena *a)
{
	struct section_file f;

	s->at.word = e->wide ? 8 : 4;
	if (section_open(&f, e->bytes))
		s->at.section = relocate_find(&f, STR(".debug_frame"), a);
}

struct cfi *cfi_open(const struct elf *image, const struct elf *debug, struct arena *a)
{
	const struct elf *any = image ? image : debug;
	struct cfi *cfi;
	struct str header;
	uint64_t va;

	if (!any || !any->wide ||
	    (any->machine != EM_X86_64 && any->machine != EM_AARCH64))
		return NULL;
	cfi = arena_new(a, struct cfi, 1);
	cfi->arena = a;
	cfi->machine = any->machine;
	cfi->swap = any->swapped;
	if (image) {
		open_loaded(&cfi->eh, image);
		open_debug(&cfi->debug, image, a);
		if (elf_section(image, STR(".eh_frame_hdr"), &header, &va)) {
			cfi->eh.at.data = va;
			read_table(cfi, header, va);
		}
	}
	if (debug && debug->wide && debug->swapped == cfi->swap &&
	    debug->machine == cfi->machine && !cfi->debug.at.section.n) {
		open_debug(&cfi->debug, debug, a);
		cfi->moved = image ? elf_moved(image, debug) : 0;
	}
	return cfi->eh.at.section.n || cfi->debug.at.section.n ? cfi : NULL;
}

uint64_t cfi_table(const struct cfi *c)
{
	return c->eh.at.data;
}

unsigned cfi_machine(const struct cfi *c)
{
	return c->machine;
}
