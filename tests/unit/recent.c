/* Frames met lately are found by their whole key, chains by their outermost frames. */
#include "symbol/recent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "reader/perfdata/callchain.h"

#include "given.h"

enum { MOST = 12, FRAMES = 4 };

static struct arena run;
static struct recent recent;
static struct recent_chains chains;
static struct recent_words raw;
static struct raw_chain chain;
static struct frame frames[FRAMES];
static struct event ev = { .frames = frames, .nframes = FRAMES };

static int enter(void **state)
{
	(void)state;
	recent_init(&recent, &run, MOST);
	chains = (struct recent_chains){ .arena = &run };
	raw = (struct recent_words){ .arena = &run };
	for (size_t i = 0; i < FRAMES; i++)
		frames[i] = (struct frame){ .ip = 0x10 * i, .cpumode = MODE_USER };
	return 0;
}

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

static void keys_are_compared_in_full(void **state)
{
	const struct placed *at;

	(void)state;
	recent_keep(&recent, 7, 0x10, (struct placed){ 3, 0x20 });
	at = recent_find(&recent, 7, 0x10);
	assert_non_null(at);
	assert_int_equal(at->id, 3);
	assert_int_equal(at->addr, 0x20);
	/* As if another key had the same place. */
	for (size_t i = 0; i < (size_t)1 << recent.bits; i++)
		recent.frame[i] = (struct recent_frame){ 7, 0x10, { 3, 0x20 } };
	assert_null(recent_find(&recent, 8, 0x10));
	assert_null(recent_find(&recent, 7, 0x11));
}

static void places_are_bounded(void **state)
{
	size_t found = 0;

	(void)state;
	for (uint64_t ip = 1; ip <= 3 << MOST; ip++) {
		recent_keep(&recent, 1, ip, (struct placed){ (frame_id)ip, ip });
		assert_non_null(recent_find(&recent, 1, ip));
	}
	assert_int_equal(recent.bits, MOST);
	for (uint64_t ip = 1; ip <= 3 << MOST; ip++)
		found += recent_find(&recent, 1, ip) != NULL;
	assert_in_range(found, 1 << (MOST - 1), 1 << MOST);
}

/* How many of its outermost frames ev shares with the chain before. */
static size_t count_same(uint64_t state)
{
	struct recent_state s = { state, 1 };
	size_t same;
	struct recent_link *link = recent_chain(&chains, &s, &ev, &same);

	for (size_t i = same; i < ev.nframes; i++) {
		const struct frame *f = &ev.frames[ev.nframes - 1 - i];

		link[i] = (struct recent_link){ .ip = f->ip, .bits = recent_bits(f) };
	}
	return same;
}

static void chains_share_their_outermost_frames(void **state)
{
	(void)state;
	assert_int_equal(count_same(1), 0);
	assert_int_equal(count_same(1), FRAMES);
	frames[1].ip++;
	assert_int_equal(count_same(1), FRAMES - 2);
	frames[FRAMES - 1].caller = true; /* its byte is another one */
	assert_int_equal(count_same(1), 0);
	assert_int_equal(count_same(2), 0); /* something was mapped, or it is another process */
	ev.cpu = 1;
	assert_int_equal(count_same(2), 0);
	ev.cpu = 0;
	assert_int_equal(count_same(2), FRAMES);
}

/* How many words of that chain are new. */
static size_t count_new(uint64_t state, const uint64_t *words, size_t n)
{
	struct recent_state s = { state, 1 };

	chain.words = (struct str){ (const char *)words, n * 8 };
	ev.chain = &chain;
	return recent_new_words(&raw, &s, &ev);
}

#define NEW(state, ...)                                                                  \
	count_new(state, (uint64_t[]){ __VA_ARGS__ }, sizeof((uint64_t[]){ __VA_ARGS__ }) / 8)

static void words_are_new_that_the_last_chain_had_not(void **state)
{
	const uint64_t kernel = (uint64_t)-128, user = (uint64_t)-512;

	(void)state;
	assert_int_equal(NEW(1, user, 1, 2, 3), 4);
	assert_int_equal(NEW(1, user, 1, 2, 3), 0);
	/* 2 was a caller and is none: it is looked at again. */
	assert_int_equal(NEW(1, user, 2, 3), 2);
	assert_int_equal(NEW(1, user, 9, 2, 3), 3);
	assert_int_equal(NEW(1, kernel, 7, user, 9, 2, 3), 3);
	assert_int_equal(NEW(1, kernel, 8, user, 9, 2, 3), 3);
	/* The same addresses in another mode. */
	assert_int_equal(NEW(1, kernel, 9, 2, 3), 4);
	assert_int_equal(NEW(2, kernel, 9, 2, 3), 4);
	ev.cpu = 1;
	assert_int_equal(NEW(2, kernel, 9, 2, 3), 4);
	ev.cpu = 0;
	assert_int_equal(NEW(2, kernel, 9, 2, 3), 0);
	assert_int_equal(NEW(2, 0), 1);
}

/* What is noted by new words alone is what all words of all chains would have noted. */
static void no_frame_of_a_chain_is_missed(void **state)
{
	static const uint64_t markers[] = { (uint64_t)-128, (uint64_t)-512, (uint64_t)-640,
		                            (uint64_t)-2560 };
	static bool noted[8][16][2];
	struct frame room[8];
	uint64_t words[8], seed = 3;

	(void)state;
	ev.cpu = 0;
	for (int round = 0; round < 200000; round++) {
		size_t n = given_random(&seed) % 8, fresh;

		for (size_t i = 0; i < n; i++)
			words[i] = given_random(&seed) % 3 ? given_random(&seed) % 3
			                                   : markers[given_random(&seed) % 4];
		fresh = count_new(1, words, n);
		fresh = callchain_frames(ev.chain, fresh, room);
		for (size_t i = 0; i < fresh; i++)
			noted[room[i].cpumode][room[i].ip][room[i].caller] = true;
		fresh = callchain_frames(ev.chain, n, room);
		for (size_t i = 0; i < fresh; i++)
			assert_true(noted[room[i].cpumode][room[i].ip][room[i].caller]);
		if (round % 16 == 15) {
			memset(noted, 0, sizeof(noted));
			raw = (struct recent_words){ .arena = &run };
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(keys_are_compared_in_full, enter, leave),
		cmocka_unit_test_setup_teardown(places_are_bounded, enter, leave),
		cmocka_unit_test_setup_teardown(chains_share_their_outermost_frames, enter, leave),
		cmocka_unit_test_setup_teardown(words_are_new_that_the_last_chain_had_not, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(no_frame_of_a_chain_is_missed, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
