/*
 * Inlined functions and lines: fixtures/dwarf, whose *.places are what llvm-symbolizer
 * says of every byte of code there.
 */
#include "image/dwarf/dwarf_cache.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"

enum { PLACES = 32 };

static struct arena run;

/* What a test opened, but for what it handed to another. */
static struct dwarf *opened[1024];
static size_t nopened;

static struct dwarf *mine(struct dwarf *d)
{
	assert_true(nopened < sizeof(opened) / sizeof(*opened));
	opened[nopened++] = d;
	return d;
}

static int leave(void **state)
{
	(void)state;
	while (nopened)
		dwarf_close(opened[--nopened]);
	arena_release(&run);
	return 0;
}

static struct dwarf *open_other(const char *name)
{
	return dwarf_open(file_bytes(&run, arena_fmt(&run, "fixtures/dwarf/%s", name).p),
	                  &run);
}

static struct dwarf *open_file(const char *name)
{
	return mine(open_other(name));
}

/* "inner inlined.c:27<tab>outer inlined.c:42" */
static struct str places_at(struct dwarf *d, uint64_t va)
{
	struct dwarf_place at[PLACES];
	size_t n = dwarf_find(d, va, at, PLACES);
	struct str text = { "", 0 };

	for (size_t i = 0; i < n; i++)
		text = arena_fmt(&run, PRSTR "%s" PRSTR " " PRSTR ":%u", STRARG(text),
		                 i ? "\t" : "", STRARG(at[i].func),
		                 STRARG(at[i].line ? at[i].file : STR("?")), at[i].line);
	return text;
}

/* Lines of "230 239<tab>PLACES", both ends included. */
static void all_places_are(struct dwarf *d, const char *places)
{
	struct str rest =
	        file_bytes(&run, arena_fmt(&run, "fixtures/dwarf/%s.places", places).p);
	size_t tried = 0;

	assert_non_null(d);
	while (rest.n) {
		struct str line = str_cut(&rest, '\n');
		uint64_t first, last;

		assert_true(str_take_hex(&line, &first));
		line = str_from(line, 1);
		assert_true(str_take_hex(&line, &last));
		line = str_from(line, 1);
		for (uint64_t va = first; va <= last; va++, tried++) {
			struct str got = places_at(d, va);

			if (!str_eq(got, line))
				fail_msg("%llx is\n\t" PRSTR "\nnot\n\t" PRSTR,
				         (unsigned long long)va, STRARG(got),
				         STRARG(line));
		}
	}
	assert_true(tried > 100);
}

static const char *const compiled[] = { "gcc3", "gcc5", "gxx4", "clang4", "clang5" };

static struct cache some_cache(void)
{
	struct cache c = { .dir = -1 };
	uint64_t seed = 4711;

	for (size_t i = 0; i < HASH_SECRET; i++)
		c.key[i] = (unsigned char)given_random(&seed);
	return c;
}

/* One that has of the file what was asked of it until now, and reads the rest. */
static struct dwarf *had_from_cache(struct dwarf *d, const struct cache *c,
                                    struct str bytes)
{
	struct str front, entry = dwarf_cache_write(d, c, &front, &run);

	return mine(dwarf_cache_read(c, entry, front, bytes, &run));
}

static void cache_changes_nothing(void **state)
{
	const struct cache c = some_cache();

	(void)state;
	for (size_t i = 0; i < sizeof(compiled) / sizeof(*compiled); i++) {
		struct str file = arena_fmt(&run, "fixtures/dwarf/%s.so", compiled[i]);
		struct str bytes = file_bytes(&run, file.p);

		for (uint64_t asked = 1; asked < 0x2000; asked += asked) {
			struct dwarf *d = mine(dwarf_open(bytes, &run));

			for (uint64_t va = 0; va < asked; va++)
				places_at(d, va);
			d = had_from_cache(d, &c, bytes);
			all_places_are(d, compiled[i]);
			/* What was copied from the first, and what came from the file. */
			d = had_from_cache(d, &c, bytes);
			all_places_are(d, compiled[i]);
		}
	}
}

/* Without the file: what was asked is all there. */
static void what_was_asked_is_kept(void **state)
{
	const struct cache c = some_cache();

	(void)state;
	for (size_t i = 0; i < sizeof(compiled) / sizeof(*compiled); i++) {
		struct dwarf *d = open_file(arena_fmt(&run, "%s.so", compiled[i]).p);

		all_places_are(d, compiled[i]);
		all_places_are(had_from_cache(d, &c, STR("")), compiled[i]);
	}
}

/* Whatever is damaged behind the front is read from the file. */
static void damage_of_a_block_changes_nothing(void **state)
{
	const struct cache c = some_cache();
	struct str bytes = file_bytes(&run, "fixtures/dwarf/gcc5.so"), front, entry;
	struct dwarf *d = mine(dwarf_open(bytes, &run));

	(void)state;
	all_places_are(d, "gcc5");
	entry = dwarf_cache_write(d, &c, &front, &run);
	for (size_t at = CACHE_HEAD + front.n; at < entry.n; at += 7) {
		((char *)(uintptr_t)entry.p)[at] ^= 4;
		d = mine(dwarf_cache_read(&c, entry, front, bytes, &run));
		all_places_are(d, "gcc5");
		((char *)(uintptr_t)entry.p)[at] ^= 4;
	}
	for (size_t n = 0; n < front.n; n++)
		assert_null(dwarf_cache_read(&c, entry, str_head(front, n), bytes, &run));
}

