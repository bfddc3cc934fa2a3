/* Names of an r2rmap as the runtime spells them, where its image is absent. */
#include "bind/dotnet/r2rmap_names.h"

#include "bind/binder.h"
#include "bind/bound_map.h"
#include "bind/dotnet/bound_image.h"
#include "jitgen.h"
#include "sessionmade.h"

static const uint64_t start = 0x7f0000400000;
static const char line[] = "System.Int32 N.C::M(System.Int32)";
static const char jitted[] = "int32 [calc] N.C::M(int32)";

static struct jitgen g;
static struct perfmap r2rmap, perfmap;

static int enter(void **state)
{
	(void)state;
	session_made();
	memset(&g, 0, sizeof(g));
	r2rmap = (struct perfmap){ .relative = true, .has_signature = true };
	perfmap = (struct perfmap){ 0 };
	return 0;
}

static int leave(void **state)
{
	(void)state;
	session_over();
	return 0;
}

/* The r2rmap has a line for each of n methods of that name. */
static const struct bound_image *bound(const char *name, int n)
{
	struct item *it = add_file("calc.ni.r2rmap", STR("x"));
	struct bound_image im = { .item = it, .map = &r2rmap };

	map_file(start, 0x10000, 0, "/app/calc.dll");
	im.m = process_find(session.ps, PID, start, MODE_USER);
	symtab_add(&r2rmap.symbols, &session.run, 0x100, 16,
	           STR("System.Void N.C::Other()"));
	for (int i = 0; i < n; i++)
		symtab_add(&r2rmap.symbols, &session.run, 0x1000 + (uint64_t)i * 32, 16,
		           str_of(name));
	symtab_sort(&r2rmap.symbols, &session.run);
	bound_image_add(session.binder, &im);
	return bound_image_get(session.binder, im.m);
}

static void add_jitted(const char *name)
{
	symtab_add(&perfmap.symbols, &session.run, 0x5000 + perfmap.symbols.n * 64, 32,
	           str_of(name));
}

static void bind_map(int32_t pid)
{
	struct bound_map map = { .pid = pid, .map = &perfmap };

	map.item = add_file("perf-7.map", STR("x"));
	symtab_sort(&perfmap.symbols, &session.run);
	bound_map_add(session.binder, &map);
}

static void is_spelled(const struct bound_image *im, const char *want)
{
	struct str got = r2rmap_names_frame(session.binder, im, str_of(line));

	if (!str_eq(got, str_of(want)))
		fail_msg(PRSTR, STRARG(got));
}

static void method_that_was_compiled_again_has_the_runtimes_name(void **state)
{
	const struct bound_image *im = bound(line, 1);

	(void)state;
	add_jitted("int32 [calc] N.C::M(int32)[Tier1]");
	bind_map(PID);
	is_spelled(im, jitted);
	is_spelled(im, jitted);
}

static void tiers_of_one_method_are_one(void **state)
{
	const struct bound_image *im = bound(line, 1);

	(void)state;
	add_jitted("int32 [calc] N.C::M(int32)[Tier1]");
	add_jitted("int32 [calc] N.C::M(int32)[OptimizedTier1]");
	bind_map(PID);
	is_spelled(im, jitted);
}

/* Another method would have the same line in the r2rmap. */
static void line_of_several_methods_stays(void **state)
{
	const struct bound_image *im = bound(line, 1);

	(void)state;
	add_jitted("int32 [calc] N.C::M(int32)[Tier1]");
	add_jitted("instance int32 [calc] N.C::M(int32)[Tier1]");
	bind_map(PID);
	is_spelled(im, line);
}

static void line_that_is_there_twice_stays(void **state)
{
	const struct bound_image *im = bound(line, 2);

	(void)state;
	add_jitted(jitted);
	bind_map(PID);
	is_spelled(im, line);
}

static void line_that_is_not_there_stays(void **state)
{
	const struct bound_image *im = bound("System.Int32 N.C::N(System.Int32)", 1);

	(void)state;
	add_jitted(jitted);
	bind_map(PID);
	is_spelled(im, line);
}

static void methods_of_other_assemblies_say_nothing(void **state)
{
	const struct bound_image *im = bound(line, 1);

	(void)state;
	add_jitted("int32 [other] N.C::M(int32)[Tier1]");
	add_jitted("N.C::M(int32)");
	bind_map(PID);
	is_spelled(im, line);
}

static void methods_of_other_processes_say_nothing(void **state)
{
	const struct bound_image *im = bound(line, 1);

	(void)state;
	add_jitted(jitted);
	bind_map(PID + 1);
	is_spelled(im, line);
}

static void image_names_itself(void **state)
{
	struct bound_image im = *bound(line, 1);

	(void)state;
	add_jitted(jitted);
	bind_map(PID);
	im.image = &session.locator.item[0];
	is_spelled(&im, line);
}

static void map_without_signature_is_no_r2rmap(void **state)
{
	const struct bound_image *im = bound(line, 1);

	(void)state;
	add_jitted(jitted);
	bind_map(PID);
	r2rmap.has_signature = false;
	is_spelled(im, line);
}

/* The first piece of a dump, and the last. */
static void dump_has_the_runtimes_names_too(void **state)
{
	static const char *const other = "int32 [calc] N.C::X(int32)[Tier1]";

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct bound_map map = { .pid = PID };
		const struct bound_image *im;

		session_over();
		enter(NULL);
		im = bound(line, 1);
		jit_header(&g, PID, 0, 0);
		jit_load(&g, PID, 1, 0x5000, 32, 1,
		         i ? other : "int32 [calc] N.C::M(int32)[Tier1]");
		jit_load(&g, PID, 2, 0x6000, 32, 2,
		         i ? "int32 [calc] N.C::M(int32)[Tier1]" : other);
		map.item = add_file("jit-7.dump", jit_bytes(&g));
		map.dump = locate_jitdump(&session.locator, map.item);
		bound_map_add(session.binder, &map);
		is_spelled(im, jitted);
	}
}

/* The last of two symbols is in no table. */
static void what_a_table_does_not_have_says_nothing(void **state)
{
	const struct bound_image *im = bound(line, 1);

	(void)state;
	add_jitted("int32 [calc] N.C::A(int32)");
	add_jitted(jitted);
	bind_map(PID);
	perfmap.symbols.n--;
	is_spelled(im, line);
}

static void line_behind_the_table_is_not_counted(void **state)
{
	const struct bound_image *im = bound(line, 2);

	(void)state;
	add_jitted(jitted);
	bind_map(PID);
	r2rmap.symbols.n--;
	is_spelled(im, jitted);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(method_that_was_compiled_again_has_the_runtimes_name),
		test(tiers_of_one_method_are_one),
		test(line_of_several_methods_stays),
		test(line_that_is_there_twice_stays),
		test(line_that_is_not_there_stays),
		test(methods_of_other_assemblies_say_nothing),
		test(methods_of_other_processes_say_nothing),
		test(image_names_itself),
		test(map_without_signature_is_no_r2rmap),
		test(dump_has_the_runtimes_names_too),
		test(what_a_table_does_not_have_says_nothing),
		test(line_behind_the_table_is_not_counted),
	};

	return cmocka_run_group_tests_name("r2rmap_names", tests, NULL, NULL);
}
