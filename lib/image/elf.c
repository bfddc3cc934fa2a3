/*
 * ELF, System V ABI.  readelf -lW, of a program that lld linked:
 *
 *	LOAD  0x000000 0x0000000000000000 0x0000000000000000 0x01a6e4 0x01a6e4 R   0x1000
 *	LOAD  0x01a6f0 0x000000000001b6f0 0x000000000001b6f0 0x047bc0 0x047bc0 R E 0x1000
 *
 * libelf is only given files whose tables lie inside them; it finds the tables and
 * turns their numbers around.  Strings are taken from the bytes themselves.
 */
#include "image/elf.h"

#include <gelf.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "source/inflate.h"

enum {
	MINI_MAX = 256 << 20, /* bytes .gnu_debugdata may unpack to */
	PLT_NAME = 4096,      /* a longer name gets no @plt; real ones reach 1 kB */
};

bool elf_bid(struct str head)
{
	return str_starts(head, STR("\177ELF"));
}

static bool sections_inside(struct str bytes, uint64_t off, uint64_t size, uint16_t n,
                            bool wide)
{
	return off && n && n < SHN_LORESERVE &&
	       size == (wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)) &&
	       off <= bytes.n && size * n <= bytes.n - off;
}

/* The tables that the header points to are inside, and of the right shape. */
static bool tables_inside(struct str bytes)
{
	bool wide = bytes.n > EI_DATA && bytes.p[EI_CLASS] == ELFCLASS64;
	bool big = bytes.n > EI_DATA && bytes.p[EI_DATA] == ELFDATA2MSB;
	struct cursor c =
	        cur_over(bytes, big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
	uint64_t phoff, shoff, phsize, shsize;
	uint16_t type, phnum, shnum;

	cur_take(&c, EI_NIDENT);
	type = cur_u16(&c);
	cur_take(&c, wide ? 14 : 10); /* machine, version, entry */
	phoff = wide ? cur_u64(&c) : cur_u32(&c);
	shoff = wide ? cur_u64(&c) : cur_u32(&c);
	cur_take(&c, 6); /* flags, its own size */
	phsize = cur_u16(&c);
	phnum = cur_u16(&c);
	shsize = cur_u16(&c);
	shnum = cur_u16(&c);
	if (c.bad || phnum == PN_XNUM)
		return false;
	if (type == ET_REL)
		return !phnum && sections_inside(bytes, shoff, shsize, shnum, wide);
	if ((type != ET_EXEC && type != ET_DYN) || !phnum)
		return false;
	if (phsize != (wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
		return false;
	if (phoff > bytes.n || phsize * phnum > bytes.n - phoff)
		return false;
	return (!shoff && !shnum) || sections_inside(bytes, shoff, shsize, shnum, wide);
}

/* NULL: not usable.  libelf's file, to be given to elf_end. */
static Elf *open_tables(struct str bytes)
{
	if (!elf_bid(bytes) || !tables_inside(bytes))
		return NULL;
	elf_version(EV_CURRENT);
	return elf_memory((char *)(uintptr_t)bytes.p, bytes.n);
}

/* n bytes of the file; none when they are not all there. */
static struct str inside(struct str bytes, uint64_t off, uint64_t n)
{
	if (off > bytes.n || n > bytes.n - off)
		return (struct str){ 0 };
	return (struct str){ bytes.p + off, n };
}

static struct str section_bytes(struct str bytes, const GElf_Shdr *sh)
{
	if (sh->sh_type == SHT_NOBITS || sh->sh_flags & SHF_COMPRESSED)
		return (struct str){ 0 };
	return inside(bytes, sh->sh_offset, sh->sh_size);
}

/* The string at that offset in a table of strings. */
static struct str string_at(struct str strings, uint64_t off)
{
	struct str s = str_from(strings, off < strings.n ? off : strings.n);

	return str_head(s, str_find(s, '\0'));
}

static struct str section_names(Elf *file, struct str bytes)
{
	size_t index;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(file, &index) < 0 ||
	    !gelf_getshdr(elf_getscn(file, index), &sh))
		return (struct str){ 0 };
	return section_bytes(bytes, &sh);
}

static bool is_swapped(const GElf_Ehdr *eh)
{
	return (eh->e_ident[EI_DATA] == ELFDATA2MSB) !=
	       (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* A name, zeros up to a multiple of 4, a checksum. */
static void read_link(struct elf *e, struct str content, bool swap)
{
	struct str name = string_at(content, 0);
	struct cursor c = cur_over(str_from(content, (name.n + 4) & ~(size_t)3), swap);
	uint32_t crc = cur_u32(&c);

	if (c.bad)
		return;
	e->debug_link = name;
	e->debug_crc = crc;
}

static void read_sections(struct elf *e, Elf *file, bool swap)
{
	struct str names = section_names(file, e->bytes);
	bool code = false, code_here = false;
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(file, scn))) {
		struct str name, content;
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh))
			continue;
		name = string_at(names, sh.sh_name);
		content = section_bytes(e->bytes, &sh);
		if (sh.sh_type == SHT_NOTE && !e->build_id.n)
			e->build_id = elf_note_id(content, swap);
		if (sh.sh_type == SHT_SYMTAB && content.n)
			e->has_symtab = true;
		if (str_eq(name, STR(".gnu_debuglink")))
			read_link(e, content, swap);
		if (str_eq(name, STR(".gnu_debugaltlink"))) {
			e->alt_link = string_at(content, 0);
			e->alt_id = str_from(content, e->alt_link.n + 1);
		}
		if (str_eq(name, STR(".debug_info")) && sh.sh_type != SHT_NOBITS)
			e->has_dwarf = true;
		if (str_eq(name, STR(".gnu_debugdata")))
			e->mini = content;
		if (sh.sh_flags & SHF_EXECINSTR) {
			code = true;
			code_here |= sh.sh_type != SHT_NOBITS;
		}
	}
	e->bare = code && !code_here;
}

