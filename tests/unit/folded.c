/* folded: which lines are stacks, and what is said about the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "reader/perftext/folded.h"
#include "source/source.h"

struct input {
	int fd;
	struct arena run;
	struct diag diag;
	struct source *source;
	struct reader *reader;
	struct event ev;
};

static enum source_look look(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_STREAM;
}

static void open_text(struct input *in, const char *text, size_t n)
{
	struct source_opts opts = {
		.look = look, .is_profile = true, .run = &in->run, .diag = &in->diag
	};
	char path[64];

	in->fd = memfd_create("folded", MFD_CLOEXEC);
	assert_int_equal(write(in->fd, text, n), (ssize_t)n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", in->fd);
	in->diag = (struct diag){ .prog = "test" };
	in->source = source_open(path, &opts);
	assert_non_null(in->source);
	in->reader = reader_open(in->source, 0, &in->run, &in->diag);
	assert_non_null(in->reader);
	assert_true(reader_traits(in->reader)->is_folded);
}

static void close_text(struct input *in)
{
	reader_close(in->reader);
	source_close(in->source);
	arena_release(&in->run);
	close(in->fd);
	*in = (struct input){ 0 };
}

static void expect(struct input *in, const char *stack, uint64_t weight,
                   uint32_t fraction)
{
	assert_int_equal(reader_next(in->reader, &in->ev), 1);
	assert_int_equal(in->ev.kind, EV_FOLDED);
	assert_int_equal(in->ev.raw.n, strlen(stack));
	assert_memory_equal(in->ev.raw.p, stack, strlen(stack));
	assert_int_equal(in->ev.weight, weight);
	assert_int_equal(in->ev.fraction, fraction);
}

static void expect_damage(struct input *in)
{
	unsigned long before = in->diag.damaged;

	assert_int_equal(reader_next(in->reader, &in->ev), -1);
	assert_int_equal(in->diag.damaged, before + 1);
}

static void expect_end(struct input *in)
{
	assert_int_equal(reader_next(in->reader, &in->ev), 0);
	assert_int_equal(reader_next(in->reader, &in->ev), 0);
}

static void over(struct input *in, const char *text)
{
	*in = (struct input){ 0 };
	open_text(in, text, strlen(text));
}

static void count_is_the_last_word(void **state)
{
	struct input in;

	(void)state;
	over(&in, "a;b;c 12\nmain;V8 Worker 3 7\nx;y 18446744073709551615");
	expect(&in, "a;b;c", 12, 0);
	assert_int_equal(in.ev.at, 0);
	expect(&in, "main;V8 Worker 3", 7, 0);
	assert_int_equal(in.ev.at, 9);
	expect(&in, "x;y", UINT64_MAX, 0);
	expect_end(&in);
	close_text(&in);
}

static void counts_may_have_fractions(void **state)
{
	struct input in;

	(void)state;
	over(&in, "a;b 0.5\na;b 12.\na;b 1.1234567891\na;b 0\n");
	expect(&in, "a;b", 0, 500000000);
	expect(&in, "a;b", 12, 0);
	expect(&in, "a;b", 1, 123456789);
	expect(&in, "a;b", 0, 0);
	expect_end(&in);
	close_text(&in);
}

static void counts_may_have_exponents(void **state)
{
	struct input in;

	(void)state;
	over(&in, "a;b 1e3\na;b 2.5E+2\na;b 12e-3\na;b 1.25e1\na;b 1e19\na;b 7e-10\n");
	expect(&in, "a;b", 1000, 0);
	expect(&in, "a;b", 250, 0);
	expect(&in, "a;b", 0, 12000000);
	expect(&in, "a;b", 12, 500000000);
	expect(&in, "a;b", 10000000000000000000u, 0);
	expect(&in, "a;b", 0, 0);
	expect_end(&in);
	close_text(&in);
}

static void a_count_in_front_of_the_count_is_told(void **state)
{
	struct input in;

	(void)state;
	over(&in, "a;b 3 7\na;b 7\na;b 0.5\t1e3\na;V8 3x 7\na;b\n3 4\n");
	expect(&in, "a;b 3", 7, 0);
	assert_non_null(in.ev.pair);
	assert_true(str_eq(in.ev.pair->stack, STR("a;b")));
	assert_int_equal(in.ev.pair->before, 3);
	expect(&in, "a;b", 7, 0);
	assert_null(in.ev.pair);
	expect(&in, "a;b 0.5", 1000, 0);
	assert_int_equal(in.ev.pair->fraction, 500000000);
	expect(&in, "a;V8 3x", 7, 0);
	assert_null(in.ev.pair);
	expect_damage(&in);
	expect(&in, "3", 4, 0);
	assert_null(in.ev.pair);
	expect_end(&in);
	close_text(&in);
}

static void the_line_of_pfold_is_delivered(void **state)
{
	struct input in;

	(void)state;
	over(&in, "# a comment\n# pfold event=cycles samples=3 unit=ns \r\na;b 1\n# "
	          "pfold x\nc 2\n");
	assert_int_equal(reader_next(in.reader, &in.ev), 1);
	assert_int_equal(in.ev.kind, EV_TEXT);
	assert_true(str_eq(in.ev.raw, STR("# pfold event=cycles samples=3 unit=ns")));
	expect(&in, "a;b", 1, 0);
	expect(&in, "c", 2, 0);
	expect_end(&in);
	close_text(&in);
}

static void blanks_around_the_count_do_not_matter(void **state)
{
	struct input in;

	(void)state;
	over(&in, "a;b 1\r\na;b\t2\na;b  \t 3 \t \r\n");
	expect(&in, "a;b", 1, 0);
	expect(&in, "a;b", 2, 0);
	expect(&in, "a;b", 3, 0);
	expect_end(&in);
	close_text(&in);
}

static void comments_and_empty_lines_are_skipped(void **state)
{
	struct input in;

	(void)state;
	over(&in, "# made by hand 3\n\n \t\r\n#\n#\t2\n#c;d 4\n");
	expect(&in, "#c;d", 4, 0);
	expect_end(&in);
	close_text(&in);
}

static void bad_lines_are_reported_and_passed_over(void **state)
{
	static const char *const bad[] = {
		"a;b",        "a;b -3",      "a;b 1e",
		"a;b 1e3x",   "a;b e3",      "a;b 0x3",
		"a;b 1,000",  "a;b 1.5.2",   "a;b 1e3.5",
		"a;b 1e20",   "12",          " 7",
		"a;b 1e1000", "a;b 1.5e2e1", "a;b 18446744073709551616"
	};
	char text[200];
	struct input in;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(text, sizeof(text), "a;b 1\n%s\nc;d 2\n", bad[i]);
		over(&in, text);
		expect(&in, "a;b", 1, 0);
		expect_damage(&in);
		expect(&in, "c;d", 2, 0);
		expect_end(&in);
		close_text(&in);
	}
}

static void stack_of_over_a_million_frames_is_damage(void **state)
{
	enum { MANY = 1000000 };
	char *text = calloc(1, MANY + 32);
	struct input in;

	(void)state;
	assert_non_null(text);
	for (int more = 0; more < 2; more++) {
		size_t n = (size_t)(MANY - 1 + more);

		memset(text, ';', n);
		strcpy(text + n, " 3\nc;d 2\n");
		over(&in, text);
		if (more)
			expect_damage(&in);
		else
			assert_int_equal(reader_next(in.reader, &in.ev), 1);
		expect(&in, "c;d", 2, 0);
		expect_end(&in);
		close_text(&in);
	}
	free(text);
}

static void names_may_hold_any_bytes(void **state)
{
	static const char text[] = "a;\xff\xfe\x01;\x1b[31m 4\n";
	struct input in = { 0 };

	(void)state;
	open_text(&in, text, sizeof(text) - 1);
	expect(&in, "a;\xff\xfe\x01;\x1b[31m", 4, 0);
	expect_end(&in);
	close_text(&in);
}

static void lines_may_be_longer_than_the_window(void **state)
{
	enum { DEEP = 400000 };
	struct arena a = { 0 };
	char *text = arena_alloc(&a, DEEP, 2);
	struct input in = { 0 };
	size_t n = 0;

	(void)state;
	while (n < 2 * DEEP - 6) {
		text[n++] = 'f';
		text[n++] = ';';
	}
	memcpy(text + n, "f 9\n", 4);
	open_text(&in, text, n + 4);
	assert_int_equal(reader_next(in.reader, &in.ev), 1);
	assert_int_equal(in.ev.raw.n, n + 1);
	assert_int_equal(in.ev.weight, 9);
	expect_end(&in);
	close_text(&in);
	arena_release(&a);
}

static void rewinding_begins_anew_and_repeats_no_report(void **state)
{
	struct input in;

	(void)state;
	over(&in, "a;b 1\nbad\nc 2\n");
	reader_hold(in.reader);
	expect(&in, "a;b", 1, 0);
	expect_damage(&in);
	expect(&in, "c", 2, 0);
	reader_rewind(in.reader);
	expect(&in, "a;b", 1, 0);
	assert_int_equal(reader_next(in.reader, &in.ev), -1);
	assert_int_equal(in.diag.damaged, 1);
	expect(&in, "c", 2, 0);
	expect_end(&in);
	close_text(&in);
}

static void other_text_is_not_folded(void **state)
{
	static const char *const others[] = {
		"",
		"\n\n# \n",
		"some prose; and more\nof it\n",
		"app 1/2 [000] 10.5: 7 cycles:\n\t7f00 foo+0x1 (/lib/x.so)\n\n",
		"<?xml version=\"1.0\"?>\n<svg a;b 3\n",
		"Name:\tapp\nPid:\t123\nThreads:\t1\nVmPeak: 12 kB\n",
		"7f00-7f01 r-xp 00000000 00:00 0\n7f01-7f02 rw-p 00000000 00:00 0\n",
		"7f00 10 void foo::bar()\n7f10 20 baz\n",
	};

	(void)state;
	assert_null(reader_bid(STR("\0\1\2 3\n")));
	assert_null(reader_bid(STR("name\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0a;b 3\n")));
	assert_true(reader_bid(STR("a;\0;b 3\n"))->is_folded);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_ptr_not_equal(reader_bid(str_of(others[i])),
		                     &folded_format.traits);
}

static void folded_is_told_from_its_bytes(void **state)
{
	static const char *const ours[] = {
		"a;b 1\n",     "main 5\nidle 6",
		"a;b 1.5\r\n", "# pfold\n\na;b;c 12\nbroken\n",
		"a;b 3",       "main;foo 3 7\n;a;;b; 2\n"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		assert_ptr_equal(reader_bid(str_of(ours[i])), &folded_format.traits);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(count_is_the_last_word),
		cmocka_unit_test(counts_may_have_fractions),
		cmocka_unit_test(counts_may_have_exponents),
		cmocka_unit_test(a_count_in_front_of_the_count_is_told),
		cmocka_unit_test(the_line_of_pfold_is_delivered),
		cmocka_unit_test(blanks_around_the_count_do_not_matter),
		cmocka_unit_test(comments_and_empty_lines_are_skipped),
		cmocka_unit_test(bad_lines_are_reported_and_passed_over),
		cmocka_unit_test(stack_of_over_a_million_frames_is_damage),
		cmocka_unit_test(names_may_hold_any_bytes),
		cmocka_unit_test(lines_may_be_longer_than_the_window),
		cmocka_unit_test(rewinding_begins_anew_and_repeats_no_report),
		cmocka_unit_test(other_text_is_not_folded),
		cmocka_unit_test(folded_is_told_from_its_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
