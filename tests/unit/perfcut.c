/* perf.data cut off at every byte: every record that is whole comes out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <zstd.h>

#include "perfmade.h"

enum { SAMPLES = 120, DEEP = 54, WHOLE = 60000, ROUND_OF = 10 };

static size_t ends[SAMPLES]; /* where each sample's record ends */

static void put_deep(uint64_t time)
{
	uint64_t ips[DEEP];

	for (uint64_t i = 0; i < DEEP; i++)
		ips[i] = 0x4000 + time * 64 + i;
	put_sample(time, ips, DEEP);
}

static void put_records(void)
{
	put_comm(0, 0, "app");
	for (unsigned i = 0; i < SAMPLES; i++) {
		put_deep(i + 1);
		ends[i] = g.n;
		if (i % ROUND_OF == 0)
			put_round();
	}
}

/* As perf record -z: each compressed record is a piece of one stream. */
static void put_compressed(void)
{
	static char plain[WHOLE], z[WHOLE];
	ZSTD_CStream *stream = ZSTD_createCStream();
	size_t at = 0, from = g.n;

	ZSTD_initCStream(stream, 1);
	while (at < SAMPLES) {
		ZSTD_outBuffer out = { z, sizeof(z), 0 };
		ZSTD_inBuffer in = { plain, 0, 0 };
		size_t first = at;

		while (at < first + ROUND_OF)
			put_deep(++at);
		in.size = g.n - from;
		memcpy(plain, g.bytes + from, in.size);
		g.n = from;
		ZSTD_compressStream2(stream, &out, &in, ZSTD_e_flush);
		assert_true(in.pos == in.size);
		gen_open(&g, 81, 0);
		gen_bytes(&g, z, out.pos);
		gen_close(&g);
		from = g.n;
		while (first < at)
			ends[first++] = from;
	}
	ZSTD_freeCStream(stream);
}

/* Reads the first n bytes of whole; returns how many samples came. */
static unsigned samples_of(struct str whole, size_t n)
{
	unsigned samples = 0;
	int got;

	enter(NULL);
	diag.quiet = true;
	/* A copy that ends where it is cut: what reads on is seen. */
	whole.p = memcpy(malloc(n + 1), whole.p, n);
	over((struct str){ whole.p, n });
	while (reader && (got = reader_next(reader, &ev)) != 0)
		samples += got == 1 && ev.kind == EV_SAMPLE && ev.nframes == DEEP;
	leave(NULL);
	free((void *)(uintptr_t)whole.p);
	return samples;
}

/* At every step-th byte, and around the end of every record. */
static void cut_everywhere(struct str whole, size_t step)
{
	struct str copy = { memcpy(malloc(whole.n), whole.p, whole.n), whole.n };
	unsigned complete = 0;

	for (size_t n = 0; n <= copy.n; n++) {
		while (complete < SAMPLES && ends[complete] <= n)
			complete++;
		if (n % step && (!complete || n - ends[complete - 1] > 1) &&
		    (complete == SAMPLES || ends[complete] - n > 1))
			continue;
		if (samples_of(copy, n) < complete)
			fail_msg("cut at %zu: fewer than %u samples", n, complete);
	}
	assert_int_equal(complete, SAMPLES);
	free((void *)(uintptr_t)copy.p);
}

static void cut_file(void **state)
{
	(void)state;
	begin();
	put_records();
	assert_true(g.n > 55000 && g.n < 65000);
	cut_everywhere(gen_finish(&g), 1);
}

static void cut_pipe(void **state)
{
	(void)state;
	g.pipe = true;
	begin();
	put_records();
	cut_everywhere(gen_finish(&g), 11);
}

static void cut_compressed(void **state)
{
	(void)state;
	begin();
	put_compressed();
	cut_everywhere(gen_finish(&g), 11);
}

/* Killed: the header never learned how long the data are. */
static void cut_without_a_length(void **state)
{
	struct str whole;

	(void)state;
	begin();
	put_records();
	whole = gen_finish(&g);
	gen_number(&g, 48, 0, 8);
	cut_everywhere(whole, 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(cut_file, enter, leave),
		cmocka_unit_test_setup_teardown(cut_pipe, enter, leave),
		cmocka_unit_test_setup_teardown(cut_compressed, enter, leave),
		cmocka_unit_test_setup_teardown(cut_without_a_length, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
