/* What libarchive's own gzip filter would lose or not see. */
#include "source/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "source/decompress.h"

static char file[64];
static struct arena run;
static struct diag diag;
static struct source_opts opts;

static enum source_look look(struct str name, struct str head)
{
	(void)name;
	return str_starts(head, STR("text")) ? LOOK_STREAM : LOOK_NOTHING;
}

static int enter(void **state)
{
	(void)state;
	diag = (struct diag){ .prog = "gunzip", .limit = 0 };
	opts = (struct source_opts){
		.look = look, .is_profile = true, .run = &run, .diag = &diag
	};
	return 0;
}

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

static struct str lines(size_t n)
{
	char *p = arena_new(&run, char, n + 32);
	size_t at = (size_t)sprintf(p, "text\n");

	for (unsigned i = 0; at < n; i++)
		at += (size_t)sprintf(p + at, "%u\n", i * 2654435761u);
	return (struct str){ p, n };
}

static struct str gzip(struct str bytes)
{
	size_t cap = bytes.n + 1000;
	char *p = arena_new(&run, char, cap);
	z_stream z = { 0 };

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, 0), Z_OK);
	z.next_in = (Bytef *)(uintptr_t)bytes.p;
	z.avail_in = (uInt)bytes.n;
	z.next_out = (Bytef *)p;
	z.avail_out = (uInt)cap;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	cap -= z.avail_out;
	deflateEnd(&z);
	return (struct str){ p, cap };
}

static struct source *open_bytes(struct str bytes)
{
	struct source *s;
	int fd;

	strcpy(file, "/tmp/gunzip-XXXXXX");
	fd = mkstemp(file);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes.p, bytes.n), bytes.n);
	close(fd);
	s = source_open(file, &opts);
	unlink(file);
	assert_non_null(s);
	return s;
}

static void last_byte_before_the_cut_counts(void **state)
{
	struct str bytes = lines(20000), all = gzip(bytes), got;
	struct source *s = open_bytes(str_head(all, all.n - 5));

	(void)state;
	assert_int_equal(diag.damaged, 1);
	assert_int_equal(s->n, 1);
	assert_true(s->members[0].cut);
	assert_true(str_eq(source_map(s, 0), bytes));
	source_close(s);

	s = open_bytes(str_head(all, all.n / 2));
	assert_int_equal(diag.damaged, 2);
	got = source_map(s, 0);
	assert_true(got.n > bytes.n / 3 && str_starts(bytes, got));
	source_close(s);
}

static void checksum_counts(void **state)
{
	struct str bytes = lines(20000), all = gzip(bytes);
	char *crc = (char *)(uintptr_t)all.p + all.n - 8;
	struct source *s = open_bytes(all);

	(void)state;
	assert_true(str_eq(source_map(s, 0), bytes));
	assert_int_equal(diag.damaged, 0);
	source_close(s);

	crc[0] ^= 1;
	s = open_bytes(all);
	assert_true(str_eq(source_map(s, 0), bytes));
	assert_int_equal(diag.damaged, 1);
	source_close(s);
}

static void files_may_follow_each_other(void **state)
{
	struct str part = gzip(lines(1000)), got;
	char *two = arena_new(&run, char, 2 * part.n + 3);
	struct gunzip *z;

	(void)state;
	memcpy(two, part.p, part.n);
	memcpy(two + part.n, part.p, part.n);
	memcpy(two + 2 * part.n, "pad", 3);
	z = decompress_gzip_open((struct str){ two, 2 * part.n + 3 }, NULL, 0);
	assert_non_null(z);
	got = decompress_gzip_next(z);
	assert_int_equal(got.n, 2000);
	assert_true(str_starts(str_from(got, 1000), lines(1000)));
	assert_int_equal(decompress_gzip_next(z).n, 0);
	assert_null(decompress_gzip_error(z));
	decompress_gzip_close(z);
}

/* All that zlib has of it, and whether it came to the end. */
static struct str by_zlib(struct str packed, bool *whole)
{
	enum { ROOM = 1 << 16 };
	char *p = arena_new(&run, char, ROOM);
	z_stream z = { .next_in = (Bytef *)(uintptr_t)packed.p,
		       .avail_in = (uInt)packed.n,
		       .next_out = (Bytef *)p,
		       .avail_out = ROOM };

	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	*whole = inflate(&z, Z_FINISH) == Z_STREAM_END;
	inflateEnd(&z);
	return (struct str){ p, ROOM - z.avail_out };
}

static struct str by_us(struct str packed, bool *whole)
{
	struct gunzip *z = decompress_gzip_open(packed, NULL, 0);
	struct str got = { 0 };

	assert_non_null(z);
	*whole = false;
	for (struct str piece; (piece = decompress_gzip_next(z)).n;) {
		char *p = arena_new(&run, char, got.n + piece.n);

		if (got.n)
			memcpy(p, got.p, got.n);
		memcpy(p + got.n, piece.p, piece.n);
		got = (struct str){ p, got.n + piece.n };
	}
	*whole = !decompress_gzip_error(z);
	decompress_gzip_close(z);
	return got;
}

/*
 * Cut or damaged anywhere, nothing is lost that zlib has, and the same is said.  ISA-L
 * reads up to three symbols at once: before a cut it may leave those.
 */
enum { PACKED = 3 };

static void damage_is_seen_as_zlib_sees_it(void **state)
{
	struct str all = gzip(lines(6000));
	char *bytes = arena_new(&run, char, all.n);
	bool whole, ours;

	(void)state;
	for (size_t i = 10; i < all.n; i++) {
		struct arena mark = run;
		struct str want, got;

		run = (struct arena){ 0 };
		want = by_zlib(str_head(all, i), &whole);
		got = by_us(str_head(all, i), &ours);
		if (!str_starts(want, got) || want.n - got.n > PACKED || whole != ours)
			fail_msg("cut at %zu: %zu bytes, zlib %zu", i, got.n, want.n);
		memcpy(bytes, all.p, all.n);
		bytes[i] ^= (char)(1 << i % 8);
		want = by_zlib((struct str){ bytes, all.n }, &whole);
		got = by_us((struct str){ bytes, all.n }, &ours);
		if (whole != ours || !str_starts(got, want))
			fail_msg("damaged at %zu: %zu bytes, zlib %zu, %d %d", i, got.n,
			         want.n, ours, whole);
		arena_release(&run);
		run = mark;
	}
}

/* "123456789" is what CRCs are told apart by. */
static void crc_is_that_of_gzip(void **state)
{
	(void)state;
	assert_int_equal(decompress_crc32(STR("123456789")), 0xcbf43926);
	assert_int_equal(decompress_crc32(STR("")), 0);
}

static void other_bytes_are_no_gzip(void **state)
{
	(void)state;
	assert_null(decompress_gzip_open(STR("\x1f\x8b\x07 and so on"), NULL, 0));
	assert_null(decompress_gzip_open(STR(""), NULL, 0));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(last_byte_before_the_cut_counts),
		TEST(checksum_counts),
		TEST(files_may_follow_each_other),
		TEST(damage_is_seen_as_zlib_sees_it),
		TEST(crc_is_that_of_gzip),
		TEST(other_bytes_are_no_gzip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
