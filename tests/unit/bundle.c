/* Single-file programs of every major version, made here. */
#include "image/dotnet/bundle.h"

#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>
#include <zlib.h>

#include <cmocka.h>

#include "given.h"

enum { HOST = 100, ROOM = 8192, LINES = 300 };

static const unsigned char mark[] =
        "\x8b\x12\x02\xb9\x6a\x61\x20\x38\x72\x7b\x93\x02\x14\xd7\xa0\x32"
        "\x13\xf5\xb9\xe6\xef\xae\x33\x18\xee\x3b\x2d\xce\x24\xb3\x6a\xae";

static struct arena run;

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

struct made {
	char p[ROOM];
	size_t n;
};

static void put(struct made *m, const void *p, size_t n)
{
	assert_true(n <= sizeof(m->p) - m->n);
	memcpy(m->p + m->n, p, n);
	m->n += n;
}

static void put_number(struct made *m, uint64_t v, size_t bytes)
{
	v = htole64(v);
	put(m, &v, bytes);
}

static void put_string(struct made *m, const char *z)
{
	put_number(m, strlen(z), 1);
	put(m, z, strlen(z));
}

static void put_entry(struct made *m, uint32_t major, uint64_t off, uint64_t size,
                      uint64_t packed, const char *path)
{
	put_number(m, off, 8);
	put_number(m, size, 8);
	if (major >= 6)
		put_number(m, packed, 8);
	put_number(m, BUNDLE_ASSEMBLY, 1);
	put_string(m, path);
}

static struct str lines(void)
{
	char *p = arena_new(&run, char, LINES);

	for (size_t i = 0; i < LINES; i++)
		p[i] = "assembly\n"[i % 9];
	return (struct str){ p, LINES };
}

static struct str packed(struct str s)
{
	unsigned char *p = arena_new(&run, unsigned char, ROOM);
	z_stream z = { 0 };

	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, -15, 9, 0), Z_OK);
	z.next_in = (Bytef *)(uintptr_t)s.p;
	z.avail_in = (uInt)s.n;
	z.next_out = p;
	z.avail_out = ROOM;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return (struct str){ (char *)p, z.total_out };
}

/* "a.dll" stored, "b/c.dll" compressed where that version can. */
static struct str program(uint32_t major)
{
	struct made *m = arena_new(&run, struct made, 1);
	struct str plain = lines(), small = major >= 6 ? packed(plain) : plain;
	uint64_t at, a, b;

	m->n = HOST;
	put_number(m, 0, 8);
	put(m, mark, 32);
	a = m->n;
	put(m, plain.p, plain.n);
	b = m->n;
	put(m, small.p, small.n);
	at = htole64(m->n);
	memcpy(m->p + HOST, &at, 8);
	put_number(m, major, 4);
	put_number(m, 0, 4);
	put_number(m, 2, 4);
	put_string(m, "Hs1xQ5kVb2Qy");
	for (int i = 0; major >= 2 && i < 5; i++)
		put_number(m, 0, 8);
	put_entry(m, major, a, plain.n, 0, "a.dll");
	put_entry(m, major, b, plain.n, major >= 6 ? small.n : 0, "b/c.dll");
	return (struct str){ m->p, m->n };
}

static void every_version_is_read(void **state)
{
	(void)state;
	for (uint32_t major = 1; major <= 6; major++) {
		struct bundle b;

		assert_true(bundle_read(&b, program(major), &run));
		assert_int_equal(b.major, major);
		assert_int_equal(b.n, 2);
		assert_int_equal(b.entry[0].file_off, HOST + 8 + 32);
		assert_true(str_eq(b.entry[1].path, STR("b/c.dll")));
		assert_int_equal(b.entry[1].packed != 0, major == 6);
		for (size_t i = 0; i < b.n; i++)
			assert_true(str_eq(bundle_bytes(&b, &b.entry[i], &run), lines()));
		assert_ptr_equal(bundle_find(&b, STR("a.dll")), &b.entry[0]);
		assert_null(bundle_find(&b, STR("c.dll")));
	}
}