static void read_loads(struct elf *e, Elf *file, size_t n, bool swap, struct arena *a)
{
	struct elf_load *load = arena_new(a, struct elf_load, n + 1);

	e->load = load;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(file, (int)i, &ph))
			continue;
		if (ph.p_type == PT_NOTE && !e->build_id.n)
			e->build_id = elf_note_id(
			        inside(e->bytes, ph.p_offset, ph.p_filesz), swap);
		if (ph.p_type == PT_LOAD)
			load[e->nloads++] =
			        (struct elf_load){ ph.p_offset, ph.p_filesz, ph.p_vaddr,
				                   ph.p_memsz, (ph.p_flags & PF_X) != 0 };
	}
}

bool elf_read(struct elf *e, struct str bytes, struct arena *a)
{
	Elf *file = open_tables(bytes);
	GElf_Ehdr eh;
	bool good;

	*e = (struct elf){ .bytes = bytes };
	good = file && gelf_getehdr(file, &eh);
	if (good) {
		e->machine = eh.e_machine;
		e->wide = eh.e_ident[EI_CLASS] == ELFCLASS64;
		e->swapped = is_swapped(&eh);
		read_sections(e, file, is_swapped(&eh));
		e->relocatable = eh.e_type == ET_REL;
		/* Its DWARF is of no use before it is relocated. */
		e->has_dwarf &= !e->relocatable;
		read_loads(e, file, eh.e_phnum, is_swapped(&eh), a);
	}
	if (file)
		elf_end(file);
	return good;
}

static uint64_t page_down(uint64_t x, uint64_t page)
{
	return x & ~(page - 1);
}

/* Mapped with pages of that size, does the segment fill exactly this? */
static bool fills(uint64_t begin, uint64_t size, uint64_t off, uint64_t length)
{
	for (uint64_t page = 4096; page <= 65536; page *= 4)
		if (page_down(begin, page) == off &&
		    page_down(begin + size + page - 1, page) - off == length)
			return true;
	return false;
}

