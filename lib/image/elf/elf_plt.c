/*
 * PLT stubs call functions of other libraries.  Output of objdump -d:
 *
 * 	1020:  ff 35 ca 2f 00 00   push 0x2fca(%rip)
 * 	1026:  ff 25 cc 2f 00 00   jmp *0x2fcc(%rip)   # the header: calls the dynamic loader
 * 	1040:  ff 25 c2 2f 00 00   jmp *0x2fc2(%rip)   # 4008 <strlen@GLIBC_2.2.5>
 * 	10a0:  f3 0f 1e fa       endbr64
 * 	10a4:  f2 ff 25 5d 2f ..   bnd jmp *0x2f5d(%rip)
 * 	720:   90000110     adrp x16, 20000
 * 	724:   f9400211     ldr  x17, [x16, #0]
 *
 * Names, sizes, headers and order of stub sections differ between linkers, and symbol tables
 * rarely list stubs.  However, each stub loads an address from a slot, and a relocation of the
 * slot names the function.  With branch protection (IBT), a lazily bound stub has a second part,
 * which only pushes the index of the relocation in .rela.plt.
 */
#include "image/elf/elf_plt.h"

#include <stdlib.h>

enum {
	/* size in bytes of stubs in sections with an alignment below STEP */
	SMALL = 8,
	/*
	 * if the alignment of a section is at least STEP, its stubs begin at multiples of STEP
	 */
	STEP = 16,
	LARGE = 32, /* size in bytes of the longest stub or header */
};

/* A slot of the global offset table.  The loader stores the address of a function in it. */
struct slot {
	uint64_t va;
	uint64_t resolver;
	struct str name;
};

struct plt {
	Elf *file;
	struct str bytes, names;
	struct arena *arena;
	unsigned machine;
	struct slot *slot; /* sorted by va */
	size_t nslots, slots_cap;
	struct slot *lazy; /* slots of .rela.plt in file order */
	size_t nlazy, lazy_cap;
	struct elf_plt_stub *stub;
	size_t nstubs, stubs_cap;
};

/* The symbol table to which relocations refer. */
struct targets {
	Elf_Data *symbols;
	struct str strings;
};

static bool open_targets(const struct plt *p, const GElf_Shdr *rela, struct targets *t)
{
	Elf_Scn *scn = elf_getscn(p->file, rela->sh_link);
	GElf_Shdr sh, link;

	*t = (struct targets){ 0 };
	/* In a static program, relocations refer to no symbol table, so *t stays empty. */
	if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_DYNSYM)
		return true;
	if (!elf_section_bytes(p->bytes, &sh).n ||
	    !gelf_getshdr(elf_getscn(p->file, sh.sh_link), &link))
		return false;
	t->symbols = elf_getdata(scn, NULL);
	t->strings = elf_section_bytes(p->bytes, &link);
	return t->symbols != NULL;
}

static struct slot slot_of(const struct plt *p, const struct targets *t,
                           const GElf_Rela *rel)
{
	uint64_t type = GELF_R_TYPE(rel->r_info);
	struct slot s = { .va = rel->r_offset };
	GElf_Sym sym;

	if (type == (p->machine == EM_X86_64 ? R_X86_64_IRELATIVE : R_AARCH64_IRELATIVE))
		s.resolver = (uint64_t)rel->r_addend;
	else if (t->symbols &&
	         gelf_getsym(t->symbols, (int)GELF_R_SYM(rel->r_info), &sym))
		s.name = elf_string(t->strings, sym.st_name);
	return s;
}

static bool fills_slot(const struct plt *p, const GElf_Rela *rel)
{
	switch (GELF_R_TYPE(rel->r_info)) {
	case R_X86_64_GLOB_DAT:
	case R_X86_64_JUMP_SLOT:
	case R_X86_64_IRELATIVE:
		return p->machine == EM_X86_64;
	case R_AARCH64_GLOB_DAT:
	case R_AARCH64_JUMP_SLOT:
	case R_AARCH64_IRELATIVE:
		return p->machine == EM_AARCH64;
	default:
		return false;
	}
}

static void read_relocations(struct plt *p, Elf_Scn *scn, const GElf_Shdr *sh)
{
	bool lazy = str_eq(elf_string(p->names, sh->sh_name), STR(".rela.plt"));
	struct targets t;
	Elf_Data *rela;

	if (sh->sh_entsize != sizeof(Elf64_Rela) || !elf_section_bytes(p->bytes, sh).n ||
	    !open_targets(p, sh, &t))
		return;
	rela = elf_getdata(scn, NULL);
	for (size_t i = 0; rela && i < rela->d_size / sizeof(Elf64_Rela); i++) {
		GElf_Rela rel;
		struct slot s;

		if (!gelf_getrela(rela, (int)i, &rel) || !(fills_slot(p, &rel) || lazy))
			continue;
		s = slot_of(p, &t, &rel);
		if (fills_slot(p, &rel)) {
			*arena_push(p->arena, p->slot, p->nslots, p->slots_cap) = s;
		}
		if (lazy) {
			*arena_push(p->arena, p->lazy, p->nlazy, p->lazy_cap) = s;
		}
	}
}

ORDER(by_va, struct slot, num_cmp(a->va, b->va))

static const struct slot *slot_at(const struct plt *p, uint64_t va)
{
	const struct slot key = { .va = va };

	return p->nslots ? bsearch(&key, p->slot, p->nslots, sizeof(key), by_va) : NULL;
}

