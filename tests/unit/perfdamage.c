/* perf.data that is compressed, cut off or wrong. */
#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <zstd.h>

#include "perfmade.h"

enum { MANY = 80 };

/* Records on their own, to be compressed: times 1 to n. */
static size_t make_records(char *to, size_t room, uint64_t n)
{
	size_t begin, size;

	gen_start(&g, &clock_event, 1);
	begin = g.n;
	for (uint64_t i = 1; i <= n; i++)
		put_time(i);
	size = g.n - begin;
	assert_true(size <= room);
	memcpy(to, g.bytes + begin, size);
	return size;
}

static size_t count_samples(void)
{
	size_t n = 0;
	int got;

	while ((got = reader_next(reader, &ev)) != 0)
		n += got > 0 && ev.kind == EV_SAMPLE;
	return n;
}

/* Compresses from in pieces of step bytes, each flushed into one record. */
static void put_compressed(unsigned type, const char *from, size_t n, size_t step)
{
	ZSTD_CStream *z = ZSTD_createCStream();
	static char out[1 << 16];

	for (size_t at = 0; at < n; at += step) {
		ZSTD_inBuffer in = { from + at, n - at < step ? n - at : step, 0 };
		ZSTD_outBuffer to = { out, sizeof(out), 0 };

		ZSTD_compressStream2(z, &to, &in, ZSTD_e_flush);
		gen_open(&g, type, 0);
		if (type == 83)
			gen_u64(&g, to.pos);
		gen_bytes(&g, out, to.pos);
		if (type == 83)
			gen_zeros(&g, -g.n & 7);
		gen_close(&g);
	}
	ZSTD_freeCStream(z);
}

static void compressed_records_may_be_cut_anywhere(void **state)
{
	static char records[1 << 16];
	size_t n = make_records(records, sizeof(records), MANY);
	const size_t steps[] = { 1, 7, 71, 4096, sizeof(records) };

	for (unsigned i = 0; i < 10; i++) {
		enter(state);
		gen_start(&g, &clock_event, 1);
		put_compressed(i & 1 ? 83 : 81, records, n, steps[i / 2]);
		assert_non_null(over(gen_finish(&g)));
		for (unsigned pass = 0; pass < 2; pass++) {
			for (uint64_t time = 1; time <= MANY; time++)
				next_sample(time);
			assert_int_equal(reader_next(reader, &ev), 0);
			reader_rewind(reader);
		}
		assert_int_equal(diag.damaged, 0);
		leave(state);
	}
	enter(state);
}

/* Bytes that zstd cannot make smaller, as records nobody reads; then one sample. */
static size_t make_noise(char *to, size_t room)
{
	uint64_t x = 88172645463325252u;

	gen_start(&g, &clock_event, 1);
	for (unsigned i = 0; i < 2; i++) {
		gen_open(&g, 63, 0);
		for (unsigned n = 0; n < 4000; n++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			gen_u64(&g, x);
		}
		gen_close(&g);
	}
	put_time(5);
	assert_true(g.n - g.data_at <= room);
	memcpy(to, g.bytes + g.data_at, g.n - g.data_at);
	return g.n - g.data_at;
}

/* A zstd stream of exactly n bytes: a frame to be skipped, then the records. */
static void make_stream(char *to, size_t n)
{
	static char noise[65000], z[65000];
	size_t size =
	        ZSTD_compress(z, sizeof(z), noise, make_noise(noise, sizeof(noise)), 1);
	uint32_t head[2] = { htole32(0x184d2a50), htole32((uint32_t)(n - size - 8)) };

	assert_true(!ZSTD_isError(size) && size + 8 <= n);
	memset(to, 0, n);
	memcpy(to, head, 8);
	memcpy(to + n - size, z, size);
}

/*
 * perf 6.16: the size of the outer record overflows; several pieces lie in it, of
 * PIECE bytes and with a header between them.
 */
static void put_overflown(const char *z, size_t n, size_t piece)
{
	size_t first = n < piece ? n : piece, at;

	gen_open(&g, 83, 0);
	at = g.n;
	gen_u64(&g, 0);
	gen_bytes(&g, z, first);
	for (size_t i = first; i < n; i += piece) {
		size_t m = n - i < piece ? n - i : piece;

		gen_u32(&g, 83);
		gen_add(&g, 0, 2);
		gen_add(&g, m + 16, 2);
		gen_u64(&g, 0);
		gen_bytes(&g, z + i, m);
	}
	gen_number(&g, at, g.n - at - 8, 8);
	gen_zeros(&g, -g.n & 7);
	gen_close(&g);
}

