/* Frames met lately are found by their whole key, chains by their outermost frames. */
#include "symbol/recent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ranges.h"

enum { MOST = 12, FRAMES = 4 };

static struct arena run;
static struct recent recent;
static struct recent_chains chains;
static struct frame frames[FRAMES];
static struct event ev = { .frames = frames, .nframes = FRAMES };

static int enter(void **state)
{
	(void)state;
	recent_init(&recent, &run, sizeof(struct recent_frame), MOST);
	chains = (struct recent_chains){ .arena = &run };
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
	struct recent_frame *frame = (struct recent_frame *)(void *)recent.slot;
	const struct placed *at;

	(void)state;
	recent_keep(&recent, 7, 0x10, (struct placed){ 3, 0x20 });
	at = recent_find(&recent, 7, 0x10);
	assert_non_null(at);
	assert_int_equal(at->id, 3);
	assert_int_equal(at->addr, 0x20);
	/* As if another key had the same place. */
	for (size_t i = 0; i < (size_t)1 << recent.bits; i++)
		frame[i] = (struct recent_frame){ 7, 0x10, { 3, 0x20 } };
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
	assert_within(found, 1 << (MOST - 1), 1 << MOST);
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
	assert_int_equal(count_same(2),
	                 0); /* something was mapped, or it is another process */
	ev.cpu = 1;
	assert_int_equal(count_same(2), 0);
	ev.cpu = 0;
	assert_int_equal(count_same(2), FRAMES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(keys_are_compared_in_full, enter, leave),
		cmocka_unit_test_setup_teardown(places_are_bounded, enter, leave),
		cmocka_unit_test_setup_teardown(chains_share_their_outermost_frames,
		                                enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