static uint32_t word_at(struct str code, size_t at)
{
	uint32_t w = 0;

	for (size_t i = 0; i < 4 && at + i < code.n; i++)
		w |= (uint32_t)(unsigned char)code.p[at + i] << 8 * i;
	return w;
}

static bool begins(struct str code, size_t at, const char *bytes, size_t n)
{
	return at + n <= code.n && !memcmp(code.p + at, bytes, n);
}

/* Returns the slot of the stub at code[at], or NULL if the code is not a stub. */
static const struct slot *slot_of_x86(const struct plt *p, struct str code, size_t at,
                                      uint64_t va)
{
	size_t i = at;

	if (begins(code, i, "\xf3\x0f\x1e\xfa", 4)) /* endbr64 */
		i += 4;
	if (begins(code, i, "\x68", 1)) { /* push $n */
		uint32_t n = word_at(code, i + 1);

		return n < p->nlazy ? &p->lazy[n] : NULL;
	}
	if (begins(code, i, "\x41\xbb", 2)) /* mov $n, %r11d */
		i += 6;
	if (begins(code, i, "\xf2", 1)) /* bnd */
		i++;
	if (begins(code, i, "\xff\x25", 2)) /* jmp *n(%rip) */
		i += 2;
	else if (begins(code, i, "\x4c\x8b\x1d", 3)) /* mov n(%rip), %r11 */
		i += 3;
	else
		return NULL;
	return slot_at(p, va + i + 4 + (uint64_t)(int64_t)(int32_t)word_at(code, i));
}

/* Matches adrp x16, page, then ldr x17, [x16, #n]. */
static const struct slot *slot_of_arm(const struct plt *p, struct str code, size_t at,
                                      uint64_t va)
{
	size_t i = word_at(code, at) == 0xd503245f ? at + 4 : at; /* bti c */
	uint32_t adrp = word_at(code, i), ldr = word_at(code, i + 4);
	uint64_t pages = (adrp >> 29 & 3) | (adrp >> 5 & 0x7ffff) << 2;

	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return NULL;
	if (pages & 1 << 20)
		pages -= 1 << 21;
	return slot_at(p, ((va + i) & ~(uint64_t)4095) + pages * 4096 +
	                          (ldr >> 10 & 0xfff) * (uint64_t)8);
}

/* Sets the ends of stubs.  A stub ends at the start of the next stub, or after LARGE bytes. */
static void end_stubs(struct plt *p, size_t first, uint64_t end)
{
	for (size_t i = first; i < p->nstubs; i++) {
		struct elf_plt_stub *s = &p->stub[i];
		uint64_t next = i + 1 < p->nstubs ? s[1].start : end;

		s->end = next - s->start > LARGE ? s->start + LARGE : next;
	}
}

/* The code between the start of .plt and its first stub is the header. */
static void add_header(struct plt *p, uint64_t start, size_t first)
{
	if (p->nstubs > first && p->stub[first].start > start &&
	    p->stub[first].start - start <= LARGE) {
		*arena_push(p->arena, p->stub, p->nstubs, p->stubs_cap) =
		        (struct elf_plt_stub){ .start = start,
			                       .end = p->stub[first].start,
			                       .header = true };
	}
}

static void read_stubs(struct plt *p, const GElf_Shdr *sh)
{
	struct str code = elf_section_bytes(p->bytes, sh);
	bool arm = p->machine == EM_AARCH64;
	size_t step = arm ? 4 : sh->sh_addralign < STEP ? SMALL : STEP;
	size_t first = p->nstubs;

	for (size_t at = 0; at + SMALL <= code.n; at += step) {
		const struct slot *s = arm ? slot_of_arm(p, code, at, sh->sh_addr)
		                           : slot_of_x86(p, code, at, sh->sh_addr);
		uint64_t start = sh->sh_addr + at;

		if (!s || (!s->name.n && !s->resolver))
			continue;
		/* The previous stub begins with a bti instruction, so it contains this code. */
		if (arm && p->nstubs > first && p->stub[p->nstubs - 1].start + 4 == start)
			continue;
		*arena_push(p->arena, p->stub, p->nstubs, p->stubs_cap) =
		        (struct elf_plt_stub){ .start = start,
			                       .name = s->name,
			                       .resolver = s->resolver };
	}
	end_stubs(p, first, sh->sh_addr + code.n);
	if (str_eq(elf_string(p->names, sh->sh_name), STR(".plt")))
		add_header(p, sh->sh_addr, first);
}

static bool holds_stubs(struct str name)
{
	return str_starts(name, STR(".plt")) || str_eq(name, STR(".iplt"));
}

size_t elf_plt_stubs(Elf *file, struct str bytes, struct arena *a,
                     struct elf_plt_stub **out)
{
	struct plt p = { .file = file,
		         .bytes = bytes,
		         .names = elf_section_names(file, bytes),
		         .arena = a };
	Elf_Scn *scn = NULL;
	GElf_Ehdr eh;
	GElf_Shdr sh;

	if (!gelf_getehdr(file, &eh) || eh.e_type == ET_REL ||
	    (eh.e_machine != EM_X86_64 && eh.e_machine != EM_AARCH64))
		return 0;
	p.machine = eh.e_machine;
	while ((scn = elf_nextscn(file, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA &&
		    sh.sh_flags & SHF_ALLOC)
			read_relocations(&p, scn, &sh);
	order_by(p.slot, p.nslots, by_va);
	while ((scn = elf_nextscn(file, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_PROGBITS &&
		    sh.sh_flags & SHF_EXECINSTR &&
		    holds_stubs(elf_string(p.names, sh.sh_name)))
			read_stubs(&p, &sh);
	*out = p.stub;
	return p.nstubs;
}
