/*
 * An ELF file: what it says must lie inside it, its symbols must ascend and not
 * overlap, and their names must be spelled in bounded time.
 */
#include <stdint.h>
#include <stdlib.h>

#include "image/path_build_id.h"
#include "image/elf/elf_symbols.h"
#include "bind/native/demangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NAMES = 200 };

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
		files[0] = &e;
		elf_symbols_find(&e, STR("outer"), &shift);
		elf_symbols(files, 1, &sp, &t, &a);
	}
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