static void size_of_compressed2_may_have_overflown(void **state)
{
	static char z[150000];
	const struct {
		size_t n, piece;
	} table[] = {
		{ 65500, 65519 }, /* fits */
		{ 65515, 65519 }, /* 65536 with its header: written as 0 */
		{ 65519, 65519 },  { 90000, 150000 }, /* one piece, size modulo 65536 */
		{ 90000, 65519 },                     /* two pieces */
		{ 150000, 65519 },                    /* three */
	};

	for (unsigned i = 0; i < sizeof(table) / sizeof(*table); i++) {
		enter(state);
		make_stream(z, table[i].n);
		gen_start(&g, &clock_event, 1);
		put_overflown(z, table[i].n, table[i].piece);
		put_time(9);
		assert_non_null(over(gen_finish(&g)));
		next_sample(5);
		next_sample(9);
		assert_int_equal(reader_next(reader, &ev), 0);
		assert_int_equal(diag.damaged, 0);
		leave(state);
	}
	enter(state);
}

static void damaged_compression_ends_only_itself(void **state)
{
	static char records[1 << 16];
	size_t n = make_records(records, sizeof(records), MANY);

	(void)state;
	gen_start(&g, &clock_event, 1);
	put_time(1000);
	put_compressed(81, records, n, sizeof(records));
	memset(g.bytes + g.n - 40, 0x55, 40);
	put_compressed(81, records + n, 0, 1);
	gen_open(&g, 81, 0);
	gen_bytes(&g, "lost", 4);
	gen_close(&g);
	put_time(1001);
	assert_non_null(over(gen_finish(&g)));
	assert_true(count_samples() >= 2);
	assert_int_equal(diag.damaged, 1);
}

static void bomb_is_given_up(void **state)
{
	static char zeros[1 << 17];
	ZSTD_CStream *z = ZSTD_createCStream();
	static char out[1 << 15];
	ZSTD_outBuffer to = { out, sizeof(out), 0 };

	(void)state;
	for (unsigned i = 0; i < 4000; i++) {
		ZSTD_inBuffer in = { zeros, sizeof(zeros), 0 };

		ZSTD_compressStream2(z, &to, &in, ZSTD_e_continue);
	}
	ZSTD_compressStream2(z, &to, &(ZSTD_inBuffer){ 0 }, ZSTD_e_flush);
	ZSTD_freeCStream(z);
	gen_start(&g, &clock_event, 1);
	gen_open(&g, 81, 0);
	gen_bytes(&g, out, to.pos);
	gen_close(&g);
	put_time(3);
	assert_non_null(over(gen_finish(&g)));
	assert_int_equal(count_samples(), 1);
	assert_int_equal(diag.damaged, 2); /* its size, and what it holds is no record */
}

/* Three records with ids of their own, then the features. */
static struct str make_file(bool pipe, size_t *end)
{
	memset(&g, 0, sizeof(g));
	g.pipe = pipe;
	gen_start(&g, &clock_event, 1);
	for (uint64_t i = 1; i <= 20; i++)
		put_time(i);
	*end = g.n;
	return gen_finish(&g);
}

static void every_complete_record_before_a_cut_is_read(void **state)
{
	for (unsigned pipe = 0; pipe < 2; pipe++) {
		size_t end, data, n = make_file(pipe, &end).n;
		const size_t one = 56;
		char *exact;

		data = end - 20 * one;
		for (size_t cut = data; cut < n; cut++) {
			size_t want = cut > end ? 20 : (cut - data) / one;

			enter(state);
			make_file(pipe, &end);
			exact = malloc(cut); /* ASan sees the end */
			memcpy(exact, g.bytes, cut);
			assert_non_null(over((struct str){ exact, cut }));
			assert_int_equal(count_samples(), want);
			assert_int_equal(diag.damaged,
			                 pipe && (cut - data) % one == 0 ? 0 : 1);
			reader_rewind(reader);
			assert_int_equal(count_samples(), want);
			assert_true(diag.damaged <= 1);
			leave(state);
			free(exact);
		}
	}
	enter(state);
}

/* n bytes in one record of several blocks, a block for each step of them. */
static void put_blocks(const char *from, size_t n, size_t step)
{
	ZSTD_CStream *z = ZSTD_createCStream();
	static char out[1 << 16];
	ZSTD_outBuffer to = { out, sizeof(out), 0 };

	for (size_t at = 0; at < n; at += step) {
		ZSTD_inBuffer in = { from + at, n - at < step ? n - at : step, 0 };

		ZSTD_compressStream2(z, &to, &in, ZSTD_e_flush);
	}
	ZSTD_freeCStream(z);
	gen_open(&g, 81, 0);
	gen_bytes(&g, out, to.pos);
	gen_close(&g);
}

static void cut_compressed_record_is_read_as_far_as_it_goes(void **state)
{
	static char records[1 << 16];
	size_t n = make_records(records, sizeof(records), MANY), before = MANY - 10,
	       whole;

	gen_start(&g, &clock_event, 1);
	put_blocks(records, n, 560); /* of ten samples */
	whole = g.n;
	gen_finish(&g);
	for (size_t end = whole - 1; end > g.data_at + 8; end--) {
		size_t got;

		assert_non_null(over((struct str){ g.bytes, end }));
		got = count_samples();
		assert_true(end != whole - 1 || got == MANY - 10);
		assert_true(got <= before && got + 10 >= before && got % 10 == 0);
		assert_int_equal(diag.damaged, 1);
		diag.damaged = 0;
		before = got;
		leave(state);
		reader = NULL;
	}
	assert_int_equal(before, 0);
}

