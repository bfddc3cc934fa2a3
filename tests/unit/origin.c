/* Modules and lines of names, and the groups that names give (fixtures/namespaces.tsv). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "label/namespace.h"
#include "stack/origin.h"
#include "symbol/profile.h"

#define S(text) STR(text)

static void fields_are_read(void **state)
{
	static const char *const bad[] = {
		"# pfold frame\tparse\t/srv/web\t/srv/p.c\t17",
		"# pfold frame\tparse\t/srv/web\t/srv/p.c\tx\tend",
		"# pfold frame\tparse\t/srv/web\t/srv/p.c\t99999999999\tend",
		"# pfold frame\t\t/srv/web\t\t\tend",
		"# pfold frame\tparse\t/srv/web\t\t\tend\tend",
		"# pfold frame\tparse",
		"# pfold event=cycles samples=1 unit=cycles",
		"",
	};
	struct origin at;

	(void)state;
	assert_true(
	        origin_parse(S("# pfold frame\ta b\t/srv/web\t/srv/p.c\t17\tend"), &at));
	assert_true(str_eq(at.name, S("a b")) && str_eq(at.module, S("/srv/web")));
	assert_true(str_eq(at.file, S("/srv/p.c")) && at.line == 17);
	assert_true(origin_parse(S("# pfold frame\tmain\t\t\t\tend"), &at));
	assert_true(!at.module.n && !at.file.n && !at.line);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(origin_parse(str_of(bad[i]), &at));
}

/* Sorted by name, with one line for each module and file, and none for what is known better. */
static void origins_are_merged(void **state)
{
	static const struct origin in[] = {
		{ STR("parse"), STR("/srv/web"), STR("/srv/p.c"), 30 },
		{ STR("parse"), STR("/srv/web"), STR("/srv/p.c"), 17 },
		{ STR("parse"), STR("/srv/web"), STR(""), 0 },
		{ STR("parse"), STR(""), STR(""), 0 },
		{ STR("parse"), STR("/srv/lib.so"), STR(""), 0 },
		{ STR("gone"), STR("/srv/web"), STR("/srv/g.c"), 1 },
		{ STR("main"), STR("/srv/web"), STR("/srv/p.c"), 5 },
	};
	static const char *const want[] = { "main /srv/web /srv/p.c 5",
		                            "parse /srv/lib.so  0",
		                            "parse /srv/web /srv/p.c 17" };
	struct arena a = { 0 };
	struct interner names;
	struct origins p;
	bool *used = arena_new(&a, bool, 16);
	const struct origin_ids *ids;
	size_t n;

	(void)state;
	intern_init(&names, &a);
	origin_init(&p, &a);
	for (size_t i = 0; i < sizeof(in) / sizeof(*in); i++) {
		str_id label = intern(&names, in[i].name);

		used[label] = !str_eq(in[i].name, S("gone"));
		origin_add(&p, label, &in[i]);
	}
	ids = origin_list(&p, &names, used, &a, &n);
	assert_int_equal(n, 3);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(arena_fmt(&a, PRSTR " " PRSTR " " PRSTR " %u",
		                              STRARG(intern_str(&names, ids[i].label)),
		                              STRARG(intern_str(&p.texts, ids[i].module)),
		                              STRARG(intern_str(&p.texts, ids[i].file)),
		                              ids[i].line)
		                            .p,
		                    want[i]);
	arena_release(&a);
}

static void modules_of_managed_code_are_assemblies(void **state)
{
	static const struct {
		const char *func, *module, *want;
	} of[] = {
		{ "int32 [WebApi] WebApi.Program::Work(int32)[Tier0]", "/tmp/perf-7.map",
		  "WebApi" },
		{ "instance bool [System.Private.CoreLib] "
		  "System.String::Equals(object)[PreJIT]",
		  "memfd:doublemapper", "System.Private.CoreLib" },
		{ "stub<36> AllocateTemporaryEntryPoints<PRECODE_FIXUP>",
		  "/tmp/perf-7.map", "[stubs]" },
		{ "instance System.Int32 [System.Private.CoreLib] "
		  "dynamicClass::IL_STUB_UnboxingStub()[Optimized]",
		  "/tmp/perf-7.map", "[stubs]" },
		{ "Ledger.refuse", "/tmp/perf-7.map", "/tmp/perf-7.map" },
		{ "", "/tmp/perf-7.map", "/tmp/perf-7.map" },
		{ "stub_entry", "/srv/app/web", "/srv/app/web" },
		{ "main", "/srv/app/web (deleted)", "/srv/app/web" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		assert_true(str_eq(
		        namespace_module(str_of(of[i].func), str_of(of[i].module), 0),
		        str_of(of[i].want)));
	assert_true(
	        str_eq(namespace_assembly(S("/usr/share/dotnet/System.Text.Json.dll")),
	               S("System.Text.Json")));
	assert_true(str_eq(namespace_assembly(S("/usr/lib/libc.so.6")), S("libc.so.6")));
}

static void namespaces_are_those_of_the_fixture(void **state)
{
	FILE *in = fopen("fixtures/namespaces.tsv", "r");
	char line[512];
	size_t n = 0;

	(void)state;
	assert_non_null(in);
	for (; fgets(line, sizeof(line), in); n++) {
		struct str rest = str_of(line), label = str_cut(&rest, '\t');
		bool managed = str_eq(str_cut(&rest, '\t'), S("j"));
		struct str want = str_cut(&rest, '\n'),
		           got = namespace_of(label, managed);

		if (!str_eq(got, want))
			fail_msg(PRSTR ": " PRSTR " instead of " PRSTR, STRARG(label),
			         STRARG(got), STRARG(want));
	}
	assert_true(n > 20);
	fclose(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_read),
		cmocka_unit_test(origins_are_merged),
		cmocka_unit_test(modules_of_managed_code_are_assemblies),
		cmocka_unit_test(namespaces_are_those_of_the_fixture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
