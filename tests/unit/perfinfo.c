/* Where CoreCLR says it loaded its images. */
#include "image/dotnet/perfinfo.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"

#define GUID "{1f33821d-7269-4e7c-9624-2a2dd196d398}"

static struct arena run;
static struct perfinfo pi;

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

static void load_is(const char *text, const char *path, uint64_t base)
{
	perfinfo_read(&pi, str_of(text), &run);
	assert_int_equal(pi.n, 1);
	assert_true(str_eq(pi.load[0].path, str_of(path)));
	assert_int_equal(pi.load[0].base, base);
	assert_int_equal(pi.load[0].mvid[0], 0x1d);
	assert_int_equal(pi.load[0].mvid[15], 0x98);
}

static void base_may_be_missing_or_nil(void **state)
{
	(void)state;
	load_is("ImageLoad;/a/b.dll;" GUID ";00007F3802320000;\n", "/a/b.dll",
	        0x7f3802320000);
	load_is("ImageLoad;/a/b.dll;" GUID ";0x7f3802320000;\r\n", "/a/b.dll",
	        0x7f3802320000);
	load_is("ImageLoad;/a/b.dll;" GUID ";(nil);\n", "/a/b.dll", 0);
	load_is("ImageLoad;/a/b.dll;" GUID ";\n", "/a/b.dll", 0);
	load_is("ImageLoad;/a/b.dll;" GUID, "/a/b.dll", 0);
}

static void path_may_be_odd(void **state)
{
	(void)state;
	load_is("ImageLoad;/a;b c/{x}.dll;" GUID ";1000;\n", "/a;b c/{x}.dll", 0x1000);
	load_is("ImageLoad;" GUID ";" GUID ";1000;\n", GUID, 0x1000);
}

static void native_images_are_loads(void **state)
{
	(void)state;
	load_is("NILoad;/a/b.ni.dll;" GUID ";\n", "/a/b.ni.dll", 0);
	assert_true(perfinfo_bid(STR("NILoad;/a/b.ni.dll;")));
	assert_false(perfinfo_bid(STR("NILoader;/a/b.ni.dll;")));
}

static void pid_is_in_the_name(void **state)
{
	(void)state;
	assert_int_equal(perfinfo_pid(STR("a/perfinfo-7679.map")), 7679);
	assert_int_equal(perfinfo_pid(STR("perfinfo-.map")), -1);
	assert_int_equal(perfinfo_pid(STR("perfinfo-1.map.gz")), -1);
	assert_int_equal(perfinfo_pid(STR("perf-1.map")), -1);
	assert_int_equal(perfinfo_pid(STR("perfinfo-99999999999.map")), -1);
}

static void lines_that_are_no_load_are_passed_over(void **state)
{
	(void)state;
	perfinfo_read(&pi,
	              STR("PerfMapType;1\nImageLoad;\nImageLoad;;" GUID ";1;\n"
	                  "ImageLoad;/a;{1f33};1;\nImageLoad;/b;" GUID ";2;\nImageLo"),
	              &run);
	assert_int_equal(pi.n, 1);
	assert_int_equal(pi.load[0].base, 2);
}

static void real_file_is_read_whole(void **state)
{
	struct str bytes = file_bytes(&run, "fixtures/crossgen1/perfinfo-4711.map");
	size_t lines = 0;

	(void)state;
	assert_true(perfinfo_bid(bytes));
	perfinfo_read(&pi, bytes, &run);
	for (size_t i = 0; i < bytes.n; i++)
		lines += bytes.p[i] == '\n';
	assert_true(lines > 1);
	assert_int_equal(pi.n, lines);
}

/* Whatever a byte becomes, paths lie in the text and are not empty. */
static void every_flipped_byte_is_survived(void **state)
{
	struct str s = file_bytes(&run, "fixtures/crossgen1/perfinfo-4711.map");
	char *p = arena_new(&run, char, s.n);

	(void)state;
	memcpy(p, s.p, s.n);
	for (size_t at = 0; at < 2 * s.n; at++) {
		struct str bytes = { p, at < s.n ? s.n : at - s.n };

		if (at < s.n)
			p[at] = (char)~s.p[at];
		perfinfo_read(&pi, bytes, &run);
		for (size_t i = 0; i < pi.n; i++)
			assert_true(pi.load[i].path.n && pi.load[i].path.p > p &&
			            pi.load[i].path.p + pi.load[i].path.n < p + bytes.n);
		if (at < s.n)
			p[at] = s.p[at];
	}
}

#define test(name) cmocka_unit_test_teardown(name, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(base_may_be_missing_or_nil),
		test(path_may_be_odd),
		test(native_images_are_loads),
		test(pid_is_in_the_name),
		test(lines_that_are_no_load_are_passed_over),
		test(real_file_is_read_whole),
		test(every_flipped_byte_is_survived),
	};

	return cmocka_run_group_tests_name("perfinfo", tests, NULL, NULL);
}
