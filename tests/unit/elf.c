/* ELF files: fixtures/elf, whose source is names.s beside them. */
#include "image/elf/elf_symbols.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"
#include "bind/native/demangle.h"

static struct arena run;

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

static struct str spell(void *ctx, struct str name)
{
	return demangle(name, DEMANGLE_SHORT, ctx);
}

static struct elf file(const char *path)
{
	struct elf e;

	assert_true(elf_read(&e, file_bytes(&run, path), &run));
	return e;
}

static struct symtab symbols(const char *path)
{
	struct elf_spelling sp = { spell, &run };
	struct elf e = file(path);
	const struct elf *one = &e;
	struct symtab t = { 0 };

	elf_symbols(&one, 1, &sp, &t, &run);
	return t;
}

static void is_called(const struct symtab *t, uint64_t va, const char *name)
{
	const struct symbol *s = symtab_find(t, va);

	assert_non_null(s);
	if (!str_eq(s->name, str_of(name)))
		fail_msg("%llx is " PRSTR ", not %s", (unsigned long long)va,
		         STRARG(s->name), name);
}

static void alias_that_perf_prefers_is_the_name(void **state)
{
	struct symtab t = symbols("fixtures/elf/names.so");

	(void)state;
	is_called(&t, 0x340, "strong");
	is_called(&t, 0x350, "longest");
	is_called(&t, 0x36f, "_ZN4work5firstEv");
}

static void what_has_no_size_ends_at_the_next(void **state)
{
	struct symtab t = symbols("fixtures/elf/names.so");

	(void)state;
	is_called(&t, 0x37f, "sizeless");
	is_called(&t, 0x380, "label");
	is_called(&t, 0x38f, "label");
}

/* As perf: assembler has them inside of functions, in musl's memcpy say. */
static void hidden_label_is_no_function(void **state)
{
	enum { SYMTAB = 0x1008, ENTRY = 24, LABEL = 3, OTHER = 5, HIDDEN = 2 };
	struct str copy = arena_str(&run, file_bytes(&run, "fixtures/elf/names.so"));
	struct elf_spelling sp = { spell, &run };
	struct symtab t = { 0 };
	const struct elf *one;
	struct elf e;

	(void)state;
	((char *)copy.p)[SYMTAB + LABEL * ENTRY + OTHER] = HIDDEN;
	assert_true(elf_read(&e, copy, &run));
	one = &e;
	elf_symbols(&one, 1, &sp, &t, &run);
	is_called(&t, 0x380, "sizeless");
	is_called(&t, 0x390, "outer");
}

static void what_begins_last_has_the_bytes(void **state)
{
	struct symtab t = symbols("fixtures/elf/names.so");

	(void)state;
	is_called(&t, 0x393, "outer");
	is_called(&t, 0x397, "inner");
	is_called(&t, 0x398, "outer");
	assert_int_equal(symtab_find(&t, 0x398)->base, 0x390);
}

static void data_has_no_name(void **state)
{
	struct symtab t = symbols("fixtures/elf/names.so");

	(void)state;
	assert_null(symtab_find(&t, 0x3a0));
	assert_null(symtab_find(&t, 0));
}

static void stub_is_called_after_what_it_calls(void **state)
{
	struct symtab t = symbols("fixtures/elf/names.so");

	(void)state;
	assert_null(symtab_find(&t, 0x31f));
	is_called(&t, 0x320, ".plt");
	is_called(&t, 0x32f, ".plt");
	is_called(&t, 0x330, "elsewhere@plt");
	is_called(&t, 0x33f, "elsewhere@plt");
}

