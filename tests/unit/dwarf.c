/*
 * Inlined functions and lines: fixtures/dwarf, whose *.places are what llvm-symbolizer
 * says of every byte of code there.
 */
#include "image/dwarf/dwarf_cache.h"

#include <elf.h>
#include <endian.h>
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
		                 STRARG(at[i].line ? str_base(at[i].file) : STR("?")),
		                 at[i].line);
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

/* The names with their scopes at va, innermost first, without the function that is there. */
static struct str scopes_at(struct dwarf *d, uint64_t va)
{
	struct dwarf_place at[PLACES];
	size_t n = dwarf_find(d, va, at, PLACES);
	struct str text = { "", 0 };

	for (size_t i = 0; i + 1 < n; i++)
		text = arena_fmt(&run, PRSTR "%s" PRSTR, STRARG(text), i ? " < " : "",
		                 STRARG(at[i].scoped));
	return text;
}

static void work_has_its_namespace(struct dwarf *d)
{
	struct str got = scopes_at(d, 0x244);

	assert_true(str_eq(got, STR("work::twice<int> < work::inner < work::middle")));
}

static void scopes_are_in_names(void **state)
{
	const struct cache c = some_cache();
	struct dwarf *d = open_file("gxx4.so");

	(void)state;
	work_has_its_namespace(d);
	work_has_its_namespace(had_from_cache(d, &c, STR("")));
	work_has_its_namespace(open_split("split4.so", "split4.dwo"));
	work_has_its_namespace(open_split("split5.so", "split5.dwp"));
	d = open_file("dwz.so");
	dwarf_give_alt(d, open_other("shared.debug"));
	work_has_its_namespace(d);
}

static void functions_of_c_have_no_scope(void **state)
{
	struct dwarf *d = open_file("gcc5.so");
	struct dwarf_place at[PLACES];
	size_t found = 0;

	(void)state;
	for (uint64_t va = 0; va < 0x1000; va++)
		for (size_t n = dwarf_find(d, va, at, PLACES); n-- > 0; found++)
			assert_int_equal(at[n].scoped.n, 0);
	assert_true(found > 100);
}

/* gdb has all but job::run:: and the classes of lambdas. */
static void scopes_of_all_kinds_are_known(void **state)
{
	static const char *const wanted[] = {
		"(anonymous namespace)::box<unsigned long>::part::grow",
		"job::run::local::shrink",
		"job::run::<lambda(const char* const*, unsigned long&)>::operator()",
		"job::run::<lambda(const char* const*, unsigned long&)>::operator()::"
		"<lambda(char)>::operator() < "
		"job::run::<lambda(const char* const*, unsigned long&)>::operator()",
		"job::run::<lambda(auto)>::operator()<int>",
		"job::run::<lambda(auto)>::operator()<unsigned long>",
		"outer::v1::apply<unsigned long>",
		"outer::v1::plain",
	};
	bool met[sizeof(wanted) / sizeof(*wanted)] = { 0 };
	struct dwarf *d = open_file("scopes.so");

	(void)state;
	for (uint64_t va = 0x260; va < 0x376; va++) {
		struct str got = scopes_at(d, va);
		bool known = !got.n;

		for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
			if (str_eq(got, str_of(wanted[i])))
				known = met[i] = true;
		if (!known)
			fail_msg("%llx: " PRSTR, (unsigned long long)va, STRARG(got));
	}
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
		if (!met[i])
			fail_msg("not met: %s", wanted[i]);
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

/* Bytes that are made, one behind the other. */
struct bytes {
	char *p;
	size_t n, cap;
};

static void put(struct bytes *b, const void *p, size_t n, size_t times)
{
	b->p = arena_grow(&run, b->p, &b->cap, b->n + n * times, 1);
	for (; n && times; times--, b->n += n)
		memcpy(b->p + b->n, p, n);
}

static void put_number(struct bytes *b, uint64_t number, size_t n)
{
	number = htole64(number);
	put(b, &number, n, 1);
}

#define PUT(b, lit, times) put((b), (lit), sizeof(lit) - 1, (times))

struct made_section {
	const char *name;
	const struct bytes *bytes;
};

/* An ELF file of these sections; its names are the last one. */
static struct str made_elf(const struct made_section *section, size_t n)
{
	struct bytes file = { 0 }, names = { 0 }, table = { 0 };
	Elf64_Ehdr eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
		          .e_type = htole16(ET_DYN),
		          .e_machine = htole16(EM_X86_64),
		          .e_shentsize = htole16(sizeof(Elf64_Shdr)),
		          .e_shnum = htole16((Elf64_Half)(n + 2)),
		          .e_shstrndx = htole16((Elf64_Half)(n + 1)) };
	Elf64_Shdr sh = { 0 };

	put(&file, &eh, sizeof(eh), 1);
	put(&table, &sh, sizeof(sh), 1);
	PUT(&names, "\0", 1);
	for (size_t i = 0; i <= n; i++) {
		const struct bytes *b = i < n ? section[i].bytes : &names;
		const char *name = i < n ? section[i].name : "";

		sh = (Elf64_Shdr){ .sh_name = htole32((Elf64_Word)names.n),
			           .sh_type = htole32(i < n ? SHT_PROGBITS : SHT_STRTAB),
			           .sh_offset = htole64(file.n),
			           .sh_size = htole64(b->n) };
		if (i < n)
			put(&names, name, strlen(name) + 1, 1);
		put(&table, &sh, sizeof(sh), 1);
		put(&file, b->p, b->n, 1);
	}
	eh.e_shoff = htole64(file.n);
	memcpy(file.p, &eh, sizeof(eh));
	put(&file, table.p, table.n, 1);
	return (struct str){ file.p, file.n };
}

