/* Archives and compressed files as a source. */
#include "archived.h"

#include <errno.h>
#include <sys/wait.h>

static void our_format_is_never_an_archive(void **state)
{
	struct archive *a = begin("a.tar", archive_write_set_format_ustar, NULL);
	struct source *s;

	(void)state;
	put(a, "text", 0, NULL, STR("text in it\n"));
	end(a);
	s = must_open("a.tar");
	assert_int_equal(s->kind, SOURCE_FILE);
	expect_bytes(s, 0, get_file("a.tar"));
	source_close(s);
}

static void other_files_are_no_archive(void **state)
{
	static const struct str files[] = {
		{ "#mtree\nfile size=3\n", 19 },
		{ "PROCESS;1;app\nImageLoad;/a.dll;guid\n", 36 },
		{ "#! /bin/sh\n# This is a shell archive\n", 37 },
		{ "BZhello\n", 8 },
		{ "\x1f\x8b no gzip\n", 11 },
		{ "\0\0\0\0\0\0\0\0\0\0", 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct source *s;

		put_file("f", files[i]);
		s = must_open("f");
		assert_int_equal(s->kind, SOURCE_FILE);
		expect_bytes(s, 0, files[i]);
		source_close(s);
	}
	assert_int_equal(diag.damaged, 0);
}

static void names_are_relative_and_sorted(void **state)
{
	struct archive *a = begin("a.tar", archive_write_set_format_pax_restricted, NULL);
	char longest[301] = { 0 };
	struct source *s;

	(void)state;
	memset(longest, 'n', 300);
	put(a, "./z/./y", 0, NULL, STR("text z\n"));
	put(a, "/abs", 0, NULL, STR("text abs\n"));
	put(a, "../../up", 0, NULL, STR("text up\n"));
	put(a, longest, 0, NULL, STR("text long\n"));
	put(a, "d", AE_IFDIR, NULL, STR(""));
	put(a, "unwanted", 0, NULL, STR("something else\n"));
	end(a);
	s = must_open("a.tar");
	assert_int_equal(s->kind, SOURCE_ARCHIVE);
	assert_int_equal(s->n, 4);
	expect_name(s, 0, "../../up");
	assert_int_equal(s->members[0].depth, 2);
	expect_name(s, 1, "abs");
	assert_int_equal(s->members[1].depth, 0);
	expect_bytes(s, 1, STR("text abs\n"));
	expect_name(s, 2, longest);
	expect_name(s, 3, "z/./y");
	source_close(s);
}

static void links_are_members(void **state)
{
	struct archive *a = begin("a.tar", archive_write_set_format_ustar, NULL);
	struct source *s;

	(void)state;
	put(a, "./b", 0, NULL, STR("text b\n"));
	put(a, "c", 0, "./b", STR(""));
	put(a, "d", 0, "/etc/passwd", STR(""));
	put(a, "a", AE_IFLNK, "b", STR(""));
	put(a, "e", AE_IFCHR, NULL, STR(""));
	end(a);
	s = must_open("a.tar");
	assert_int_equal(s->n, 3);
	expect_name(s, 0, "a");
	expect_bytes(s, 0, STR("text b\n"));
	expect_name(s, 1, "b");
	expect_name(s, 2, "c");
	expect_bytes(s, 2, STR("text b\n"));
	assert_true(s->members[0].linked);
	assert_false(s->members[2].linked);
	source_close(s);
}

/* Through folders that are links themselves, up and down, and before what they lead to. */
static void symbolic_links_are_followed_inside(void **state)
{
	struct archive *a = begin("a.tar", archive_write_set_format_ustar, NULL);
	struct source *s;

	(void)state;
	put(a, "lib", AE_IFLNK, "usr/lib", STR(""));
	put(a, "bin/one", AE_IFLNK, "../lib/./x.so", STR(""));
	put(a, "usr/lib/x.so", AE_IFLNK, "x.so.1", STR(""));
	put(a, "usr/lib/x.so.1", AE_IFLNK, "/usr/lib/x.so.1.2", STR(""));
	put(a, "usr/lib/x.so.1.2", 0, NULL, STR("text x\n"));
	put(a, "loop", AE_IFLNK, "pool", STR(""));
	put(a, "pool", AE_IFLNK, "loop", STR(""));
	put(a, "self", AE_IFLNK, "self/self", STR(""));
	put(a, "out", AE_IFLNK, "../../../../etc/passwd", STR(""));
	put(a, "gone", AE_IFLNK, "nothing", STR(""));
	put(a, "folder", AE_IFLNK, "usr", STR(""));
	end(a);
	s = must_open("a.tar");
	assert_int_equal(s->n, 4);
	expect_name(s, 0, "bin/one");
	expect_name(s, 1, "usr/lib/x.so");
	expect_name(s, 2, "usr/lib/x.so.1");
	expect_name(s, 3, "usr/lib/x.so.1.2");
	for (size_t i = 0; i < 4; i++)
		expect_bytes(s, i, STR("text x\n"));
	source_close(s);
}

static void later_member_of_one_name_counts(void **state)
{
	struct archive *a = begin("a.tar", archive_write_set_format_ustar, NULL);
	struct source *s;

	(void)state;
	put(a, "b", 0, NULL, STR("text one\n"));
	put(a, "./b", 0, NULL, STR("text two\n"));
	end(a);
	s = must_open("a.tar");
	assert_int_equal(s->n, 1);
	expect_bytes(s, 0, STR("text two\n"));
	source_close(s);
}

static void zip_and_7zip_are_archives(void **state)
{
	static int (*const formats[])(struct archive *) = {
		archive_write_set_format_zip,
		archive_write_set_format_7zip,
	};
	struct str big = lines("whole", 700000);

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct archive *a = begin("a", formats[i], NULL);
		struct source *s;

		put(a, "x/big", 0, NULL, big);
		put(a, "small", 0, NULL, STR("text\n"));
		end(a);
		s = must_open("a");
		assert_int_equal(s->kind, SOURCE_ARCHIVE);
		assert_int_equal(s->n, 2);
		expect_name(s, 0, "small");
		expect_bytes(s, 0, STR("text\n"));
		expect_name(s, 1, "x/big");
		expect_bytes(s, 1, big);
		source_close(s);
	}
	assert_int_equal(diag.damaged + diag.warned, 0);
}