/* Its own offsets are void: the mapping must be the one segment with code. */
static bool place_bare(const struct elf *e, uint64_t file_off, uint64_t length,
                       uint64_t *shift)
{
	const struct elf_load *code = NULL;

	for (size_t i = 0; i < e->nloads; i++)
		if (e->load[i].executable) {
			if (code)
				return false;
			code = &e->load[i];
		}
	if (!code)
		return false;
	for (uint64_t page = 4096; page <= 65536; page *= 4) {
		uint64_t begin = page_down(code->va, page);

		*shift = begin - file_off;
		if (fills(code->va, code->size, begin, length))
			return true;
	}
	return false;
}

bool elf_text(const struct elf *e, uint64_t *va)
{
	*va = 0;
	if (e->relocatable)
		return true;
	for (size_t i = 0; i < e->nloads; i++)
		if (e->load[i].executable) {
			*va = e->load[i].va;
			return true;
		}
	return false;
}

bool elf_place(const struct elf *e, uint64_t file_off, uint64_t length, bool exact,
               uint64_t *shift)
{
	if (e->bare)
		return place_bare(e, file_off, length, shift);
	for (size_t i = 0; i < e->nloads; i++) {
		const struct elf_load *l = &e->load[i];
		bool here = l->file_off < file_off ? file_off - l->file_off < l->file_size
		                                   : l->file_off - file_off < length;

		if (!l->executable || !here || !l->file_size)
			continue;
		if (exact && !fills(l->file_off, l->file_size, file_off, length))
			continue;
		*shift = l->va - l->file_off;
		return true;
	}
	return false;
}

/* What a symbol table says of a function. */
struct function {
	uint64_t start, end;
	uint64_t limit; /* of its section */
	struct str name;
	uint32_t order;
	bool weak, global;
};

struct section {
	uint64_t end; /* va */
	bool alloc, text;
	bool elsewhere; /* of a module: not its .text, so that its place is not known */
};

struct gather {
	Elf *file;
	struct str bytes;
	struct arena scratch;
	struct arena *run; /* of names that are made */
	GElf_Half machine;
	bool relocatable;
	struct section *section;
	size_t nsections;
	struct function *f;
	size_t n, cap;
};

static void learn_sections(struct gather *g)
{
	struct str names = section_names(g->file, g->bytes);
	Elf_Scn *scn = NULL;

	g->nsections = 0;
	elf_getshdrnum(g->file, &g->nsections);
	g->section = arena_new(&g->scratch, struct section, g->nsections + 1);
	while ((scn = elf_nextscn(g->file, scn))) {
		GElf_Shdr sh;
		size_t i = elf_ndxscn(scn);
		struct str name;

		if (i >= g->nsections || !gelf_getshdr(scn, &sh))
			continue;
		name = string_at(names, sh.sh_name);
		g->section[i] =
		        (struct section){ sh.sh_addr + sh.sh_size,
			                  (sh.sh_flags & SHF_ALLOC) != 0,
			                  str_search(name, STR("text")) < name.n,
			                  g->relocatable && !str_eq(name, STR(".text")) };
	}
}

/* ARM's marks for where code and data begin: "$x", "$d.12". */
static bool is_mark(const struct gather *g, struct str name)
{
	if (g->machine != EM_ARM && g->machine != EM_AARCH64 && g->machine != EM_RISCV)
		return false;
	return name.n >= 2 && name.p[0] == '$' && strchr("adtx", name.p[1]) &&
	       (name.n == 2 || name.p[2] == '.');
}

static void push(struct gather *g, struct function f)
{
	f.order = (uint32_t)g->n;
	g->f = arena_grow(&g->scratch, g->f, &g->cap, g->n + 1, sizeof(*g->f));
	g->f[g->n++] = f;
}