/* A unit of version 4 with code at 0x1000 to 0x2000, and these entries below its root. */
static struct bytes made_unit(const struct bytes *entries)
{
	struct bytes unit = { 0 };

	put_number(&unit, 2 + 4 + 1 + 1 + 8 + 8 + 4 + entries->n + 1, 4);
	put_number(&unit, 4, 2); /* version */
	put_number(&unit, 0, 4); /* its abbreviations */
	put_number(&unit, 8, 1); /* bytes of an address */
	put_number(&unit, 1, 1); /* the root */
	put_number(&unit, 0x1000, 8);
	put_number(&unit, 0x1000, 8);
	put_number(&unit, 0, 4);
	put(&unit, entries->p, entries->n, 1);
	PUT(&unit, "\0", 1);
	return unit;
}

/* low_pc addr, high_pc data8, stmt_list sec_offset. */
#define ROOT "\1\x11\1\x11\1\x12\7\x10\x17\0\0"

/* How many places of 0x1800 a file has. */
static size_t places_of(const struct made_section *section, size_t n)
{
	struct dwarf_place at[PLACES];

	return dwarf_find(mine(dwarf_open(made_elf(section, n), &run)), 0x1800, at,
	                  PLACES);
}

/* 1 MB of entries, each with 500,000 attributes without a value. */
static void long_abbreviations_are_given_up(void **state)
{
	struct bytes entries = { 0 }, abbrevs = { 0 }, unit;

	(void)state;
	PUT(&abbrevs, ROOT "\2\x34\0", 1);
	PUT(&abbrevs, "\x3f\x19", 500000);
	PUT(&abbrevs, "\0\0\0", 1);
	PUT(&entries, "\2", 1000000);
	unit = made_unit(&entries);
	assert_int_equal(
	        places_of((struct made_section[]){ { ".debug_info", &unit },
	                                           { ".debug_abbrev", &abbrevs } },
	                  2),
	        0);
}

/* 100,000 functions, whose ranges stand behind 60,000 base addresses. */
static void many_base_addresses_are_given_up(void **state)
{
	struct bytes entries = { 0 }, abbrevs = { 0 }, ranges = { 0 }, unit;

	(void)state;
	PUT(&abbrevs, ROOT "\2\x2e\0\x55\x17\0\0\0", 1);
	PUT(&entries, "\2\x10\0\0\0", 100000);
	PUT(&ranges, "\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0", 60000);
	PUT(&ranges, "\0\x10\0\0\0\0\0\0\0\x20\0\0\0\0\0\0", 1);
	PUT(&ranges, "\0", 16);
	unit = made_unit(&entries);
	assert_int_equal(
	        places_of((struct made_section[]){ { ".debug_info", &unit },
	                                           { ".debug_abbrev", &abbrevs },
	                                           { ".debug_ranges", &ranges } },
	                  3),
	        0);
}

/* 200,000 files in a directory whose name has 1 MB, and a row; or few in a short one. */
static size_t lines_with_paths(size_t directory, size_t files)
{
	struct bytes entries = { 0 }, abbrevs = { 0 }, header = { 0 }, lines = { 0 },
	             unit;
	static const char program[] = "\0\x9\2\0\x10\0\0\0\0\0\0\1\2\x80\x20\0\1\1";

	PUT(&abbrevs, ROOT "\0", 1);
	unit = made_unit(&entries);
	PUT(&header, "\1\1\1\xfb\xe\xd\0\1\1\1\1\0\0\0\1\0\0\1", 1);
	PUT(&header, "d", directory);
	PUT(&header, "\0\0", 1);
	PUT(&header, "f\0\1\0\0", files);
	PUT(&header, "\0", 1);
	put_number(&lines, 2 + 4 + header.n + sizeof(program) - 1, 4);
	put_number(&lines, 4, 2); /* version */
	put_number(&lines, header.n, 4);
	put(&lines, header.p, header.n, 1);
	PUT(&lines, program, 1);
	return places_of((struct made_section[]){ { ".debug_info", &unit },
	                                          { ".debug_abbrev", &abbrevs },
	                                          { ".debug_line", &lines } },
	                 3);
}

static void long_paths_of_many_files_are_given_up(void **state)
{
	(void)state;
	assert_int_equal(lines_with_paths(100, 1000), 1);
	assert_int_equal(lines_with_paths(1000000, 200000), 0);
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
		test(scopes_are_in_names),
		test(scopes_of_all_kinds_are_known),
		test(functions_of_c_have_no_scope),
		test(split_unit_of_another_build_is_not_taken),
		test(outside_of_code_nothing_is_known),
		test(file_without_it_has_none),
		test(long_abbreviations_are_given_up),
		test(many_base_addresses_are_given_up),
		test(long_paths_of_many_files_are_given_up),
		test(cache_changes_nothing),
		test(what_was_asked_is_kept),
		test(damage_of_a_block_changes_nothing),
	};

	return cmocka_run_group_tests_name("dwarf", tests, NULL, NULL);
}