static void versions_and_compilers_agree_with_their_debuggers(void **state)
{
	(void)state;
	all_places_are(open_file("gcc3.so"), "gcc3");
	all_places_are(open_file("gcc5.so"), "gcc5");
	all_places_are(open_file("gxx4.so"), "gxx4");
	all_places_are(open_file("clang4.so"), "clang4");
	all_places_are(open_file("clang5.so"), "clang5");
	all_places_are(open_file("rust.so"), "rust");
}

static void packed_sections_are_unpacked(void **state)
{
	(void)state;
	all_places_are(open_file("packed.so"), "gcc5");
}

static void common_parts_are_in_another_file(void **state)
{
	struct dwarf *d = open_file("dwz.so");

	(void)state;
	dwarf_give_alt(d, open_other("shared.debug"));
	all_places_are(d, "gxx4");
	d = open_file("sup5.so");
	dwarf_give_alt(d, open_other("common5.debug"));
	all_places_are(d, "sup5");
}

static void without_common_parts_names_are_empty_and_lines_stay(void **state)
{
	struct dwarf_place at[PLACES];

	(void)state;
	assert_int_equal(dwarf_find(open_file("dwz.so"), 0x244, at, PLACES), 4);
	assert_int_equal(at[0].func.n, 0);
	assert_int_equal(at[0].line, 6);
	assert_true(str_eq(at[0].file, STR("inlined.c")));
}

static struct dwarf *split_file;
static struct str split_name;

static struct dwarf *find_split(void *ctx, struct str name, struct str directory)
{
	(void)ctx;
	assert_true(str_eq(directory, STR("/srv/app")));
	split_name = name;
	return split_file;
}

static struct dwarf *open_split(const char *program, const char *units)
{
	struct dwarf_splits splits = { find_split, NULL };
	struct dwarf *d = open_file(program);

	split_file = units ? open_other(units) : NULL;
	dwarf_give_splits(d, &splits);
	return d;
}

static void split_units_are_handed_in(void **state)
{
	(void)state;
	all_places_are(open_split("split4.so", "split4.dwo"), "gxx4");
	assert_true(str_eq(split_name, STR("split4.dwo")));
	all_places_are(open_split("split5.so", "split5.dwo"), "gxx4");
	all_places_are(open_split("split4.so", "split4.dwp"), "gxx4");
	all_places_are(open_split("split5.so", "split5.dwp"), "gxx4");
}

/* The places are of the module linked as image/elf/relocate.h has it. */
static void modules_are_relocated(void **state)
{
	(void)state;
	all_places_are(open_file("module-x86.ko"), "module-x86");
	all_places_are(open_file("module-arm.ko"), "module-arm");
}

static void module_of_another_machine_is_not_guessed(void **state)
{
	struct str bytes = file_bytes(&run, "fixtures/dwarf/module-x86.ko");
	struct dwarf_place at[PLACES];
	struct dwarf *d;

	(void)state;
	assert_int_equal(bytes.p[18], EM_X86_64);
	((char *)(uintptr_t)bytes.p)[18] = (char)EM_RISCV;
	d = mine(dwarf_open(bytes, &run));
	assert_true(!d || !dwarf_find(d, 0x100020, at, PLACES));
}

static void split_unit_of_another_build_is_not_taken(void **state)
{
	struct dwarf *d = open_split("split4.so", "split5.dwo");
	struct dwarf_place at[PLACES];

	(void)state;
	assert_int_equal(dwarf_find(d, 0x244, at, PLACES), 1);
	assert_int_equal(at[0].func.n, 0);
	assert_int_equal(at[0].line, 6);
	assert_int_equal(dwarf_splits_missing(d), 1);
}

static void outside_of_code_nothing_is_known(void **state)
{
	struct dwarf *d = open_file("gcc5.so");
	struct dwarf_place at[PLACES];

	(void)state;
	assert_int_equal(dwarf_find(d, 0, at, PLACES), 0);
	assert_int_equal(dwarf_find(d, 0x10, at, PLACES), 0);
	assert_int_equal(dwarf_find(d, UINT64_MAX, at, PLACES), 0);
}

static void file_without_it_has_none(void **state)
{
	(void)state;
	assert_null(dwarf_open(file_bytes(&run, "fixtures/elf/names.so"), &run));
	assert_null(dwarf_open(STR("\177ELF"), &run));
	assert_null(dwarf_open((struct str){ 0 }, &run));
}

#define test(f) cmocka_unit_test_teardown(f, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(versions_and_compilers_agree_with_their_debuggers),
		test(packed_sections_are_unpacked),
		test(common_parts_are_in_another_file),
		test(without_common_parts_names_are_empty_and_lines_stay),
		test(split_units_are_handed_in),
		test(modules_are_relocated),
		test(module_of_another_machine_is_not_guessed),
		test(split_unit_of_another_build_is_not_taken),
		test(outside_of_code_nothing_is_known),
		test(file_without_it_has_none),
		test(cache_changes_nothing),
		test(what_was_asked_is_kept),
		test(damage_of_a_block_changes_nothing),
	};

	return cmocka_run_group_tests_name("dwarf", tests, NULL, NULL);
}
