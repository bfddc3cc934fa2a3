/*
 * Reads the functions of an ELF file.  Output of readelf -sW for a library:
 *
 * 	 7: 0000000000000350    16 FUNC    LOCAL  DEFAULT    6 _inner
 * 	12: 0000000000000340    16 FUNC    WEAK   DEFAULT    6 weak
 *
 * If an address has several names, the code chooses the name that perf chooses.  Functions
 * also end at the same addresses as in perf.
 */
#include "image/elf/elf_symbols.h"

#include "image/elf/elf_plt.h"
#include "image/elf/elf_private.h"
#include "image/elf/relocate.h"
#include "source/decompress.h"

enum {
	MINI_MAX = 256 << 20, /* limit in bytes of an uncompressed .gnu_debugdata */
	/* longer names are printed without @plt.  Real names have up to 1 kB */
	PLT_NAME = 4096,
	ALIASES = 256, /* maximum number of names that are compared for an ifunc */
};

/* A function in a symbol table. */
struct function {
	uint64_t start, end;
	uint64_t limit; /* end of the section that contains the function */
	struct str name;
	uint32_t order;
	bool weak, global, ifunc;
	bool typed; /* the symbol has a type other than STT_NOTYPE */
};

struct section {
	uint64_t end; /* va */
	bool alloc, text;
	uint64_t va; /* added to the values of the symbols in this section */
	/* kernel module: the code does not stay loaded */
	bool elsewhere;
};

struct gather {
	Elf *file;
	struct str bytes;
	struct arena scratch;
	struct arena *run; /* used for new names */
	GElf_Half machine;
	bool relocatable;
	bool kernel;             /* the file is the kernel or a kernel module */
	const struct elf *image; /* all va are converted to the va of this file */
	struct section *section;
	size_t nsections;
	struct function *f;
	size_t n, cap;
	struct elf_plt_stub *stub; /* stubs of ifuncs */
	size_t nstubs, stubs_cap;
};

/* Returns the va of each section of a kernel module, or NULL for other files. */
static const uint64_t *layout(struct gather *g)
{
	struct section_file f;

	if (!g->relocatable || !section_open(&f, g->bytes) || f.n < g->nsections)
		return NULL;
	return relocate_layout(&f, &g->scratch);
}

/*
 * Returns the difference between the va of a prelinked image and the va in its debug file or
 * .gnu_debugdata.
 */
static uint64_t moved(const struct gather *g)
{
	struct str names = elf_section_names(g->file, g->bytes);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while (!g->relocatable && (scn = elf_nextscn(g->file, scn)))
		if (gelf_getshdr(scn, &sh) &&
		    str_eq(elf_string(names, sh.sh_name), STR(".text")))
			return elf_moved(g->image, &(struct elf){ .text = sh.sh_addr });
	return 0;
}

static void learn_sections(struct gather *g)
{
	struct str names = elf_section_names(g->file, g->bytes);
	uint64_t by = moved(g);
	const uint64_t *va;
	Elf_Scn *scn = NULL;

	g->nsections = 0;
	elf_getshdrnum(g->file, &g->nsections);
	va = layout(g);
	g->section = arena_new(&g->scratch, struct section, g->nsections + 1);
	while ((scn = elf_nextscn(g->file, scn))) {
		size_t i = elf_ndxscn(scn);
		struct section *s = &g->section[i];
		GElf_Shdr sh;

		if (i >= g->nsections || !gelf_getshdr(scn, &sh))
			continue;
		s->alloc = sh.sh_flags & SHF_ALLOC;
		s->text = str_has(elf_string(names, sh.sh_name), STR("text"));
		s->va = va ? va[i] : by;
		g->kernel |= g->relocatable ||
		             str_eq(elf_string(names, sh.sh_name), STR("__ksymtab"));
		s->elsewhere = g->relocatable && !(va && relocate_is_code(va[i]));
		s->end = (g->relocatable ? 0 : sh.sh_addr) + s->va + sh.sh_size;
	}
}

