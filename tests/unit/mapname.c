/* Names of perf maps as crossgen2 writes them, against images that have both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "given.h"
#include "image/dotnet/r2r_name.h"
#include "bind/dotnet/clr_spelling.h"

static struct arena run;

static struct metadata *nobody(void *ctx, struct str name, const unsigned char *mvid)
{
	(void)ctx;
	(void)name;
	(void)mvid;
	return NULL;
}

static void becomes(const char *name, const char *want)
{
	struct str out = { 0 };

	assert_int_equal(clr_spelling_convert(str_of(name), &run, &out), want != NULL);
	if (want && !str_eq(out, str_of(want)))
		fail_msg("%s is " PRSTR ", not %s", name, STRARG(out), want);
}

static void each_kind_of_type_is_known(void **state)
{
	(void)state;
	becomes("void [a] N.C::.ctor()", "N.C::.ctor()");
	becomes("instance void [a] N.C::M(int32)[OptimizedTier1]",
	        "N.C::M(System.Int32)");
	becomes("instance void modreq([b]X) [a] C::set_P(uint8)",
	        "C::set_P(System.Byte)");
	becomes("native uint [a] C::M(native int,typedref)",
	        "System.UIntPtr C::M(System.IntPtr, System.TypedReference)");
	becomes("instance !1 [a] N.D`2[System.__Canon,System.Int32[,]]::Get(!0&,!1[])",
	        "System.Int32[,] N.D`2[System.__Canon, "
	        "System.Int32[,]]::Get(System.__Canon&, "
	        "System.Int32[,][])");
	becomes("class [b]N.L`1<valuetype [b]N.K`2<string,!0>> [a] N.G`1+I[T[U,V]]::M()",
	        "N.L`1[N.K`2[System.String, T[U, V]]] N.G`1+I[T[U, V]]::M()");
	becomes("int32[0...,0...] [a] C::M(int8[...],class A/B modopt([b]X)&,void* "
	        "pinned)",
	        "System.Int32[,] C::M(System.SByte[*], A+B&, System.Void*)");
	becomes("bool [a] C+<A-B<X\\,Y>-get>d__4::MoveNext()",
	        "System.Boolean C+<A-B<X,Y>-get>d__4::MoveNext()");
	becomes("void [a] C::<M>g__L|1(class C/<>c__D0`1<!!0>)", NULL);
	becomes("!!0 [a] C::M()", NULL);
	becomes("method void *() [a] C::M()", NULL);
}

static void what_is_no_method_stays(void **state)
{
	static const char *const names[] = {
		"",
		"stub ReportStubBlock<MethodCallThunk>",
		"void [a] C::M",
		"void [a] ::M()",
		"void [a] C:M()",
		"void [a C::M()",
		"void [a] C::M(int32",
		"void [a] C::M(int32,)",
		"void [a] C::M(!0)",
		"void [a] C`1[X]::M(!1)",
		"void [a] C::M(class <)",
		"void [a] C::M(class A<)",
		"void [a] C::M(class A<int32)",
		"void [a] C::M(int32[)",
		"void [a] C::M(int32 modreq(X)",
		"JS:~f [a] C::M()",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		becomes(names[i], NULL);
	assert_int_equal(clr_spelling_assembly(STR("stub X<Y>")).n, 0);
	assert_true(str_eq(clr_spelling_assembly(STR("class [b]X [a] C::M()")), STR("a")));
}

/* Each is as long as 2^n copies of the first. */
static void no_name_grows_without_end(void **state)
{
	struct str name = STR("void [a] C`1[D]::M(");

	(void)state;
	for (int i = 0; i < 6000; i++)
		name = i ? arena_fmt(&run, PRSTR ",!0", STRARG(name))
		         : arena_fmt(&run, PRSTR "!0", STRARG(name));
	assert_false(
	        clr_spelling_convert(arena_fmt(&run, PRSTR ")", STRARG(name)), &run, &name));
	name = STR("");
	for (int i = 0; i < 200; i++)
		name = arena_fmt(&run, "class A<" PRSTR ">", STRARG(name));
	assert_false(clr_spelling_convert(
	        arena_fmt(&run, "void [a] C::M(" PRSTR ")", STRARG(name)), &run, &name));
}

/* How many methods of an image have both names, and all of them agree. */
static size_t agree(const char *path)
{
	struct pe *pe = arena_new(&run, struct pe, 1);
	struct r2r *r;
	size_t n = 0;

	assert_true(pe_read(pe, file_bytes(&run, path)));
	r = r2r_open(pe, STR("x.dll"), &run, nobody, NULL);
	assert_non_null(r);
	for (size_t i = 0; i < r2r_count(r); i++) {
		struct str jit = r2r_name(r, i, &run, R2R_AS_JIT), out;
		struct str map = r2r_name(r, i, &run, R2R_AS_MAP);

		if (r2r_range(r, i).thunk || r2r_range(r, i).cold ||
		    !clr_spelling_convert(jit, &run, &out))
			continue;
		n++;
		if (!str_eq(out, map))
			fail_msg(PRSTR " is " PRSTR ", not " PRSTR, STRARG(jit),
			         STRARG(out), STRARG(map));
	}
	return n;
}

static void images_agree(void **state)
{
	(void)state;
	assert_true(agree("fixtures/r2r/x64/calc10.dll") == 25);
	assert_true(agree("fixtures/r2r/x64/oddnames.dll") == 146);
	assert_true(agree("fixtures/r2r/arm64/oddnames.dll") > 100);
	assert_true(agree("fixtures/r2r/hotcold/oddnames.dll") > 100);
}

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(each_kind_of_type_is_known, leave),
		cmocka_unit_test_teardown(what_is_no_method_stays, leave),
		cmocka_unit_test_teardown(no_name_grows_without_end, leave),
		cmocka_unit_test_teardown(images_agree, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