static void add_function(struct gather *g, const GElf_Sym *sym, struct str name)
{
	unsigned type = GELF_ST_TYPE(sym->st_info), bind = GELF_ST_BIND(sym->st_info);
	uint64_t start = sym->st_value, end;
	const struct section *s;

	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= g->nsections || !name.n)
		return;
	s = &g->section[sym->st_shndx];
	if (!s->alloc || s->elsewhere || is_mark(g, name))
		return;
	if (type != STT_FUNC && type != STT_GNU_IFUNC && (type != STT_NOTYPE || !s->text))
		return;
	if (g->machine == EM_ARM && type == STT_FUNC)
		start &= ~(uint64_t)1;
	if (__builtin_add_overflow(start, sym->st_size, &end))
		return;
	/* Where the section ends is the limit of what has no size. */
	if (end == start && s->end <= start)
		return;
	push(g, (struct function){ .start = start,
	                           .end = end,
	                           .limit = s->end,
	                           .name = name,
	                           .weak = bind == STB_WEAK,
	                           .global = bind == STB_GLOBAL });
}

static void read_table(struct gather *g, Elf_Scn *scn, const GElf_Shdr *sh)
{
	size_t size = gelf_fsize(g->file, ELF_T_SYM, 1, EV_CURRENT);
	struct str strings;
	GElf_Shdr link;
	Elf_Data *data;

	if (!section_bytes(g->bytes, sh).n || !size || sh->sh_entsize != size ||
	    !gelf_getshdr(elf_getscn(g->file, sh->sh_link), &link))
		return;
	strings = section_bytes(g->bytes, &link);
	data = elf_getdata(scn, NULL);
	for (size_t i = 0; data && i < data->d_size / size && i < INT32_MAX; i++) {
		GElf_Sym sym;

		if (gelf_getsym(data, (int)i, &sym))
			add_function(g, &sym, string_at(strings, sym.st_name));
	}
}

/* .plt has a header first; .plt.sec, of code that is guarded by IBT, has none. */
static size_t plt_header(const struct gather *g, struct str name, size_t *entry)
{
	*entry = 16;
	if (g->machine == EM_AARCH64)
		return 32;
	return str_eq(name, STR(".plt")) ? 16 : 0;
}

static Elf_Scn *section_called(Elf *file, struct str names, struct str want,
                               GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(file, scn)))
		if (gelf_getshdr(scn, sh) && str_eq(string_at(names, sh->sh_name), want))
			return scn;
	return NULL;
}

/* The name of the function that relocation i of .rela.plt is about. */
static struct str relocated(struct gather *g, Elf_Data *rela, size_t i,
                            const GElf_Shdr *sh)
{
	Elf_Scn *syms = elf_getscn(g->file, sh->sh_link);
	struct str none = { 0 };
	GElf_Shdr symsh, link;
	GElf_Rela rel;
	GElf_Sym sym;

	if (!gelf_getrela(rela, (int)i, &rel) || !gelf_getshdr(syms, &symsh) ||
	    symsh.sh_type != SHT_DYNSYM ||
	    !gelf_getsym(elf_getdata(syms, NULL), (int)GELF_R_SYM(rel.r_info), &sym) ||
	    !gelf_getshdr(elf_getscn(g->file, symsh.sh_link), &link))
		return none;
	return string_at(section_bytes(g->bytes, &link), sym.st_name);
}

bool elf_section(const struct elf *e, struct str name, struct str *bytes, uint64_t *va)
{
	Elf *file = open_tables(e->bytes);
	GElf_Shdr sh;

	*bytes = (struct str){ 0 };
	if (file && section_called(file, section_names(file, e->bytes), name, &sh)) {
		*bytes = section_bytes(e->bytes, &sh);
		*va = sh.sh_addr;
	}
	if (file)
		elf_end(file);
	return bytes->n != 0;
}

/* Stubs through which other libraries are called stand in the order of .rela.plt. */
static void read_plt(struct gather *g, struct str plt_name)
{
	struct str names = section_names(g->file, g->bytes);
	size_t entry, header = plt_header(g, plt_name, &entry);
	GElf_Shdr plt, sh;
	Elf_Scn *scn;
	Elf_Data *rela;

	if (g->machine != EM_X86_64 && g->machine != EM_AARCH64)
		return;
	if (!section_called(g->file, names, plt_name, &plt) ||
	    plt.sh_type != SHT_PROGBITS)
		return;
	scn = section_called(g->file, names, STR(".rela.plt"), &sh);
	if (!scn || sh.sh_type != SHT_RELA || !section_bytes(g->bytes, &sh).n ||
	    sh.sh_entsize != sizeof(Elf64_Rela))
		return;
	rela = elf_getdata(scn, NULL);
	for (size_t i = 0; rela && i < rela->d_size / sizeof(Elf64_Rela); i++) {
		uint64_t at = header + i * entry;
		struct str name = relocated(g, rela, i, &sh);

		if (at + entry > plt.sh_size)
			return;
		if (name.p && name.n < PLT_NAME)
			push(g, (struct function){ .start = plt.sh_addr + at,
			                           .end = plt.sh_addr + at + entry,
			                           .name = arena_fmt(g->run, PRSTR "@plt",
			                                             STRARG(name)) });
	}
}

