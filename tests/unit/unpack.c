/* Where the bytes of members go: to memory, to a file, or nowhere. */
#include "archived.h"

enum { MIB = 1 << 20, PAGE = 4096 };

static void member_over_the_bound_is_absent(void **state)
{
	(void)state;
	for (int packed = 0; packed < 2; packed++) {
		struct archive *a = begin("a.tar", archive_write_set_format_ustar,
		                          packed ? archive_write_add_filter_gzip : NULL);
		struct source *s;

		put(a, "fits", 0, NULL, lines("text", 30000));
		put(a, "large", 0, NULL, lines("text", 25000));
		put(a, "small", 0, NULL, STR("text\n"));
		end(a);
		opts.max_spool = 50000;
		s = must_open("a.tar");
		assert_int_equal(s->n, 3);
		expect_bytes(s, 0, lines("text", 30000));
		assert_true(s->members[1].absent);
		assert_null(source_map(s, 1).p);
		assert_null(stream_open(s, 1));
		assert_int_equal(diag.warned, packed + 1);
		assert_false(s->members[2].absent);
		expect_bytes(s, 2, STR("text\n"));
		source_close(s);
	}
}

/* Quick to pack, and each page of it another. */
static struct str pages(size_t n)
{
	char *p = arena_new(&run, char, n + 1);

	for (size_t at = 0; at < n; at += PAGE)
		memset(p + at, (int)(at / PAGE % 251), n - at < PAGE ? n - at : PAGE);
	memcpy(p, "text", 4);
	return (struct str){ p, n };
}

/* Packed members stay where they were unpacked to, as long as there is room. */
static void gzip_outgrows_the_memory(void **state)
{
	static const size_t sizes[] = { 20 * MIB, 700, 20 * MIB, 4 };
	enum { MEMBERS = sizeof(sizes) / sizeof(*sizes) };
	struct archive *a = begin("a.tgz", archive_write_set_format_ustar,
	                          archive_write_add_filter_gzip);
	char name[] = "0";
	struct source *s;

	(void)state;
	for (size_t i = 0; i < MEMBERS; i++, name[0]++)
		put(a, name, 0, NULL, pages(sizes[i]));
	end(a);
	s = must_open("a.tgz");
	assert_int_equal(s->n, MEMBERS);
	for (size_t i = 0; i < MEMBERS; i++) {
		assert_int_equal(s->members[i].placed, i < 2);
		expect_bytes(s, i, pages(sizes[i]));
	}
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
	struct archive *a = begin(
	        path, archive_write_set_format_pax,
	        str_ends(str_of(path), STR("gz")) ? archive_write_add_filter_gzip : NULL);
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
	for (int packed = 0; packed < 2; packed++) {
		put_sparse(packed ? "a.tgz" : "a.tar", 100000);
		s = must_open(packed ? "a.tgz" : "a.tar");
		assert_int_equal(s->n, 1);
		expect_bytes(s, 0, (struct str){ want, 100000 });
		source_close(s);
	}
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
		TEST(member_over_the_bound_is_absent),
		TEST(compressed_file_over_the_bound_is_absent),
		TEST(gzip_outgrows_the_memory),
		TEST(hole_reads_as_zeros),
		TEST(endless_hole_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
