/* Archives and compressed files as a source. */
#include "source/source.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Where each test lives; files are named in it without a directory. */
static char place[64];
static struct arena run;
static struct diag diag;
static struct source_opts opts;

/* Ours are files that begin with "text", streamed, or "whole". */
static enum source_look look(struct str name, struct str head)
{
	(void)name;
	if (str_starts(head, STR("text")))
		return LOOK_STREAM;
	return str_starts(head, STR("whole")) ? LOOK_WHOLE : LOOK_NOTHING;
}

static int enter(void **state)
{
	(void)state;
	strcpy(place, "/tmp/archive-XXXXXX");
	diag = (struct diag){ .prog = "archive", .limit = 0 };
	opts = (struct source_opts){
		.look = look, .is_profile = true, .run = &run, .diag = &diag
	};
	return mkdtemp(place) && chdir(place) == 0 ? 0 : -1;
}

static int unlink_one(const char *path, const struct stat *sb, int flag, struct FTW *at)
{
	(void)sb, (void)flag, (void)at;
	return remove(path);
}

static int leave(void **state)
{
	(void)state;
	unsetenv("TMPDIR");
	arena_release(&run);
	return chdir("/") || nftw(place, unlink_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void put_file(const char *path, struct str bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes.p ? bytes.p : "", bytes.n), bytes.n);
	close(fd);
}

static struct str get_file(const char *path)
{
	struct stat sb;
	int fd = open(path, O_RDONLY);
	char *p;

	assert_true(fd >= 0 && fstat(fd, &sb) == 0);
	p = arena_new(&run, char, (size_t)sb.st_size + 1);
	assert_int_equal(read(fd, p, (size_t)sb.st_size), sb.st_size);
	close(fd);
	return (struct str){ p, (size_t)sb.st_size };
}

/* n bytes of lines that all differ, so that no piece can stand for another. */
static struct str lines(const char *first, size_t n)
{
	char *p = arena_new(&run, char, n + 32);
	size_t at = (size_t)sprintf(p, "%s\n", first);

	for (unsigned i = 0; at < n; i++)
		at += (size_t)sprintf(p + at, "%u\n", i * 2654435761u);
	return (struct str){ p, n };
}

static struct archive *begin(const char *path, int (*format)(struct archive *),
                             int (*filter)(struct archive *))
{
	struct archive *a = archive_write_new();

	assert_int_equal(format(a), ARCHIVE_OK);
	if (filter)
		assert_int_equal(filter(a), ARCHIVE_OK);
	archive_write_set_bytes_in_last_block(a, 1);
	assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
	return a;
}

static void put(struct archive *a, const char *name, unsigned type, const char *link,
                struct str bytes)
{
	struct archive_entry *e = archive_entry_new();

	archive_entry_set_pathname(e, name);
	archive_entry_set_filetype(e, type ? type : AE_IFREG);
	archive_entry_set_perm(e, 0644);
	archive_entry_set_size(e, (la_int64_t)bytes.n);
	if (link && type == AE_IFLNK)
		archive_entry_set_symlink(e, link);
	else if (link)
		archive_entry_set_hardlink(e, link);
	assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
	if (bytes.n)
		assert_int_equal(archive_write_data(a, bytes.p, bytes.n), bytes.n);
	archive_entry_free(e);
}

static void end(struct archive *a)
{
	assert_int_equal(archive_write_close(a), ARCHIVE_OK);
	archive_write_free(a);
}

static struct source *must_open(const char *path)
{
	struct source *s = source_open(path, &opts);

	assert_non_null(s);
	return s;
}

static void expect_name(struct source *s, size_t i, const char *name)
{
	assert_true(i < s->n);
	assert_string_equal(arena_str(&run, s->members[i].name).p, name);
}

/* Head, map and stream of a member agree, and are these bytes. */
static void expect_bytes(struct source *s, size_t i, struct str want)
{
	struct str map = source_map(s, i), got;
	struct stream *st = stream_open(s, i);

	assert_non_null(map.p);
	assert_true(str_eq(map, want));
	assert_true(str_eq(source_head(s, i), str_head(want, SOURCE_HEAD)));
	assert_int_equal(s->members[i].size, want.n);
	assert_non_null(st);
	while ((got = stream_ahead(st, 1)).n) {
		assert_true(str_starts(want, got));
		want = str_from(want, got.n);
		stream_consume(st, got.n);
	}
	assert_int_equal(want.n, 0);
	assert_int_equal(stream_error(st), 0);
	stream_close(st);
}

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

static void member_over_the_bound_is_absent(void **state)
{
	struct archive *a = begin("a.tar", archive_write_set_format_ustar, NULL);
	struct source *s;

	(void)state;
	put(a, "large", 0, NULL, lines("text", 100000));
	put(a, "small", 0, NULL, STR("text\n"));
	end(a);
	opts.max_spool = 50000;
	s = must_open("a.tar");
	assert_int_equal(s->n, 2);
	assert_true(s->members[0].absent);
	assert_null(source_map(s, 0).p);
	assert_null(stream_open(s, 0));
	assert_int_equal(diag.warned, 1);
	assert_false(s->members[1].absent);
	expect_bytes(s, 1, STR("text\n"));
	source_close(s);
}

static void compressed_file_over_the_bound_is_absent(void **state)
{
	struct archive *a = begin("a.gz", archive_write_set_format_raw,
	                          archive_write_add_filter_gzip);
	struct source *s;

	(void)state;
	put(a, "x", 0, NULL, lines("text", 400000));
	end(a);
	opts.max_spool = 300000;
	s = must_open("a.gz");
	assert_int_equal(s->n, 1);
	assert_true(s->members[0].absent);
	source_close(s);
}

/* One member of `size` bytes, "text" at its front, the rest a hole. */
static void put_sparse(const char *path, la_int64_t size)
{
	struct archive *a = begin(path, archive_write_set_format_pax, NULL);
	struct archive_entry *e = archive_entry_new();

	archive_entry_set_pathname(e, "b");
	archive_entry_set_filetype(e, AE_IFREG);
	archive_entry_set_size(e, size);
	archive_entry_sparse_add_entry(e, 0, 512);
	assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
	assert_int_equal(archive_write_data(a, lines("text", 512).p, 512), 512);
	archive_entry_free(e);
	archive_write_close(a);
	archive_write_free(a);
}

static void hole_reads_as_zeros(void **state)
{
	char *want = arena_new(&run, char, 100000);
	struct source *s;

	(void)state;
	memcpy(want, lines("text", 512).p, 512);
	put_sparse("a.tar", 100000);
	s = must_open("a.tar");
	assert_int_equal(s->n, 1);
	expect_bytes(s, 0, (struct str){ want, 100000 });
	source_close(s);
}

static void endless_hole_is_left_out(void **state)
{
	struct source *s;

	(void)state;
	put_sparse("a.tar", (la_int64_t)1 << 40);
	s = must_open("a.tar");
	assert_int_equal(s->n, 1);
	assert_true(s->members[0].absent);
	assert_int_equal(diag.warned, 1);
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
		TEST(member_over_the_bound_is_absent),
		TEST(compressed_file_over_the_bound_is_absent),
		TEST(hole_reads_as_zeros),
		TEST(endless_hole_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