/* Of each linker and machine, where the stubs are of two libraries' functions and an ifunc. */
static void stub_is_told_by_the_slot_it_jumps_through(void **state)
{
	static const struct {
		const char *file;
		uint64_t elsewhere, taken, picked;
	} at[] = {
		{ "fixtures/elf/stubs-ibt.so", 0x3b0, 0x3a0, 0x3c0 },
		{ "fixtures/elf/stubs-lld.so", 0x13e0, 0x13d0, 0x13f0 },
		{ "fixtures/elf/stubs-arm.so", 0x380, 0x390, 0x3a0 },
		{ "fixtures/elf/stubs-bti.so", 0x14c8, 0x14b0, 0x14e0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		struct symtab t = symbols(at[i].file);

		is_called(&t, at[i].elsewhere, "elsewhere@plt");
		is_called(&t, at[i].taken, "taken@plt");
		is_called(&t, at[i].picked, "picked@plt");
		assert_int_equal(symtab_find(&t, at[i].picked + 4)->base, at[i].picked);
	}
}

/* Guarded branches: .plt only pushes a number, of .rela.plt; what begins it is the header. */
static void lazy_half_is_told_by_its_number(void **state)
{
	struct symtab t = symbols("fixtures/elf/stubs-ibt.so");

	(void)state;
	is_called(&t, 0x370, ".plt");
	is_called(&t, 0x380, "elsewhere@plt");
	is_called(&t, 0x39f, "picked@plt");
}

/* .debug_sup of DWARF 5 says what .gnu_debugaltlink does. */
static void supplement_is_known_by_its_checksum(void **state)
{
	struct elf e = file("fixtures/dwarf/sup5.so");
	struct elf common = file("fixtures/dwarf/common5.debug");

	(void)state;
	assert_true(str_eq(e.alt_link, STR("common.debug")));
	assert_int_equal(e.alt_id.n, 20);
	assert_true(elf_same_id(common.build_id, e.alt_id));
	assert_false(elf_same_id(e.build_id, e.alt_id));
	assert_int_equal(common.alt_link.n, 0);
}

static void stripped_file_has_its_exports(void **state)
{
	struct elf e = file("fixtures/elf/stripped.so");
	struct symtab t = symbols("fixtures/elf/stripped.so");

	(void)state;
	assert_false(e.has_symtab);
	assert_true(str_eq(e.debug_link, STR("names.debug")));
	is_called(&t, 0x394, "outer");
}

static void debug_file_is_of_the_same_build(void **state)
{
	struct elf e = file("fixtures/elf/stripped.so");
	struct elf debug = file("fixtures/elf/names.debug");
	struct symtab t = symbols("fixtures/elf/names.debug");

	(void)state;
	assert_int_equal(e.build_id.n, 20);
	assert_true(str_eq(e.build_id, debug.build_id));
	assert_true(debug.bare && debug.has_symtab && !e.bare);
	is_called(&t, 0x394, "inner");
}

/* Its addresses were moved after its debug file was made: prelink leaves it so. */
static void names_follow_a_prelinked_file(void **state)
{
	struct elf_spelling sp = { spell, &run };
	struct elf debug = file("fixtures/elf/names.debug");
	struct elf image = file("fixtures/elf/moved.so");
	const struct elf *both[] = { &debug, &image };
	struct symtab t = { 0 };

	(void)state;
	assert_int_equal(elf_moved(&image, &debug), 0x30000000);
	elf_symbols(both, 2, &sp, &t, &run);
	is_called(&t, 0x30000394, "inner");
	is_called(&t, 0x30000330, "elsewhere@plt");
	assert_null(symtab_find(&t, 0x394));
}

static void packed_symbols_are_read(void **state)
{
	struct symtab t = symbols("fixtures/elf/mini.so");

	(void)state;
	assert_false(file("fixtures/elf/mini.so").has_symtab);
	is_called(&t, 0x394, "inner");
	is_called(&t, 0x330, "elsewhere@plt");
}

static void mapping_must_fit_where_nothing_else_proves_it(void **state)
{
	struct elf e = file("fixtures/elf/names.so");
	struct elf debug = file("fixtures/elf/names.debug");
	uint64_t shift = 1;

	(void)state;
	assert_true(elf_place(&e, 0, 4096, true, &shift));
	assert_int_equal(shift, 0);
	assert_false(elf_place(&e, 0, 8192, true, &shift));
	assert_true(elf_place(&e, 0, 8192, false, &shift));
	assert_false(elf_place(&e, 4096, 4096, false, &shift));
	assert_true(elf_place(&debug, 0, 4096, true, &shift));
	assert_false(elf_place(&debug, 0, 8192, true, &shift));
}

/* Before the other segments are mapped over it. */
static void first_segment_may_be_mapped_for_all(void **state)
{
	struct elf e = file("fixtures/elf/names.so");
	struct elf debug = file("fixtures/elf/names.debug");
	const struct elf_load load[] = { { 0, 0x1000, 0, 0x1000, false },
		                         { 0x1000, 0x1000, 0x1000, 0x1000, true },
		                         { 0x2000, 0x1000, 0x2000, 0x1000, false } };
	struct elf second = { .load = load, .nloads = 3 };
	uint64_t shift = 1;

	(void)state;
	assert_true(elf_place(&e, 0, 0x3000, true, &shift));
	assert_int_equal(shift, 0);
	assert_false(elf_place(&e, 0, 0x5000, true, &shift));
	assert_true(elf_place(&debug, 0, 0x3000, true, &shift));
	assert_false(elf_place(&second, 0x1000, 0x2000, true, &shift));
}

static void code_of_lld_is_not_where_its_bytes_are(void **state)
{
	const struct elf_load load[] = { { 0, 0x1a6e4, 0, 0x1a6e4, false },
		                         { 0x1a6f0, 0x47bc0, 0x1b6f0, 0x47bc0, true } };
	struct elf e = { .load = load, .nloads = 2 };
	uint64_t shift = 0;

	(void)state;
	assert_true(elf_place(&e, 0x1a000, 0x49000, true, &shift));
	assert_int_equal(shift, 0x1000);
}

static void cut_file_is_refused(void **state)
{
	struct str whole = file_bytes(&run, "fixtures/elf/names.so");
	struct elf e;

	(void)state;
	for (size_t n = 0; n < whole.n; n++)
		assert_false(elf_read(&e, str_head(whole, n), &run));
}

static void names_are_spelled_as_perf_does(void **state)
{
	static const char *const names[][2] = {
		{ "_ZN4work12each_collatzEmm", "work::each_collatz" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write" },
		{ "_ZdlPv@plt", "operator delete@plt" },
		{ "_RNvCskwGfYPst2Cb_3foo16example_function", "foo::example_function" },
		{ "_Zzz", "_Zzz" },
		{ "_start", "_start" },
		{ "memcpy@plt", "memcpy@plt" },
		{ "camlA__f_1", "A.f_1" },
		{ "camlZ__f_1", "Z.f_1" },
		{ "camlA$2bf", "A+f" },
		{ "caml_f_1", "caml_f_1" },
		{ "caml[f_1", "caml[f_1" },
		{ "caml@f_1", "caml@f_1" },
		{ "caml", "caml" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct str got = demangle(str_of(names[i][0]), DEMANGLE_SHORT, &run);

		assert_int_equal(got.n, strlen(names[i][1]));
		assert_memory_equal(got.p, names[i][1], got.n);
	}
}

static void is_spelled(const char *name, enum demangling how, const char *plain)
{
	struct str got = demangle(str_of(name), how, &run);

	if (!str_eq(got, str_of(plain)))
		fail_msg("%s is " PRSTR ", not %s", name, STRARG(got), plain);
}

static void other_languages_and_parameters_can_be_had(void **state)
{
	(void)state;
	is_spelled("_D4work5twiceFmZm.constprop.0.cold", DEMANGLE_SHORT,
	           "work.twice(ulong) [clone .constprop.0] [clone .cold]");
	is_spelled("_D3std5stdio7writelnFAyaZv", DEMANGLE_SHORT,
	           "std.stdio.writeln(immutable(char)[])");
	is_spelled("_D", DEMANGLE_SHORT, "_D");
	is_spelled("camlStdlib__List__map_213", DEMANGLE_SHORT, "Stdlib.List.map_213");
	is_spelled("camlFoo__$2b$3d_12", DEMANGLE_SHORT, "Foo.+=_12");
	is_spelled("camlFoo__x$2", DEMANGLE_SHORT, "Foo.x$2");
	is_spelled("camlot", DEMANGLE_SHORT, "camlot");
	is_spelled("main.(*Server).Serve", DEMANGLE_SHORT, "main.(*Server).Serve");
	is_spelled("_ZN4work12each_collatzEmm", DEMANGLE_FULL,
	           "work::each_collatz(unsigned long, unsigned long)");
	is_spelled("_ZN4work12each_collatzEmm", DEMANGLE_NOT,
	           "_ZN4work12each_collatzEmm");
}

static void methods_of_java_are_spelled_out(void **state)
{
	static const char *const no_names[] = {
		"L",        "L;f()V",   "La;()V",    "La;f()",
		"La;f()VV", "La;f(V)V", "La;f([)V",  "La;f(La)V",
		"La;f(X)V", "La;f(I)[", "La;f/g()V", "LazyCompile:~f a.js:1:1",
	};
	const char *sort = "Ljava/util/Arrays;sort([Ljava/lang/Object;I[[JD)Z";

	(void)state;
	is_spelled(sort, DEMANGLE_SHORT,
	           "java.util.Arrays.sort(java.lang.Object[], int, long[][], double)");
	is_spelled(sort, DEMANGLE_PERF,
	           "java.util.Arrays.sort(java.lang.Object, int[], long[][], double)");
	is_spelled(sort, DEMANGLE_NOT, sort);
	is_spelled("La/B$C;<init>(BCFSZ)V", DEMANGLE_FULL,
	           "a.B$C.<init>(byte, char, float, short, boolean)");
	is_spelled("La/B;<init>()V", DEMANGLE_PERF, "a.B<init>()");
	for (size_t i = 0; i < sizeof(no_names) / sizeof(*no_names); i++)
		is_spelled(no_names[i], DEMANGLE_SHORT, no_names[i]);
	for (size_t n = 0; n < strlen(sort); n++) {
		struct str cut = { sort, n };

		assert_true(str_eq(demangle(cut, DEMANGLE_SHORT, &run), cut));
	}
}

/* Each argument is a pair of the one before: 40 of them are 2^40 names. */
static void endless_name_stays_mangled(void **state)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char text[4096] = "_Z1fI1pIiiE";
	struct str got, name = { text, strlen(text) };

	(void)state;
	/* S_ is f, S0_ is p, S1_ is p<int, int>, and so on. */
	for (int i = 1; i < 36; i++)
		name.n += (size_t)snprintf(text + name.n, sizeof(text) - name.n,
		                           "S0_IS%c_S%c_E", digits[i], digits[i]);
	name.n += (size_t)snprintf(text + name.n, sizeof(text) - name.n, "Evv");
	got = demangle(name, DEMANGLE_SHORT, &run);
	assert_true(str_eq(got, name));
	got = demangle(STR("_Z1fI1pIiiES0_IS1_S1_EEvv"), DEMANGLE_SHORT, &run);
	assert_true(str_eq(got, STR("f<p<int, int>, p<p<int, int>, p<int, int> > >")));
}

/* A short name of D may stand for an endless one. */
static void names_of_d_are_not_endless(void **state)
{
	struct str eight = STR("_D8QQQQQQQQ1fFZvQ"), nine = STR("_D9QQQQQQQQQ1fFZv");
	struct str name;

	(void)state;
	eight.n--;
	assert_true(str_eq(demangle(eight, DEMANGLE_SHORT, &run), STR("QQQQQQQQ.f()")));
	assert_true(str_eq(demangle(nine, DEMANGLE_SHORT, &run), nine));
	for (int n = 1010; n < 1020; n++) {
		struct str got;

		name = arena_fmt(&run, "_D%d%0*d1fFZv", n, n, 0);
		memset((char *)(uintptr_t)name.p + 6, 'x', (size_t)n);
		got = demangle(name, DEMANGLE_SHORT, &run);
		assert_int_equal(str_ends(got, STR(".f()")), name.n <= 1024);
	}
}

static void names_of_ocaml_begin_with_a_module(void **state)
{
	(void)state;
	assert_true(str_eq(demangle(STR("camlA"), DEMANGLE_SHORT, &run), STR("A")));
	assert_true(
	        str_eq(demangle(STR("camlZ__f_1"), DEMANGLE_SHORT, &run), STR("Z.f_1")));
	assert_true(str_eq(demangle(STR("camla"), DEMANGLE_SHORT, &run), STR("camla")));
	assert_true(str_eq(demangle(STR("caml@"), DEMANGLE_SHORT, &run), STR("caml@")));
	assert_true(str_eq(demangle(STR("caml["), DEMANGLE_SHORT, &run), STR("caml[")));
	assert_true(str_eq(demangle(STR("caml"), DEMANGLE_SHORT, &run), STR("caml")));
	assert_true(str_eq(demangle(STR("camlA$2bB"), DEMANGLE_SHORT, &run), STR("A+B")));
	assert_true(str_eq(demangle(STR("camlA$2"), DEMANGLE_SHORT, &run), STR("A$2")));
	assert_true(str_eq(demangle(STR("camlA$zz"), DEMANGLE_SHORT, &run), STR("A$zz")));
}

static void longest_name_has_64_kib(void **state)
{
	enum { LONGEST = 1 << 16 };
	char *p = arena_new(&run, char, LONGEST + 1);
	struct str name = { p, LONGEST };

	(void)state;
	memset(p, 'A', LONGEST + 1);
	memcpy(p, "caml", 4);
	assert_int_equal(demangle(name, DEMANGLE_SHORT, &run).n, LONGEST - 4);
	name.n++;
	assert_int_equal(demangle(name, DEMANGLE_SHORT, &run).n, LONGEST + 1);
}

static void clones_are_said_behind_names_of_d(void **state)
{
	(void)state;
	assert_true(
	        str_eq(demangle(STR("_D1a1fFZv.constprop.0.cold"), DEMANGLE_SHORT, &run),
	               STR("a.f() [clone .constprop.0] [clone .cold]")));
	assert_true(str_eq(demangle(STR("_D1a1fFZv.part.0"), DEMANGLE_SHORT, &run),
	                   STR("a.f() [clone .part.0]")));
	assert_true(str_eq(demangle(STR("_D1a1fFZv.isra.0.1"), DEMANGLE_SHORT, &run),
	                   STR("a.f() [clone .isra.0.1]")));
}

static void what_is_no_name_of_d_stays(void **state)
{
	(void)state;
	assert_true(str_eq(demangle(STR("_Dxyz"), DEMANGLE_SHORT, &run), STR("_Dxyz")));
	assert_true(str_eq(demangle(STR("_D1ai"), DEMANGLE_SHORT, &run), STR("a")));
}

/* Names stay what they are while others are made. */
static void names_are_kept(void **state)
{
	enum { NAMES = 300 };
	struct demangled d = { .how = DEMANGLE_SHORT };
	static struct str mangled[NAMES], got[NAMES];

	(void)state;
	for (int i = 0; i < NAMES; i++) {
		mangled[i] = i % 2 ? arena_fmt(&run, "camlA__f_%d", i)
		                   : arena_fmt(&run, "La/B%d;m()V", i);
		got[i] = demangle_once(&d, mangled[i], &run);
	}
	for (int i = 0; i < NAMES; i++) {
		struct str want = i % 2 ? arena_fmt(&run, "A.f_%d", i)
		                        : arena_fmt(&run, "a.B%d.m()", i);

		assert_true(str_eq(got[i], want));
		assert_ptr_equal(demangle_once(&d, mangled[i], &run).p, got[i].p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alias_that_perf_prefers_is_the_name),
		cmocka_unit_test(what_has_no_size_ends_at_the_next),
		cmocka_unit_test(hidden_label_is_no_function),
		cmocka_unit_test(what_begins_last_has_the_bytes),
		cmocka_unit_test(data_has_no_name),
		cmocka_unit_test(stub_is_called_after_what_it_calls),
		cmocka_unit_test(stub_is_told_by_the_slot_it_jumps_through),
		cmocka_unit_test(lazy_half_is_told_by_its_number),
		cmocka_unit_test(supplement_is_known_by_its_checksum),
		cmocka_unit_test(stripped_file_has_its_exports),
		cmocka_unit_test(debug_file_is_of_the_same_build),
		cmocka_unit_test(names_follow_a_prelinked_file),
		cmocka_unit_test(packed_symbols_are_read),
		cmocka_unit_test(mapping_must_fit_where_nothing_else_proves_it),
		cmocka_unit_test(first_segment_may_be_mapped_for_all),
		cmocka_unit_test(code_of_lld_is_not_where_its_bytes_are),
		cmocka_unit_test(cut_file_is_refused),
		cmocka_unit_test(names_are_spelled_as_perf_does),
		cmocka_unit_test(methods_of_java_are_spelled_out),
		cmocka_unit_test(other_languages_and_parameters_can_be_had),
		cmocka_unit_test(endless_name_stays_mangled),
		cmocka_unit_test(names_of_d_are_not_endless),
		cmocka_unit_test(names_of_ocaml_begin_with_a_module),
		cmocka_unit_test(longest_name_has_64_kib),
		cmocka_unit_test(clones_are_said_behind_names_of_d),
		cmocka_unit_test(what_is_no_name_of_d_stays),
		cmocka_unit_test(names_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, leave);
}
