/*
 * Debug information of an ELF file, and of a second one behind "\n%%\n" or itself, which holds
 * its split units and what dwz moved out: what it says of an address must be bounded, and end.
 */
#include "mutate.h"

#include "image/dwarf/dwarf.h"
#include "image/elf/elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PLACES = 8, LOOKUPS = 64, NAME_MAX_BYTES = 64 << 10 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

struct self {
	struct str bytes;
	struct arena *a;
	struct dwarf *split;
};

static struct dwarf *find_split(void *ctx, struct str name, struct str directory)
{
	struct self *s = ctx;

	must((!name.n || name.p) && (!directory.n || directory.p));
	if (!s->split)
		s->split = dwarf_open(s->bytes, s->a);
	return s->split;
}

static void look_up(struct dwarf *d, uint64_t va)
{
	struct dwarf_place at[PLACES];
	size_t n = dwarf_find(d, va, at, PLACES);

	must(n <= PLACES);
	for (size_t i = 0; i < n; i++) {
		must(at[i].func.n <= NAME_MAX_BYTES);
		must(!at[i].file.n || at[i].file.p);
	}
}

/* All over the code. */
static void look_around(struct dwarf *d, const struct elf *e)
{
	for (size_t i = 0; i < e->nloads && i < PLACES; i++) {
		const struct elf_load *l = &e->load[i];

		for (uint64_t k = 0; l->executable && k < LOOKUPS; k++)
			look_up(d, l->va + l->size / LOOKUPS * k);
	}
	look_up(d, 0);
	look_up(d, UINT64_MAX);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return mutate_section(data, size, max, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size }, mark = STR("\n%%\n");
	size_t at = str_search(bytes, mark);
	struct str other = at < size ? str_from(bytes, at + mark.n) : bytes;
	struct arena a = { 0 };
	struct self self = { other, &a, NULL };
	struct dwarf_splits splits = { find_split, &self };
	struct dwarf *d = dwarf_open(str_head(bytes, at), &a);
	struct elf e = { 0 };

	if (d) {
		dwarf_give_alt(d, dwarf_open(other, &a));
		dwarf_give_splits(d, &splits);
		elf_read(&e, str_head(bytes, at), &a);
		look_around(d, &e);
		must(dwarf_splits_missing(d) <= size);
	}
	dwarf_close(d);
	arena_release(&a);
	return 0;
}
