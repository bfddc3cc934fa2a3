#include "bind/native/name_offset.h"

#include "bind/binder.h"
#include "bind/native/native.h"

enum {
	PAGE = 4096,
	LOWEST = 0x10000, /* vm.mmap_min_addr: the lowest address of a mapping */
};

/*
 * Sets *shift to va minus file offset of the code.  Returns false if parts of the code have
 * different shifts.
 */
static bool shift_of_code(const struct elf *e, uint64_t *shift)
{
	bool any = false;

	for (const struct elf_load *l = e->load; l < e->load + e->nloads; l++) {
		if (!l->executable)
			continue;
		if (any && *shift != l->va - l->file_off)
			return false;
		*shift = l->va - l->file_off;
		any = true;
	}
	return any;
}

/*
 * Returns true if func is the name of symbol s.  The text may print the name demangled, and
 * without parameters.
 */
static bool is_called(struct binder *b, const struct symbol *s, struct str func)
{
	struct str plain;

	if (s->start != s->base)
		return false;
	if (str_eq(s->name, func))
		return true;
	plain = demangle_once(b->demangled, s->name, b->run);
	return str_starts(plain, func) && (plain.n == func.n || plain.p[func.n] == '(');
}

/*
 * Compares start, the address of a function in the text, with va, the address of the function in
 * the file.
 */
static void compare(struct name_offset *c, const struct elf *e, uint64_t start,
                    uint64_t va, uint64_t shift)
{
	uint64_t by = start - va;

	c->offset |= start == va - shift;
	/*
	 * A loader does not place code below its va in the file.  So an address below
	 * this va is not a run-time address, but may be a file offset.
	 */
	if (start < va || by % PAGE != 0 || e->load[0].va + by < LOWEST)
		return;
	c->ambiguous |= c->absolute && c->bias != by + shift;
	c->absolute = true;
	c->bias = by + shift;
}

/* Returns true if a symbol has that name. */
static bool has_function(struct binder *b, const struct symtab *t, struct str func)
{
	for (size_t i = 0; i < t->n; i++)
		if (is_called(b, &t->sym[i], func))
			return true;
	return false;
}

bool name_offset_compare(struct binder *b, const struct mapping *m,
                         const struct frame_text *ft, struct name_offset *out)
{
	uint64_t start = ft->addr - ft->func_off, shift = 0;
	const struct symtab *t;
	const struct elf *e = native_elf_called(b, m, &t);

	*out = (struct name_offset){ 0 };
	if (!e || ft->addr < ft->func_off || !shift_of_code(e, &shift))
		return false;
	/*
	 * A loader moves a file by whole pages, so the start and the va of a function
	 * have the same offset in a page.
	 */
	for (size_t i = 0; i < t->n; i++)
		if (t->sym[i].base % PAGE == start % PAGE &&
		    is_called(b, &t->sym[i], ft->func))
			compare(out, e, start, t->sym[i].base, shift);
	if (out->offset || out->absolute)
		return out->offset != out->absolute && !out->ambiguous;
	return has_function(b, t, ft->func);
}

void name_offset_confirm(struct binder *b, const struct mapping *m)
{
	*table_at(&b->natives->confirmed, b->run, m->id, 0) = 1;
}