/*
 * Returns true for mapping symbols of ARM such as "$x" and "$d.12", which mark the start of code
 * or data.
 */
static bool is_mark(const struct gather *g, struct str name)
{
	if (g->machine != EM_ARM && g->machine != EM_AARCH64 && g->machine != EM_RISCV)
		return false;
	return name.n >= 2 && name.p[0] == '$' && strchr("adtx", name.p[1]) &&
	       (name.n == 2 || name.p[2] == '.');
}

/*
 * Returns true for a linker's local label, which has hidden visibility.  The caller ignores
 * such a symbol unless it is a function.
 */
static bool is_hidden(const GElf_Sym *sym)
{
	unsigned visibility = GELF_ST_VISIBILITY(sym->st_other);

	return visibility == STV_HIDDEN || visibility == STV_INTERNAL;
}

static void push(struct gather *g, struct function f)
{
	f.order = (uint32_t)g->n;
	*arena_push(&g->scratch, g->f, g->n, g->cap) = f;
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
	if (type != STT_FUNC && type != STT_GNU_IFUNC &&
	    (type != STT_NOTYPE || !s->text || is_hidden(sym)))
		return;
	if (g->machine == EM_ARM && type == STT_FUNC)
		start &= ~(uint64_t)1;
	start += s->va;
	if (__builtin_add_overflow(start, sym->st_size, &end))
		return;
	/*
	 * Ignores a function that has no size and starts at or after the end of its
	 * section.
	 */
	if (end == start && s->end <= start)
		return;
	push(g, (struct function){ .start = start,
	                           .end = end,
	                           .limit = s->end,
	                           .name = name,
	                           .weak = bind == STB_WEAK,
	                           .global = bind == STB_GLOBAL,
	                           .ifunc = type == STT_GNU_IFUNC,
	                           .typed = type != STT_NOTYPE });
}

static void read_table(struct gather *g, Elf_Scn *scn, const GElf_Shdr *sh)
{
	size_t size = gelf_fsize(g->file, ELF_T_SYM, 1, EV_CURRENT);
	struct str strings;
	GElf_Shdr link;
	Elf_Data *data;

	if (!elf_section_bytes(g->bytes, sh).n || !size || sh->sh_entsize != size ||
	    !gelf_getshdr(elf_getscn(g->file, sh->sh_link), &link))
		return;
	strings = elf_section_bytes(g->bytes, &link);
	data = elf_getdata(scn, NULL);
	for (size_t i = 0; data && i < data->d_size / size && i < INT32_MAX; i++) {
		GElf_Sym sym;

		if (gelf_getsym(data, (int)i, &sym))
			add_function(g, &sym, elf_string(strings, sym.st_name));
	}
}

static void add_stub(struct gather *g, const struct elf_plt_stub *s)
{
	struct function f = { .start = s->start, .end = s->end };

	if (s->header)
		f.name = STR(".plt"); /* as perf 7 */
	else if (s->name.n && s->name.n < PLT_NAME)
		f.name = arena_fmt(g->run, PRSTR "@plt", STRARG(s->name));
	if (f.name.n)
		push(g, f);
}

static void read_stubs(struct gather *g)
{
	struct elf_plt_stub *stub;
	size_t n = elf_plt_stubs(g->file, g->bytes, &g->scratch, &stub);

	for (size_t i = 0; i < n; i++) {
		if (!stub[i].resolver) {
			add_stub(g, &stub[i]);
			continue;
		}
		*arena_push(&g->scratch, g->stub, g->nstubs, g->stubs_cap) = stub[i];
	}
}

static void read_tables(struct gather *g, struct str bytes)
{
	GElf_Ehdr eh;

	g->bytes = bytes;
	g->file = elf_open_tables(bytes);
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
		read_stubs(g);
	}
	if (g->file)
		elf_end(g->file);
}

ORDER(by_start, struct function,
      num_cmp(a->start, b->start) ?: num_cmp(a->order, b->order))

static size_t underscores(struct str name)
{
	size_t n = 0;

	while (n < name.n && name.p[n] == '_')
		n++;
	return n;
}

