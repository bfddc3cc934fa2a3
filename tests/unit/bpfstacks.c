/* Stacks as BCC and bpftrace print them. */
#include <stdio.h>

#include "reader/perftext/bpfstacks.h"
#include "reader/perftext/frameline.h"

#include "textmade.h"

static struct frame_text ft;

static void next(enum event_kind kind, size_t nframes, uint64_t weight)
{
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_int_equal(ev.kind, kind);
	assert_int_equal(ev.nframes, nframes);
	if (kind == EV_SAMPLE)
		assert_int_equal(ev.weight, weight);
}

static void owner(const char *comm, int32_t pid)
{
	assert_true(str_eq(ev.comm, str_of(comm)));
	assert_int_equal(ev.pid, pid);
}

static void end(void)
{
	assert_int_equal(reader_next(reader, &ev), 0);
}

static void line(const char *text, uint64_t addr, const char *func, const char *module)
{
	if (!frameline_bpf(str_of(text), &ft))
		fail_msg("no frame: %s", text);
	assert_int_equal(ft.addr, addr);
	if (!str_eq(ft.func, str_of(func)) || !str_eq(ft.module, str_of(module)))
		fail_msg("%s: '" PRSTR "' in '" PRSTR "'", text, STRARG(ft.func),
		         STRARG(ft.module));
}

static void line_may_have_address_name_and_module(void **state)
{
	(void)state;
	line("  7f773651f267     [unknown]", 0x7f773651f267, "", "");
	assert_int_equal(ft.prefix.n, 19);
	line("  7f773651f267     main+0x10 [libx.so]", 0x7f773651f267, "main", "libx.so");
	assert_int_equal(ft.func_off, 16);
	line("    main+42", 0, "main", "");
	assert_int_equal(ft.func_off, 42);
	line("    operator+", 0, "operator+", "");
	line("    0x7f773651f267", 0x7f773651f267, "", "");
	line("\t    7f773651f267 0x7f773651f267 ([unknown])", 0x7f773651f267, "", "");
	line("\t    7f773651f267 f(int)+3 (/usr/lib/x (deleted))", 0x7f773651f267,
	     "f(int)", "/usr/lib/x (deleted)");
	line("7f773651f267", 0x7f773651f267, "", "");
	line("    #12 0x00007f773651f267 (libx.so+0x20267)", 0x7f773651f267, "",
	     "libx.so");
	line("    #1  0x0000000000401136 main+0x6 (/app+0x1136)", 0x401136, "main",
	     "/app");
	line("    void [System.Console] A::B()+0x3 (/x.dll)", 0,
	     "void [System.Console] A::B()", "/x.dll");
}

static void short_hexadecimal_words_are_names(void **state)
{
	(void)state;
	line("  add [libx.so]", 0, "add", "libx.so");
	line("  facade", 0, "facade", "");
	line("  0xadd", 0xadd, "", "");
	assert_false(frameline_bpf(STR("   "), &ft));
}

static void stackcount_ends_with_owner_and_count(void **state)
{
	(void)state;
	over_text("Tracing...\n^C\n  7f773651f267     [unknown]\n    --\n  "
	          "ffffffff81000130 "
	          "x\n"
	          "    my app [4711]\n    12\n\n  7f773651f267     [unknown]\n    3\n\n");
	next(EV_TEXT, 0, 0);
	next(EV_TEXT, 0, 0);
	next(EV_SAMPLE, 2, 12);
	owner("my app", 4711);
	next(EV_TEXT, 0, 0);
	next(EV_SAMPLE, 1, 3);
	owner("", -1);
	next(EV_TEXT, 0, 0);
	end();
}

static void profile_says_the_owner_behind_a_dash(void **state)
{
	(void)state;
	over_text("    schedule\n    main\n    -                .NET TP (2) (4711)\n     "
	          "   "
	          "7\n\n");
	next(EV_SAMPLE, 2, 7);
	owner(".NET TP (2)", 4711);
}

static void keys_of_a_map_stand_on_both_sides(void **state)
{
	(void)state;
	over_text(
	        "@[\n    0x7f773651f267\n    main+32\n, dotnet, 4711]: 5\n"
	        "@a[4711, 4712, dotnet,\n7f773651f267\n,\n    b\n]: 7\n@c[dotnet]: 3\n");
	next(EV_SAMPLE, 2, 5);
	owner("dotnet", 4711);
	next(EV_SAMPLE, 2, 7);
	owner("dotnet", 4711);
	assert_int_equal(ev.tid, 4712);
	next(EV_TEXT, 0, 0);
	end();
}

static void addresses_alone_are_stacks(void **state)
{
	(void)state;
	over_text("    7f773651f267\n    7f773651e120\n\n    7f773651f267\n\n");
	next(EV_SAMPLE, 2, 1);
	next(EV_TEXT, 0, 0);
	next(EV_SAMPLE, 1, 1);
}

static void other_texts_are_none(void **state)
{
	static const char *const texts[] = {
		"a;b 1\na;c 2\n",
		"usage: x\n    -v    verbose\n\n",
		"@count: 3\n",
		"{\n    \"a\": 1\n}\n",
		"a 1 1.5: 7 e:\n\t7f773651f267 x\n    12\n\n",
		"    >>> len(names)\n    2\n\n",
		"    DW_ATE_void = 0x0,\n    2\n\n",
		"  #include <abstractions/base>\n    2\n\n",
		"    It has no end.  See below\n    2\n\n",
		"    7f773651f267 was its place\n    7f773651f268 too\n\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_ptr_not_equal(reader_bid(str_of(texts[i])),
		                     &bpfstacks_format.traits);
}

#define test(f) cmocka_unit_test_setup_teardown(f, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(line_may_have_address_name_and_module),
		test(short_hexadecimal_words_are_names),
		test(stackcount_ends_with_owner_and_count),
		test(profile_says_the_owner_behind_a_dash),
		test(keys_of_a_map_stand_on_both_sides),
		test(addresses_alone_are_stacks),
		test(other_texts_are_none),
	};

	wanted = &bpfstacks_format.traits;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