static void read_tables(struct gather *g, struct str bytes)
{
	GElf_Ehdr eh;

	g->bytes = bytes;
	g->file = open_tables(bytes);
	if (g->file && gelf_getehdr(g->file, &eh)) {
		g->machine = eh.e_machine;
		g->relocatable = eh.e_type == ET_REL;
		learn_sections(g);
		for (int dynamic = 0; dynamic < 2; dynamic++) {
			Elf_Scn *scn = NULL;
			GElf_Shdr sh;

			while ((scn = elf_nextscn(g->file, scn)))
				if (gelf_getshdr(scn, &sh) &&
				    sh.sh_type == (dynamic ? SHT_DYNSYM : SHT_SYMTAB))
					read_table(g, scn, &sh);
		}
		read_plt(g, STR(".plt"));
		read_plt(g, STR(".plt.sec"));
	}
	if (g->file)
		elf_end(g->file);
}

static int by_start(const void *pa, const void *pb)
{
	const struct function *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static size_t underscores(struct str name)
{
	size_t n = 0;

	while (n < name.n && name.p[n] == '_')
		n++;
	return n;
}

/* Of two that begin at one address: is b the better name, as perf sees it? */
static bool is_better(const struct function *b, const struct function *a,
                      const struct elf_spelling *sp)
{
	struct str an, bn;

	if ((a->end > a->start) != (b->end > b->start))
		return b->end > b->start;
	if (a->weak != b->weak)
		return a->weak;
	if (a->global != b->global)
		return b->global;
	if (str_eq(a->name, b->name))
		return false;
	an = sp->spell(sp->ctx, a->name);
	bn = sp->spell(sp->ctx, b->name);
	if (underscores(an) != underscores(bn))
		return underscores(bn) < underscores(an);
	return bn.n > an.n;
}

/* What has no size reaches to the next one. */
static void end_sizeless(struct gather *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct function *f = &g->f[i];

		if (f->end != f->start)
			continue;
		f->end = f->limit;
		if (i + 1 < g->n && g->f[i + 1].start < f->end)
			f->end = g->f[i + 1].start;
	}
}

/* Ascending: of those that overlap, the one that begins last has the bytes. */
static void choose(struct gather *g, const struct elf_spelling *sp, struct symtab *t,
                   struct arena *a)
{
	if (g->n)
		qsort(g->f, g->n, sizeof(*g->f), by_start);
	end_sizeless(g);
	for (size_t i = 0, next; i < g->n; i = next) {
		const struct function *best = &g->f[i];

		for (next = i + 1; next < g->n && g->f[next].start == best->start; next++)
			if (is_better(&g->f[next], best, sp))
				best = &g->f[next];
		symtab_add(t, a, best->start, best->end - best->start, best->name);
	}
	symtab_sort(t, a);
}

void elf_symbols(const struct elf *const *e, size_t n, const struct elf_spelling *sp,
                 struct symtab *t, struct arena *a)
{
	struct gather g = { .run = a };
	bool full = false;

	for (size_t i = 0; i < n; i++) {
		full |= e[i]->has_symtab;
		read_tables(&g, e[i]->bytes);
	}
	for (size_t i = 0; i < n && !full; i++)
		if (e[i]->mini.n)
			read_tables(&g, xz_unpack(e[i]->mini, MINI_MAX, a));
	choose(&g, sp, t, a);
	arena_release(&g.scratch);
}