/*
 * A zip of one stored member whose name is UTF-8 by its flag, or raw bytes; the
 * two u's are where that differs.
 */
static void zip_names_need_not_be_ascii(void **state)
{
	static const struct {
		char flag;
		const char *name;
	} cases[] = { { 8, "caf\xc3\xa9" },
		      { 0, "caf\xe9"
		           "e" } };
	char zip[] = "PK\3\4\24\0\0\0\0\0\0\0\0\0\x27\xda\xec\x37\5\0\0\0\5\0\0\0\5\0\0\0"
	             "caf..text\n"
	             "PK\1\2\24\0\24\0\0\0\0\0\0\0\0\0\x27\xda\xec\x37\5\0\0\0\5\0\0\0"
	             "\5\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0caf.."
	             "PK\5\6\0\0\0\0\1\0\1\0\x33\0\0\0\x28\0\0\0\0\0";

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct source *s;

		zip[7] = zip[40 + 9] = cases[i].flag;
		memcpy(zip + 30, cases[i].name, 5);
		memcpy(zip + 40 + 46, cases[i].name, 5);
		put_file("a.zip", (struct str){ zip, sizeof(zip) - 1 });
		s = must_open("a.zip");
		assert_int_equal(s->n, 1);
		expect_name(s, 0, cases[i].name);
		assert_true(str_eq(source_map(s, 0), STR("text\n")));
		assert_int_equal(diag.damaged, 0);
		source_close(s);
	}
}

