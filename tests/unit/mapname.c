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
	assert_true(
	        str_eq(clr_spelling_assembly(STR("class [b]X [a] C::M()")), STR("a")));
}

/* Each is as long as 2^n copies of the first. */
static void no_name_grows_without_end(void **state)
{
	struct str name = STR("void [a] C`1[D]::M(");

	(void)state;
	for (int i = 0; i < 6000; i++)
		name = i ? arena_fmt(&run, PRSTR ",!0", STRARG(name))
		         : arena_fmt(&run, PRSTR "!0", STRARG(name));
	assert_false(clr_spelling_convert(arena_fmt(&run, PRSTR ")", STRARG(name)), &run,
	                                  &name));
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

static void names_of_compilers_are_taken_whole(void **state)
{
	(void)state;
	becomes("void [a] C::M(class A/<>c)", "C::M(A+<>c)");
	becomes("void [a] C::M(class <P>e__F`1<int8>)", "C::M(<P>e__F`1[System.SByte])");
	becomes("void [a] C::M(class A/<B<C>>d__1)", "C::M(A+<B<C>>d__1)");
	becomes("void [a] C::M(class A.<B>c)", "C::M(A.<B>c)");
	becomes("void [a] C::M(class A+<B>c)", "C::M(A+<B>c)");
	becomes("void [a] C::M(class A<B>c)", NULL);
	becomes("void [a] C::M(class A/<B)", NULL);
}

static void owners_lose_escapes(void **state)
{
	(void)state;
	becomes("void [a] C`2[A,B]::M()", "C`2[A, B]::M()");
	becomes("void [a] C`1[A[]]::M(!0)", "C`1[A[]]::M(A[])");
	becomes("void [a] C`2[A[,,],B]::M(!1,!0)", "C`2[A[,,], B]::M(B, A[,,])");
	becomes("void [a] C`1[[A,B]]::M(!0)", "C`1[[A, B]]::M([A, B])");
	becomes("void [a] C\\::M()", "C\\::M()");
	becomes("void [a] C\\+D::M()", "C+D::M()");
}

static void only_a_tier_is_cut_off(void **state)
{
	(void)state;
	assert_true(str_eq(clr_spelling_untiered(STR("f()[Tier0]")), STR("f()")));
	assert_true(str_eq(clr_spelling_untiered(STR("f()[a][Tier0]")),
	                   STR("f()[a][Tier0]")));
	assert_true(str_eq(clr_spelling_untiered(STR("f[Tier0]")), STR("f[Tier0]")));
	assert_true(str_eq(clr_spelling_untiered(STR("[Tier0]")), STR("[Tier0]")));
	assert_true(str_eq(clr_spelling_untiered(STR("f()]")), STR("f()]")));
	assert_true(str_eq(clr_spelling_untiered(STR("]")), STR("]")));
	assert_int_equal(clr_spelling_untiered(STR("")).n, 0);
}

/* Deep types are written as far as 32 levels. */
static bool nests(int levels)
{
	struct str name = STR("int8"), out;

	for (int i = 0; i < levels; i++)
		name = arena_fmt(&run, "class A<" PRSTR ">", STRARG(name));
	return clr_spelling_convert(
	        arena_fmt(&run, "void [a] C::M(" PRSTR ")", STRARG(name)), &run, &out);
}

static void types_nest_so_deep(void **state)
{
	(void)state;
	assert_true(nests(32));
	assert_false(nests(33));
}

/* An owner with n arguments, of which the last is asked for. */
static bool has_argument(int n)
{
	struct str owner = STR("C["), out;

	for (int i = 0; i < n; i++)
		owner = arena_fmt(&run, PRSTR "%sA%d", STRARG(owner), i ? "," : "", i);
	return clr_spelling_convert(
	        arena_fmt(&run, "void [a] " PRSTR "]::M(!%d)", STRARG(owner), n - 1),
	        &run, &out);
}

static void owners_have_so_many_arguments(void **state)
{
	(void)state;
	assert_true(has_argument(1));
	assert_true(has_argument(16));
	assert_false(has_argument(17));
}

/* A name has 16 KiB at most, as it is read and as it is written. */
static bool fits(size_t commas, size_t letters)
{
	char *name = arena_new(&run, char, 1 << 15), *p = name;
	struct str out;

	p += sprintf(p, "void [a] C[");
	for (size_t i = 0; i < commas; i++) {
		*p++ = 'A';
		*p++ = ',';
	}
	memset(p, 'B', letters);
	p += letters;
	p += sprintf(p, "]::M()");
	return clr_spelling_convert((struct str){ name, (size_t)(p - name) }, &run, &out);
}

static void names_have_so_many_bytes(void **state)
{
	const size_t most = 1 << 14;

	(void)state;
	assert_true(fits(0, most - strlen("void [a] C[]::M()")));
	assert_false(fits(0, most - strlen("void [a] C[]::M()") + 1));
	assert_true(fits(4000, most - 4000 * 3 - strlen("C[]::M()")));
	assert_false(fits(4000, most - 4000 * 3 - strlen("C[]::M()") + 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(each_kind_of_type_is_known, leave),
		cmocka_unit_test_teardown(what_is_no_method_stays, leave),
		cmocka_unit_test_teardown(no_name_grows_without_end, leave),
		cmocka_unit_test_teardown(images_agree, leave),
		cmocka_unit_test_teardown(names_of_compilers_are_taken_whole, leave),
		cmocka_unit_test_teardown(owners_lose_escapes, leave),
		cmocka_unit_test_teardown(only_a_tier_is_cut_off, leave),
		cmocka_unit_test_teardown(types_nest_so_deep, leave),
		cmocka_unit_test_teardown(owners_have_so_many_arguments, leave),
		cmocka_unit_test_teardown(names_have_so_many_bytes, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
