#include "image/code/code.h"

#include <elf.h>

#include "image/elf/relocate.h"

/* Returns the part of `bytes` that is in the range.  `bytes` begins at `base`. */
static struct str part(struct str bytes, uint64_t base, const struct code_range *range)
{
	if (range->start < base || range->end <= range->start)
		return (struct str){ 0 };
	return str_head(str_from(bytes, range->start - base), range->end - range->start);
}

static struct str from_segments(const struct elf *e, const struct code_range *range)
{
	for (const struct elf_load *l = e->load; l < e->load + e->nloads; l++) {
		if (!l->executable || range->start - l->va >= l->file_size)
			continue;
		return part(str_head(str_from(e->bytes, l->file_off), l->file_size),
		            l->va, range);
	}
	return (struct str){ 0 };
}

/* Relocates the code, because calls in an unrelocated module have no targets. */
static struct str from_module(const struct elf *e, const struct code_range *range,
                              struct arena *a)
{
	arena_scope(scratch);
	struct section_file f;
	struct str bytes = { 0 }, moved;

	if (!section_open(&f, e->bytes))
		return bytes;
	f.va = relocate_layout(&f, &scratch);
	for (size_t i = 0; i < f.n; i++) {
		struct section_header h = section_at(&f, i);

		if (!(h.flags & SHF_EXECINSTR) || range->start - f.va[i] >= h.size)
			continue;
		bytes = part(section_bytes(&f, &h), f.va[i], range);
		moved = relocate_part(&f, i, bytes, range->start - f.va[i], a);
		bytes = moved.n ? moved : bytes;
		break;
	}
	return bytes;
}

static unsigned machine_of_pe(const struct pe *pe)
{
	return pe->machine == PE_X64     ? EM_X86_64
	       : pe->machine == PE_ARM64 ? EM_AARCH64
	       : pe->machine == PE_X86   ? EM_386
	                                 : EM_NONE;
}

static bool from_elf(const struct item *it, const struct code_range *range,
                     struct code *out, struct arena *a)
{
	const struct elf *e = it->elf;

	if (!e || e->bare)
		return false;
	out->machine = e->machine;
	out->bytes = e->relocatable ? from_module(e, range, a) : from_segments(e, range);
	return out->bytes.n;
}

static bool from_pe(const struct item *it, const struct code_range *range,
                    struct code *out)
{
	if (!it->pe || range->end <= range->start)
		return false;
	out->machine = machine_of_pe(it->pe);
	out->bytes = pe_bytes(it->pe, range->start, range->end - range->start);
	return out->bytes.n;
}

static bool from_jitdump(const struct item *it, const struct code_range *range,
                         struct code *out)
{
	const struct jitdump *d = it->jitdump;

	if (!d || range->piece >= d->n)
		return false;
	out->machine = d->machine;
	out->bytes =
	        part(jitdump_code(d, range->piece), d->code[range->piece].start, range);
	return out->bytes.n;
}

bool code_bytes(const struct item *it, const struct code_range *range, struct code *out,
                struct arena *a)
{
	*out = (struct code){ 0 };
	switch (range->space) {
	case CODE_VA:
		return from_elf(it, range, out, a);
	case CODE_RVA:
		return from_pe(it, range, out);
	case CODE_IP:
		return from_jitdump(it, range, out);
	}
	return false;
}