static void compressed_file_is_one_member(void **state)
{
	static const struct {
		const char *file;
		int (*filter)(struct archive *);
	} cases[] = {
		{ "a.txt.gz", archive_write_add_filter_gzip },
		{ "a.txt.bz2", archive_write_add_filter_bzip2 },
		{ "a.txt.xz", archive_write_add_filter_xz },
		{ "a.txt.lzma", archive_write_add_filter_lzma },
		{ "a.txt.zst", archive_write_add_filter_zstd },
		{ "a.txt.lz4", archive_write_add_filter_lz4 },
	};
	struct str bytes = lines("text", 500000);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct archive *a = begin(cases[i].file, archive_write_set_format_raw,
		                          cases[i].filter);
		struct source *s;

		put(a, "x", 0, NULL, bytes);
		end(a);
		s = must_open(cases[i].file);
		assert_int_equal(s->kind, SOURCE_ARCHIVE);
		assert_int_equal(s->n, 1);
		expect_name(s, 0, "a.txt");
		expect_bytes(s, 0, bytes);
		source_close(s);
	}
}

static void compressed_nothing_is_an_empty_member(void **state)
{
	struct source *s;

	(void)state;
	put_file("none.gz", STR("\x1f\x8b\b\0\0\0\0\0\0\3\3\0\0\0\0\0\0\0\0\0"));
	s = must_open("none.gz");
	assert_int_equal(s->n, 1);
	expect_name(s, 0, "none");
	expect_bytes(s, 0, STR(""));
	assert_int_equal(diag.damaged, 0);
	source_close(s);
}

static void cut_archive_keeps_what_was_read(void **state)
{
	struct archive *a = begin("a.tar.gz", archive_write_set_format_ustar,
	                          archive_write_add_filter_gzip);
	struct str first = lines("text", 50000), second = lines("whole", 90000), all;
	bool saw_cut = false, saw_whole = false;

	(void)state;
	put(a, "1", 0, NULL, first);
	put(a, "2", 0, NULL, second);
	end(a);
	all = get_file("a.tar.gz");
	for (size_t n = 30; n < all.n - 600; n += 4999) {
		unsigned long before = diag.damaged;
		struct source *s;

		put_file("cut", str_head(all, n));
		s = must_open("cut");
		assert_true(s->n <= 2);
		assert_int_equal(diag.damaged, before + 1);
		for (size_t i = 0; i < s->n; i++) {
			struct str got = source_map(s, i);

			assert_true(str_starts(i ? second : first, got));
			assert_int_equal(s->members[i].cut,
			                 i + 1 == s->n &&
			                         got.n != (i ? second : first).n);
			saw_cut |= s->members[i].cut;
			saw_whole |= !s->members[i].cut;
		}
		source_close(s);
	}
	assert_true(saw_cut && saw_whole);
}

static void broken_symbol_source_only_warns(void **state)
{
	struct archive *a = begin("a.gz", archive_write_set_format_raw,
	                          archive_write_add_filter_gzip);
	struct source *s;

	(void)state;
	put(a, "x", 0, NULL, lines("text", 300000));
	end(a);
	put_file("cut.gz", str_head(get_file("a.gz"), 80000));
	opts.is_profile = false;
	s = must_open("cut.gz");
	assert_int_equal(diag.damaged, 0);
	assert_int_equal(diag.warned, 1);
	assert_true(s->members[0].cut);
	source_close(s);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(our_format_is_never_an_archive),
		TEST(other_files_are_no_archive),
		TEST(names_are_relative_and_sorted),
		TEST(links_are_members),
		TEST(symbolic_links_are_followed_inside),
		TEST(later_member_of_one_name_counts),
		TEST(zip_and_7zip_are_archives),
		TEST(zip_names_need_not_be_ascii),
		TEST(compressed_file_is_one_member),
		TEST(compressed_nothing_is_an_empty_member),
		TEST(cut_archive_keeps_what_was_read),
		TEST(broken_symbol_source_only_warns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