static void data_without_a_length_are_read_whole(void **state)
{
	for (unsigned cut = 0; cut < 2; cut++) {
		size_t end;
		struct str bytes;

		enter(state);
		bytes = make_file(false, &end);
		gen_number(&g, 48, 0, 8);
		if (cut)
			bytes.n = end;
		assert_non_null(over(bytes));
		assert_int_equal(count_samples(), 20);
		assert_true(str_eq(ev.attr->name,
		                   cut ? STR("cpu-clock:HG") : STR("cpu-clock")));
		assert_int_equal(diag.damaged, 1);
		leave(state);
	}
	enter(state);
}

static void records_go_on_behind_what_is_none(void **state)
{
	(void)state;
	gen_start(&g, &clock_event, 1);
	put_time(2);
	put_time(1);
	gen_zeros(&g, 64);
	put_time(3);
	assert_non_null(over(gen_finish(&g)));
	assert_int_equal(reader_next(reader, &ev), -1);
	next_sample(1);
	next_sample(2);
	next_sample(3);
	assert_int_equal(reader_next(reader, &ev), 0);
	assert_int_equal(diag.damaged, 1);
}

static void no_record_ends_the_data(void **state)
{
	(void)state;
	gen_start(&g, &clock_event, 1);
	put_time(2);
	put_time(1);
	gen_zeros(&g, 64);
	assert_non_null(over(gen_finish(&g)));
	assert_int_equal(reader_next(reader, &ev), -1);
	next_sample(1);
	next_sample(2);
	assert_int_equal(reader_next(reader, &ev), 0);
	assert_int_equal(diag.damaged, 1);
}

static void record_that_contradicts_itself_is_passed_over(void **state)
{
	(void)state;
	gen_start(&g, &clock_event, 1);
	put_time(1);
	gen_open(&g, 9, 2); /* more addresses than bytes */
	gen_zeros(&g, 16);
	gen_u64(&g, 2);
	gen_u64(&g, 1);
	gen_u64(&g, UINT64_MAX / 4);
	gen_close(&g);
	gen_open(&g, 10, 2); /* no room for what an MMAP2 holds */
	gen_zeros(&g, 32);
	gen_close(&g);
	gen_open(&g, 77, 0); /* of perf's own, not known: no damage */
	gen_close(&g);
	put_time(4);
	assert_non_null(over(gen_finish(&g)));
	assert_int_equal(reader_next(reader, &ev), -1);
	next_sample(1);
	assert_int_equal(reader_next(reader, &ev), -1);
	next_sample(4);
	assert_int_equal(diag.damaged, 2);
}

static void feature_sections_outside_are_damage(void **state)
{
	size_t end;
	struct str bytes = make_file(false, &end);

	(void)state;
	gen_number(&g, end, bytes.n + 1, 8);
	assert_non_null(over(bytes));
	assert_int_equal(diag.damaged, 1);
	assert_int_equal(count_samples(), 20);
}

static void nothing_to_read_by_is_unusable(void **state)
{
	size_t end;
	struct str bytes = make_file(false, &end);

	(void)state;
	gen_number(&g, 32, 0, 8); /* no attr */
	assert_null(over(bytes));
	assert_null(over((struct str){ g.bytes, 60 }));
	gen_number(&g, 8, 17, 8);
	assert_null(over(bytes));
	assert_null(over(STR("PERFFILE\x68\0\0\0\0\0\0\0")));
	assert_null(over(STR("PERFILE2\x10\0\0\0\0\0\0\0")));
}

/* Whatever one byte becomes, reading ends, and damage is all that can happen. */
static void any_byte_may_be_wrong(void **state)
{
	static const unsigned char values[] = { 0x00, 0x01, 0x7f, 0xff };

	for (unsigned pipe = 0; pipe < 2; pipe++) {
		size_t end, n = make_file(pipe, &end).n;

		for (size_t i = 8; i < n; i++) {
			enter(state);
			make_file(pipe, &end);
			g.bytes[i] = (char)values[i % 4];
			if (over((struct str){ g.bytes, n }))
				assert_true(count_samples() <= 20);
			leave(state);
		}
	}
	enter(state);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(compressed_records_may_be_cut_anywhere),
		TEST(size_of_compressed2_may_have_overflown),
		TEST(damaged_compression_ends_only_itself),
		TEST(bomb_is_given_up),
		TEST(every_complete_record_before_a_cut_is_read),
		TEST(cut_compressed_record_is_read_as_far_as_it_goes),
		TEST(data_without_a_length_are_read_whole),
		TEST(records_go_on_behind_what_is_none),
		TEST(no_record_ends_the_data),
		TEST(record_that_contradicts_itself_is_passed_over),
		TEST(feature_sections_outside_are_damage),
		TEST(nothing_to_read_by_is_unusable),
		TEST(any_byte_may_be_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
