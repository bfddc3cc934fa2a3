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
	enum { ROOM = 1 << 18 };
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

/* All that we have of it.  What stood in the room before is not part of it. */
static struct str by_us(struct str packed, bool *whole, char before)
{
	enum { ROOM = 1 << 18 };
	char *room = arena_new(&run, char, ROOM);
	struct gunzip *z;
	struct str got = { 0 };

	memset(room, before, ROOM);
	z = decompress_gzip_open(packed, room, ROOM);
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

/* ISA-L reads up to three symbols at once: before a cut it may leave those. */
enum { PACKED = 3 };

static bool lacks_at_most(struct str ours, struct str zlib, size_t most)
{
	return str_starts(zlib, ours) && zlib.n - ours.n <= most;
}

static bool has_all(struct str ours, struct str zlib, size_t most)
{
	(void)most;
	return str_starts(ours, zlib);
}

static void holds_against_zlib(struct str packed, size_t place, size_t most,
                               bool agrees(struct str, struct str, size_t))
{
	struct arena mark = run;
	bool whole, ours;
	struct str want, got;

	run = (struct arena){ 0 };
	want = by_zlib(packed, &whole);
	got = by_us(packed, &ours, 'a');
	if (whole != ours || !agrees(got, want, most))
		fail_msg("at %zu: %zu bytes, zlib %zu, %d %d", place, got.n, want.n, ours,
		         whole);
	if (!str_eq(got, by_us(packed, &ours, 'b')))
		fail_msg("at %zu: bytes that nobody wrote", place);
	arena_release(&run);
	run = mark;
}

/* Cut or damaged anywhere, nothing is lost that zlib has, and the same is said. */
static void damage_is_seen_as_zlib_sees_it(void **state)
{
	struct str all = gzip(lines(6000));
	char *bytes = arena_new(&run, char, all.n);

	(void)state;
	memcpy(bytes, all.p, all.n);
	for (size_t i = 10; i < all.n; i++) {
		holds_against_zlib(str_head(all, i), i, PACKED, lacks_at_most);
		bytes[i] ^= (char)(1 << i % 8);
		holds_against_zlib((struct str){ bytes, all.n }, i, 0, has_all);
		bytes[i] = all.p[i];
	}
}

struct bits {
	unsigned char *p;
	size_t n;
};

/* Huffman codes begin with their first bit, RFC 1951 section 3.1.1. */
static void put(struct bits *to, unsigned code, unsigned length)
{
	for (; length-- > 0; to->n++)
		to->p[to->n / 8] |= (unsigned char)((code >> length & 1) << to->n % 8);
}

/* One x, n matches of 258 more, and one whose distance is code 30, which is none. */
static struct str wrong_distance(unsigned n)
{
	enum { HEAD = 10, FIXED = 6, LITERAL = 0x30, LONGEST = 0xc5, WRONG = 30 };
	size_t size = HEAD + 4 + n * 2;
	struct bits to = { arena_new(&run, unsigned char, size), HEAD * 8 };

	memset(to.p, 0, size);
	memcpy(to.p, "\x1f\x8b\x08", 3);
	put(&to, FIXED, 3);
	put(&to, LITERAL + 'x', 8);
	for (; n > 0; n--) {
		put(&to, LONGEST, 8);
		put(&to, 0, 5);
	}
	put(&to, LONGEST, 8);
	put(&to, WRONG, 5);
	return (struct str){ (char *)to.p, size };
}

/* In what ISA-L unpacks ahead, behind it, and around the end of a piece of 128 KiB. */
static void wrong_distance_ends_what_counts(void **state)
{
	(void)state;
	for (unsigned n = 1; n < 600; n++)
		holds_against_zlib(wrong_distance(n), n, 0, lacks_at_most);
}

/* Damage in the third member takes no byte of the first two, wherever a piece ends. */
static void members_before_damage_are_whole(void **state)
{
	struct str part = gzip(lines(50000)), got;
	char *three = arena_new(&run, char, 3 * part.n);
	bool whole;

	(void)state;
	for (int i = 0; i < 3; i++)
		memcpy(three + (size_t)i * part.n, part.p, part.n);
	for (size_t at = 10; at < part.n; at += 97) {
		three[2 * part.n + at] ^= 0x20;
		got = by_us((struct str){ three, 3 * part.n }, &whole, 'a');
		assert_false(whole);
		assert_true(got.n >= 100000);
		assert_true(str_starts(got, lines(50000)));
		assert_true(str_starts(str_from(got, 50000), lines(50000)));
		three[2 * part.n + at] ^= 0x20;
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
		TEST(wrong_distance_ends_what_counts),
		TEST(members_before_damage_are_whole),
		TEST(crc_is_that_of_gzip),
		TEST(other_bytes_are_no_gzip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
