/*
 * An ELF file: what it says must lie inside it, its symbols must ascend and not
 * overlap, and their names must be spelled in bounded time.  Each section is found by its name,
 * packed or not, by both readers of sections.
 */
#include <elf.h>

#include "mutate.h"

#include "image/path_build_id.h"
#include "image/elf/elf_symbols.h"
#include "image/elf/section.h"
#include "bind/native/demangle.h"
#include "writer/package.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NAMES = 200, UNPACKED = 1 << 20 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void inside(struct str part, struct str whole)
{
	must(!part.n || (part.p >= whole.p && part.p + part.n <= whole.p + whole.n));
}

static struct str spell(void *ctx, struct str name)
{
	return demangle(name, DEMANGLE_SHORT, ctx);
}

/* The name that a packed section would be looked for by: ".debug_x" is ".zdebug_x". */
static struct str unpacked_name(struct str name, struct arena *a)
{
	return str_starts(name, STR(".z"))
	               ? arena_fmt(a, "." PRSTR, STRARG(str_from(name, 2)))
	               : name;
}

static void find_sections(struct str bytes, struct arena *a)
{
	struct section_file f;
	size_t most = 0, index;

	if (!section_open(&f, bytes))
		return;
	for (size_t i = 0; i < f.n && i < NAMES && most < UNPACKED; i++) {
		struct section_header h = section_at(&f, i);
		struct str here = section_bytes(&f, &h);

		inside(here, bytes);
		index = f.n;
		most += section_find(&f, unpacked_name(h.name, a), &index, a).n;
		must(index < f.n || h.type == SHT_NOBITS);
		index = f.n;
		section_find(&f, h.name, &index, a);
		must(index <= i || h.type == SHT_NOBITS);
	}
}

/* Whatever else is asked about an ELF file. */
static void ask(const struct elf *e, struct arena *a)
{
	static struct out out;
	struct str id = e->build_id, bytes;
	char *padded = arena_new(a, char, id.n + 1);
	uint64_t va;

	if (id.n)
		memcpy(padded, id.p, id.n);
	must(!id.n || elf_same_id((struct str){ padded, id.n + 1 }, id));
	must(!elf_same_id(id, (struct str){ 0 }));
	elf_text(e, &va);
	must(elf_moved(e, e) == 0);
	for (size_t i = 0; i < e->nloads && i < NAMES; i++)
		elf_follows_call(e, e->load[i].file_off + e->load[i].file_size / 2);
	if (elf_section(e, STR(".text"), &bytes, &va))
		inside(bytes, e->bytes);
	inside(elf_package(e), e->bytes);
	out.n = 0;
	out.error = 0;
	out.fd = -1;
	package_write(&out, elf_package(e));
	must(!out.n || out.error || memchr(out.buf, '\n', out.n) == out.buf + out.n - 1);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return mutate_section(data, size, max, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct arena a = { 0 };
	struct elf_spelling sp = { spell, &a };
	struct symtab t = { 0 };
	const struct elf *files[1];
	struct elf e;
	uint64_t end = 0, shift;
	struct str id;
	char claim[PATH_BUILD_ID_MAX];

	must(path_build_id(bytes, claim) <= PATH_BUILD_ID_MAX);
	if (elf_head_id(bytes, &id))
		inside(id, bytes);

	if (elf_read(&e, bytes, &a)) {
		inside(e.build_id, bytes);
		inside(e.debug_link, bytes);
		inside(e.alt_link, bytes);
		inside(e.alt_id, bytes);
		inside(e.mini, bytes);
		elf_place(&e, 0, 4096, false, &shift);
		ask(&e, &a);
		files[0] = &e;
		elf_symbols_find(&e, STR("outer"), &shift);
		elf_symbols(files, 1, &sp, &t, &a);
	}
	find_sections(bytes, &a);
	for (size_t i = 0; i < t.n; i++) {
		const struct symbol *s = &t.sym[i];

		must(s->start >= end && s->end > s->start && s->base <= s->start);
		must(symtab_find(&t, s->start) == s && s->name.n);
		if (i < NAMES)
			must(demangle(s->name, DEMANGLE_SHORT, &a).n != 0);
		end = s->end;
	}
	arena_release(&a);
	return 0;
}
