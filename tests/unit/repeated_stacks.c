/* Stacks that a reader of perf script text does not deliver twice. */
#include "textmade.h"

#include <zlib.h>

static void next(enum event_kind kind, size_t nframes, const char *raw)
{
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_int_equal(ev.kind, kind);
	assert_int_equal(ev.nframes, nframes);
	assert_true(!raw || str_eq(ev.raw, str_of(raw)));
}

static void end(void)
{
	assert_int_equal(reader_next(reader, &ev), 0);
}

/* Two stacks that begin alike, of two threads. */
#define STACK(last)                                                                      \
	"\t            7f00 read+0x10 (/usr/lib/libc.so.6)\n"                            \
	"\t            7f10 first+0x20 (/srv/app/server)\n"                              \
	"\t            7f20 " last " (/srv/app/server)\n\n"
static const char
        samples[] =
                "app 1 1.0: 7 cycles:\n" STACK("a") "app 1 1.1: 7 cycles:\n" STACK("a") "app 2 1.2: 7 cycles:\n" STACK(
                        "a") "app 1 1.3: 7 cycles:\n" STACK("b") "app 1 1.4: 7 "
                                                                 "cycles:\n" STACK("b");

static void stack_is_spared_once_it_was_delivered(void **state)
{
	(void)state;
	over_bytes(STR(samples));
	reader_skip_repeated(reader, false);
	next(EV_SAMPLE, 3, NULL);
	next(EV_TEXT, 0, "app 1 1.1: 7 cycles:\n" STACK("a"));
	next(EV_TEXT, 0, "app 2 1.2: 7 cycles:\n" STACK("a"));
	next(EV_SAMPLE, 3, "app 1 1.3: 7 cycles:\n" STACK("b"));
	next(EV_TEXT, 0, "app 1 1.4: 7 cycles:\n" STACK("b"));
	end();
}

static void stack_is_spared_to_its_own_thread(void **state)
{
	(void)state;
	over_bytes(STR(samples));
	reader_skip_repeated(reader, true);
	next(EV_SAMPLE, 3, NULL);
	next(EV_TEXT, 0, NULL);
	next(EV_SAMPLE, 3, "app 2 1.2: 7 cycles:\n" STACK("a"));
	next(EV_SAMPLE, 3, NULL);
	next(EV_TEXT, 0, NULL);
	end();
}

/* Of an archive in memory, what was delivered stays where it is. */
static void stack_in_memory_is_spared(void **state)
{
	unsigned char packed[1024];
	z_stream z = { .next_in = (unsigned char *)(uintptr_t)samples,
		       .avail_in = sizeof(samples) - 1,
		       .next_out = packed,
		       .avail_out = sizeof(packed) };

	(void)state;
	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, 0), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	over_bytes((struct str){ (const char *)packed, z.total_out });
	deflateEnd(&z);
	assert_int_equal(source->kind, SOURCE_ARCHIVE);
	reader_skip_repeated(reader, false);
	next(EV_SAMPLE, 3, NULL);
	next(EV_TEXT, 0, NULL);
	next(EV_TEXT, 0, NULL);
	next(EV_SAMPLE, 3, NULL);
	next(EV_TEXT, 0, NULL);
	end();
}

/* Frames that stand alone: the one in front of a known stack is not lost with it. */
static void frame_before_a_spared_stack_is_delivered(void **state)
{
	(void)state;
	over_bytes(STR("\t            7e00 x (/srv/app/server)\n\n" STACK(
	        "a") "\t            7e00 leaf (/srv/app/server)\n" STACK("a")));
	reader_skip_repeated(reader, false);
	next(EV_SAMPLE, 1, NULL);
	next(EV_SAMPLE, 3, NULL);
	next(EV_SAMPLE, 4, NULL);
	end();
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(stack_is_spared_once_it_was_delivered),
		test(stack_is_spared_to_its_own_thread),
		test(stack_in_memory_is_spared),
		test(frame_before_a_spared_stack_is_delivered),
	};

	wanted = &perfscript_format.traits;
	return cmocka_run_group_tests_name("repeated_stacks", tests, NULL, NULL);
}