static void host_without_a_bundle_carries_nothing(void **state)
{
	struct str s = program(6);
	struct bundle b;

	(void)state;
	memset((char *)(uintptr_t)s.p + HOST, 0, 8);
	assert_false(bundle_read(&b, s, &run));
	assert_false(bundle_read(&b, str_head(s, HOST), &run));
	assert_false(bundle_read(&b, STR(""), &run));
}

/* The mark may stand in the program for other reasons, too. */
static void first_mark_that_leads_to_a_manifest_counts(void **state)
{
	struct str s = program(6);
	struct bundle b;

	(void)state;
	memcpy((char *)(uintptr_t)s.p + 10, mark, 32);
	assert_true(bundle_read(&b, s, &run));
	assert_int_equal(b.n, 2);
}

static void newer_versions_are_not_guessed_at(void **state)
{
	struct bundle b;

	(void)state;
	assert_false(bundle_read(&b, program(7), &run));
	assert_false(bundle_read(&b, program(0), &run));
}

/* A thousand entries over the same bytes would unpack to a thousand times as much. */
static void compressed_entries_are_no_more_than_the_file(void **state)
{
	struct str s = program(6);
	struct bundle b;

	(void)state;
	assert_true(bundle_read(&b, s, &run));
	for (size_t i = 0; i < 2; i++) {
		const struct bundle_entry *e = &b.entry[i];
		uint64_t rest = htole64(s.n - e->file_off);

		/* In front of a path: packed size, kind, length of the path. */
		memcpy((char *)(uintptr_t)e->path.p - 10, &rest, sizeof(rest));
	}
	assert_true(bundle_read(&b, s, &run));
	assert_int_equal(b.n, 1);
	assert_int_equal(b.packed, b.entry[0].packed);
	assert_int_equal(bundle_bytes(&b, &b.entry[0], &run).n, 0);
}

static void only_a_program_with_more_behind_it_carries(void **state)
{
	char elf[64] = "\x7f"
	               "ELF\x02\x01";

	(void)state;
	elf[41] = 0x10; /* section headers at 4096, */
	elf[58] = 64;   /* each of 64 bytes, */
	elf[60] = 2;    /* two of them */
	assert_false(bundle_bid((struct str){ elf, 64 }, 4096 + 128));
	assert_true(bundle_bid((struct str){ elf, 64 }, 4096 + 129));
	assert_false(bundle_bid((struct str){ elf, 61 }, 4096 + 129));
	elf[41] = 0;
	assert_false(bundle_bid((struct str){ elf, 64 }, 4096 + 129));
	assert_false(bundle_bid(STR("MZ"), 4096));
}

static void look_at_all(struct str s)
{
	struct arena a = { 0 };
	struct bundle b;

	if (bundle_read(&b, s, &a))
		for (size_t i = 0; i < b.n; i++) {
			struct str got = bundle_bytes(&b, &b.entry[i], &a);

			assert_true(got.n == 0 || got.n == b.entry[i].size);
			assert_true(b.entry[i].path.n <= s.n);
		}
	arena_release(&a);
}

static void every_damaged_byte_is_survived(void **state)
{
	static const char with[] = { 0, 1, 0x7f, (char)0x80, (char)0xff };

	(void)state;
	for (uint32_t major = 1; major <= 6; major += 5) {
		struct str s = program(major);
		char *p = arena_new(&run, char, s.n);

		for (size_t n = 0; n < s.n; n++)
			look_at_all(str_head(s, n));
		memcpy(p, s.p, s.n);
		for (size_t at = HOST; at < s.n; at++) {
			for (size_t i = 0; i < sizeof(with); i++) {
				p[at] = with[i];
				look_at_all((struct str){ p, s.n });
			}
			p[at] = (char)~s.p[at];
			look_at_all((struct str){ p, s.n });
			p[at] = s.p[at];
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(every_version_is_read, leave),
		cmocka_unit_test_teardown(host_without_a_bundle_carries_nothing, leave),
		cmocka_unit_test_teardown(first_mark_that_leads_to_a_manifest_counts,
		                          leave),
		cmocka_unit_test_teardown(newer_versions_are_not_guessed_at, leave),
		cmocka_unit_test_teardown(compressed_entries_are_no_more_than_the_file,
		                          leave),
		cmocka_unit_test_teardown(only_a_program_with_more_behind_it_carries,
		                          leave),
		cmocka_unit_test_teardown(every_damaged_byte_is_survived, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
