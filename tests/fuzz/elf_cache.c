/*
 * Symbols of ELF files as the cache has them: whatever stands there, names lie inside
 * the files or behind the symbols, and addresses ascend; written and read again they are
 * the same.  Its checksum is passed over.
 */
#include <stdint.h>
#include <stdlib.h>

#include "image/elf/elf_cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void look(const struct symbol *s)
{
	volatile char c;

	for (size_t i = 0; i < s->name.n; i += 64)
		c = s->name.p[i];
	if (s->name.n)
		c = s->name.p[s->name.n - 1];
	(void)c;
	must(s->start < s->end);
}

static void write_again(const struct symtab *t, const struct elf *const *e, size_t n,
                        struct arena *a)
{
	struct symtab again = { 0 };

	must(elf_cache_read(elf_cache_write(t, e, n, a), e, n, &again, a));
	must(again.n == t->n);
	for (size_t i = 0; i < t->n; i++)
		must(str_eq(again.sym[i].name, t->sym[i].name) &&
		     again.sym[i].start == t->sym[i].start);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str kept = { (const char *)data, size };
	struct arena a = { 0 };
	struct elf image = { .bytes = str_head(kept, size / 2) }, debug = image;
	const struct elf *e[2] = { &image, &debug };
	struct symtab t = { 0 };

	for (size_t n = 0; n <= 2; n++)
		if (elf_cache_read(kept, e, n, &t, &a)) {
			for (size_t i = 0; i < t.n; i++) {
				look(&t.sym[i]);
				must(symtab_find(&t, t.sym[i].start) == &t.sym[i]);
			}
			write_again(&t, e, n, &a);
		}
	arena_release(&a);
	return 0;
}
