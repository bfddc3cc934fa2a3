/*
 * Output of readelf -rW for a module with debug information:
 *
 * 	000000000000000c  0000000300000001 R_X86_64_64   0000000000000000 .text + 0
 * 	0000000000000016  000000400000000a R_X86_64_32   0000000000000000 .debug_str + 1c
 *
 * Specification: System V ABI chapter 4, and its supplements for x86-64 and arm64.
 */
#include "image/elf/relocate.h"

#include <elf.h>

#include "base/cursor.h"

/*
 * allocated sections without loaded code get va at multiples of 2^40, and do not overlap, because
 * no module has 2^40 bytes
 */
enum { ELSEWHERE = 40 };

static bool is_loaded_code(const struct section_header *h)
{
	const uint64_t want = SHF_EXECINSTR | SHF_ALLOC;

	return (h->flags & want) == want && !str_starts(h->name, STR(".init"));
}

const uint64_t *relocate_layout(const struct section_file *f, struct arena *a)
{
	uint64_t *va = arena_new(a, uint64_t, f->n + 1), end = RELOCATE_FIRST;

	for (size_t i = 0; i < f->n; i++) {
		struct section_header h = section_at(f, i);
		uint64_t mask = h.align ? h.align - 1 : 0;

		va[i] = (uint64_t)(i + 1) << ELSEWHERE;
		/*
		 * A reference to a debug section is an offset in it, so the va of the
		 * section is 0.
		 */
		if (!(h.flags & SHF_ALLOC))
			va[i] = 0;
		if (!is_loaded_code(&h) || h.size >> ELSEWHERE ||
		    (end + mask) >> ELSEWHERE)
			continue;
		va[i] = (end + mask) & ~mask;
		end = va[i] + h.size;
	}
	return va;
}

bool relocate_is_code(uint64_t va)
{
	return !(va >> ELSEWHERE);
}

/*
 * Returns the number of bytes that a relocation of that type changes, or 0 if it is
 * unknown.
 */
static size_t width(unsigned machine, uint32_t type)
{
	switch (type) {
	case R_X86_64_64:
		return machine == EM_X86_64 ? 8 : 0;
	case R_X86_64_32:
	case R_X86_64_32S:
	case R_X86_64_PC32:
	case R_X86_64_PLT32:
		return machine == EM_X86_64 ? 4 : 0;
	case R_AARCH64_ABS64:
		return machine == EM_AARCH64 ? 8 : 0;
	case R_AARCH64_ABS32:
		return machine == EM_AARCH64 ? 4 : 0;
	default:
		return 0;
	}
}

/* Returns the va of symbol i, or 0 if it is in another module. */
static uint64_t symbol_va(const struct section_file *f, struct str symbols, uint64_t i)
{
	const size_t size = sizeof(Elf64_Sym);
	struct cursor c = cur_over(i < symbols.n / size ? str_from(symbols, i * size)
	                                                : (struct str){ 0 },
	                           f->swap);
	uint16_t section;

	cur_take(&c, 6); /* skip name, info and visibility */
	section = cur_u16(&c);
	return section < f->n ? f->va[section] + cur_u64(&c) : 0;
}

static void store(char *to, uint64_t value, size_t n, bool swap)
{
	uint32_t half = (uint32_t)value;

	if (swap) {
		value = __builtin_bswap64(value);
		half = __builtin_bswap32(half);
	}
	memcpy(to, n == 8 ? (const void *)&value : (const void *)&half, n);
}

/*
 * Returns true for relocations that store the distance from the relocated bytes to the symbol.
 */
static bool is_distance(unsigned machine, uint32_t type)
{
	return machine == EM_X86_64 && (type == R_X86_64_PC32 || type == R_X86_64_PLT32);
}

/*
 * Returns the distance from `here` to the symbol.  The caller adds the addend.  If the address of
 * the symbol is unknown, returns the distance to address 0, because 0 marks a missing target.
 */
static uint64_t distance(uint64_t symbol, uint64_t here)
{
	return (symbol >> ELSEWHERE == here >> ELSEWHERE ? symbol : 0) - here;
}

/*
 * Applies the relocations of one table to a part of a section.  The part starts at offset
 * `offset` and address `va`.  Returns false if a type is unknown.
 */
static bool apply(const struct section_file *f, struct str table, struct str symbols,
                  struct str bytes, uint64_t offset, uint64_t va)
{
	char *to = (char *)(uintptr_t)bytes.p;
	struct cursor c = cur_over(table, f->swap);

	while (cur_left(&c) >= sizeof(Elf64_Rela)) {
		uint64_t at = cur_u64(&c) - offset, info = cur_u64(&c);
		uint64_t value = cur_u64(&c);
		uint32_t type = ELF64_R_TYPE(info);
		size_t n = width(f->machine, type);
		uint64_t symbol = symbol_va(f, symbols, ELF64_R_SYM(info));

		if (!n && type != R_X86_64_NONE)
			return false;
		value += is_distance(f->machine, type) ? distance(symbol, va + at)
		                                       : symbol;
		if (n && at <= bytes.n && n <= bytes.n - at)
			store(to + at, value, n, f->swap);
	}
	return true;
}

static struct str symbols_of(const struct section_file *f,
                             const struct section_header *table)
{
	struct section_header h;

	if (table->link >= f->n)
		return (struct str){ 0 };
	h = section_at(f, table->link);
	return h.flags & SHF_COMPRESSED ? (struct str){ 0 } : section_bytes(f, &h);
}

struct str relocate_part(const struct section_file *f, size_t i, struct str bytes,
                         uint64_t offset, struct arena *a)
{
	struct str own = { 0 };

	if (!f->relocatable || !bytes.n)
		return bytes;
	for (size_t k = 0; k < f->n; k++) {
		struct section_header h = section_at(f, k);

		if ((h.type != SHT_RELA && h.type != SHT_REL) || h.info != i)
			continue;
		/*
		 * Only one table is accepted, so that the work is limited by the size of
		 * the file.
		 */
		if (own.n || h.type == SHT_REL || !f->wide || !f->va)
			return (struct str){ 0 };
		own = arena_str(a, bytes);
		if (!apply(f, section_bytes(f, &h), symbols_of(f, &h), own, offset,
		           f->va[i] + offset))
			return (struct str){ 0 };
	}
	return own.n ? own : bytes;
}

struct str relocate_find(const struct section_file *f, struct str name, struct arena *a)
{
	size_t i = 0;
	struct str bytes = section_find(f, name, &i, a);

	return relocate_part(f, i, bytes, 0, a);
}
