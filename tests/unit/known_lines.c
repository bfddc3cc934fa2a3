/* Frame lines that a reader of perf script text recognises as a whole. */
#include "textmade.h"

#define HEADER             "app 1 1.0: 7 cycles:\n"
#define LINE(name, module) "\t            7f00 " name " (" module ")\n"

/* Behind what is looked at, so that the window does not end there. */
#define REST                                                                             \
	HEADER LINE("rest",                                                              \
	            "/srv/app/a/long/path/of/a/module/that/ends/the/text/at/hand")       \
	        LINE("rest",                                                             \
	             "/srv/app/a/long/path/of/a/module/that/ends/the/text/at/hand") "\n"

static const struct frame *next_frame(size_t n, size_t i)
{
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_int_equal(ev.kind, EV_SAMPLE);
	assert_int_equal(ev.nframes, n);
	return &ev.frames[i];
}

static uint32_t *note(const struct frame *f)
{
	assert_int_not_equal(f->known, 0);
	return &ev.notes[f->known - 1];
}

static void note_stays_with_its_line(void **state)
{
	(void)state;
	over_text(HEADER LINE("parse+0x10", "/srv/app/server") "\n" HEADER LINE(
	        "parse+0x10",
	        "/srv/app/server") "\n" HEADER LINE("parse+0x10",
	                                            "/srv/app/server") "\n" REST);
	assert_int_equal(next_frame(1, 0)->known, 0);
	assert_int_equal(*note(next_frame(1, 0)), 0);
	*note(&ev.frames[0]) = 17;
	assert_int_equal(*note(next_frame(1, 0)), 17);
	reader_rewind(reader);
	assert_int_equal(*note(next_frame(1, 0)), 17);
}

/* Both have the same place: the second one takes it. */
static void line_that_differs_at_its_end_has_its_own_fields(void **state)
{
	(void)state;
	over_text(HEADER LINE("parse_one+0x10", "/srv/app/server") "\n" HEADER LINE(
	        "parse_one+0x10", "/srv/app/server") "\n" HEADER
	                  LINE("parse_one+0x10", "/srv/app/other") "\n" HEADER LINE(
	                          "parse_one_more", "/srv/app/server") "\n" REST);
	next_frame(1, 0);
	*note(next_frame(1, 0)) = 17;
	assert_int_equal(*note(next_frame(1, 0)), 0);
	assert_true(str_ends(ev.frames[0].line, STR("(/srv/app/other)")));
	assert_int_equal(ev.frames[0].func_n, 9);
	assert_int_equal(*note(next_frame(1, 0)), 0);
	assert_int_equal(ev.frames[0].func_n, 14);
}

static void lines_of_one_stack_do_not_share_a_note(void **state)
{
	(void)state;
	over_text(HEADER LINE("parse_one+0x10", "/srv/app/server") "\n" HEADER LINE(
	        "parse_one+0x10", "/srv/app/server")
	                  LINE("parse_one+0x10", "/srv/app/other")
	                          LINE("parse_one+0x10", "/srv/app/server") "\n" REST);
	next_frame(1, 0);
	next_frame(3, 0);
	assert_int_not_equal(ev.frames[0].known, 0);
	assert_int_equal(ev.frames[1].known, 0);
	assert_int_equal(ev.frames[2].known, ev.frames[0].known);
}

/* A line of each length, twice as it is met and once as it is known. */
static void line_of_any_length_is_recognised(void **state)
{
	char name[160], text[2048];

	(void)state;
	memset(name, 'f', sizeof(name));
	for (size_t n = 1; n < sizeof(name); n++) {
		struct frame first;

		snprintf(text, sizeof(text),
		         HEADER "\t            7f00 %.*s+0x10 (/x)\n\n" HEADER
		                "\t            7f00 %.*s+0x10 (/x)\n\n" HEADER
		                "\t            7f00 %.*s+0x10 (/x)\n\n" HEADER
		                "\t            7f00 %.*s+0x10 (/y)\n\n" REST,
		         (int)n, name, (int)n, name, (int)n, name, (int)n, name);
		over_text(text);
		next_frame(1, 0);
		first = *next_frame(1, 0);
		assert_int_equal(first.func_n, n);
		assert_true(first.known || n > 80);
		next_frame(1, 0);
		assert_int_equal(ev.frames[0].ip, 0x7f00);
		assert_int_equal(ev.frames[0].line.n, first.line.n);
		assert_int_equal(ev.frames[0].func_n, n);
		assert_int_equal(ev.frames[0].module_at, first.module_at);
		assert_int_equal(ev.frames[0].known, first.known);
		next_frame(1, 0);
		assert_true(str_ends(ev.frames[0].line, STR("(/y)")));
	}
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(note_stays_with_its_line),
		test(line_that_differs_at_its_end_has_its_own_fields),
		test(lines_of_one_stack_do_not_share_a_note),
		test(line_of_any_length_is_recognised),
	};

	wanted = &perfscript_format.traits;
	return cmocka_run_group_tests_name("known_lines", tests, NULL, NULL);
}