/* Compares two functions with the same address.  Returns true if perf prefers the name of b. */
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

/* Names the stubs of ifuncs.  The symbol at a resolver's address is the ifunc. */
static void name_picked(struct gather *g, const struct elf_spelling *sp)
{
	size_t n = g->n;

	for (size_t i = 0; i < g->nstubs; i++) {
		const struct function *best = NULL;
		uint64_t va = g->stub[i].resolver;
		size_t first = bisect(n, k, g->f[k].start < va);

		for (size_t k = first;
		     k < n && k - first < ALIASES && g->f[k].start == va; k++)
			if (g->f[k].ifunc && (!best || is_better(&g->f[k], best, sp)))
				best = &g->f[k];
		/* removes the version from "memcpy@@GLIBC_2.14" */
		g->stub[i].name = best ? str_head(best->name, str_find(best->name, '@'))
		                       : (struct str){ 0 };
	}
	for (size_t i = 0; i < g->nstubs; i++)
		add_stub(g, &g->stub[i]);
}

/*
 * Drops labels that are inside a function with a type and a size, such as V8's labels for return
 * addresses.  Keeps the kernel's labels, because they are entry points that kallsyms also lists.
 */
static void drop_labels(struct gather *g)
{
	/* `before` is the greatest end of all functions with smaller start addresses */
	uint64_t reach = 0, start = 0, before = 0;
	size_t n = 0;

	if (g->kernel)
		return;
	for (size_t i = 0; i < g->n; i++) {
		const struct function f = g->f[i];

		before = f.start == start ? before : reach;
		start = f.start;
		if (f.typed && f.end > reach)
			reach = f.end;
		if (f.typed || f.end > f.start || f.start >= before)
			g->f[n++] = f;
	}
	g->n = n;
}

/*
 * Extends functions without a size to the next function.  Like perf, the caller does this
 * before it chooses one name for each address.  So if an address has several names, only the last
 * name gets a size.
 */
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

/*
 * Adds the functions to `t` in ascending order.  If functions overlap, the one with the
 * later start wins.
 */
static void choose(struct gather *g, const struct elf_spelling *sp, struct symtab *t,
                   struct arena *a)
{
	order_by(g->f, g->n, by_start);
	name_picked(g, sp);
	if (g->nstubs && g->n)
		order_by(g->f, g->n, by_start);
	drop_labels(g);
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
	struct gather g = { .run = a, .image = n ? e[n - 1] : NULL };
	bool full = false;

	for (size_t i = 0; i < n; i++) {
		full |= e[i]->has_symtab;
		read_tables(&g, e[i]->bytes);
	}
	for (size_t i = 0; i < n && !full; i++)
		if (e[i]->mini.n)
			read_tables(&g, decompress_xz(e[i]->mini, MINI_MAX, a));
	choose(&g, sp, t, a);
	arena_release(&g.scratch);
}

static bool find_named(const struct elf *e, Elf *file, Elf_Scn *scn, struct str name,
                       uint64_t *va)
{
	GElf_Shdr sh, link;
	struct str strings;
	Elf_Data *data;
	GElf_Sym sym;

	if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB ||
	    !elf_section_bytes(e->bytes, &sh).n ||
	    !gelf_getshdr(elf_getscn(file, sh.sh_link), &link))
		return false;
	strings = elf_section_bytes(e->bytes, &link);
	data = elf_getdata(scn, NULL);
	for (int i = 0; data && gelf_getsym(data, i, &sym); i++)
		if (sym.st_shndx != SHN_UNDEF &&
		    str_eq(elf_string(strings, sym.st_name), name)) {
			*va = sym.st_value;
			return true;
		}
	return false;
}

bool elf_symbols_find(const struct elf *e, struct str name, uint64_t *va)
{
	Elf *file = elf_open_tables(e->bytes);
	Elf_Scn *scn = NULL;
	bool found = false;

	while (file && !found && (scn = elf_nextscn(file, scn)))
		found = find_named(e, file, scn, name, va);
	if (file)
		elf_end(file);
	return found;
}
