/* Symbols of ELF files: what the cache has of them is what was read. */
#include "image/elf/elf_cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#include "given.h"
#include "image/elf/elf_symbols.h"

static struct arena run;

static struct str as_it_is(void *ctx, struct str name)
{
	(void)ctx;
	return name;
}

static void read_files(const char *const *path, struct elf *elf, const struct elf **e,
                       struct symtab *t)
{
	const struct elf_spelling sp = { as_it_is, NULL };

	for (size_t i = 0; i < 2; i++) {
		assert_true(elf_read(&elf[i], file_bytes(&run, path[i]), &run));
		e[i] = &elf[i];
	}
	elf_symbols(e, 2, &sp, t, &run);
}

static const char *const pairs[][2] = {
	{ "fixtures/elf/names.debug", "fixtures/elf/stripped.so" },
	{ "fixtures/elf/names.so", "fixtures/elf/mini.so" },
	{ "fixtures/elf/mini.so", "fixtures/elf/stripped.so" },
};

static void what_is_written_is_read(void **state)
{
	(void)state;
	for (size_t p = 0; p < sizeof(pairs) / sizeof(*pairs); p++) {
		struct symtab t = { 0 }, again = { 0 };
		const struct elf *e[2];
		struct elf elf[2];
		struct str kept;

		read_files(pairs[p], elf, e, &t);
		kept = elf_cache_write(&t, e, 2, &run);
		assert_true(elf_cache_read(kept, e, 2, &again, &run));
		assert_true(again.n == t.n && t.n > 4 && again.sorted);
		for (size_t i = 0; i < t.n; i++) {
			const struct symbol *a = &t.sym[i], *b = &again.sym[i];

			assert_true(a->start == b->start && a->end == b->end);
			assert_true(a->base == b->base && str_eq(a->name, b->name));
		}
		for (size_t n = 0; n < 8 + 40 * t.n; n++)
			assert_false(
			        elf_cache_read(str_head(kept, n), e, 2, &again, &run));
	}
}

static void what_leads_outside_is_refused(void **state)
{
	enum { FIELDS = 5 };
	static const uint64_t bad[FIELDS] = { UINT64_MAX, 0, 0, (uint64_t)3 << 56,
		                              UINT64_MAX };
	const struct elf *e[2];
	struct symtab t = { 0 }, again;
	struct elf elf[2];
	struct str kept;
	uint64_t *word;

	(void)state;
	read_files(pairs[0], elf, e, &t);
	kept = elf_cache_write(&t, e, 2, &run);
	word = (uint64_t *)(uintptr_t)kept.p;
	for (size_t i = 1; i <= FIELDS * t.n; i++) {
		uint64_t was = word[i];
		bool base = (i - 1) % FIELDS == 2; /* any number will do */

		word[i] = bad[(i - 1) % FIELDS];
		assert_int_equal(elf_cache_read(kept, e, 2, &again, &run), base);
		word[i] = was;
	}
	assert_true(elf_cache_read(kept, e, 2, &again, &run));
	assert_false(elf_cache_read(kept, e, 0, &again, &run));
}

static int forget(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(what_is_written_is_read, forget),
		cmocka_unit_test_teardown(what_leads_outside_is_refused, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
