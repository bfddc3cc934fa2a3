/* Which saved kallsyms names the kernel frames of a text. */
#include "bind/native/text_kallsyms.h"

#include "bind/binder.h"
#include "sessionmade.h"

static const char core[] = "[kernel.kallsyms]";
static const uint64_t text = 0xffffffff81000000;

static int enter(void **state)
{
	(void)state;
	session_made();
	return 0;
}

static int leave(void **state)
{
	(void)state;
	session_over();
	return 0;
}

/* A function of 64 bytes at text, 64 and so on: f0, f1, ... */
static void add_kallsyms(const char *path, int moved)
{
	struct str s = STR("ffffffff81000000 T _text\nffffffff81000000 T _stext\n");

	for (int i = 0; i < 16; i++)
		s = arena_fmt(&session.run, PRSTR "%llx T f%d\n", STRARG(s),
		              (unsigned long long)(text + (uint64_t)(i * 64 + moved)), i);
	s = arena_fmt(&session.run,
	              PRSTR "ffffffff81000400 T _etext\n"
	                    "ffffffffc0300000 t mod_open\t[mod]\n",
	              STRARG(s));
	assert_int_equal(add_file(path, s)->kind, ITEM_KALLSYMS);
}

static void note(uint64_t addr, const char *func, uint64_t off, const char *module)
{
	struct frame_text ft = { .addr = addr,
		                 .func = str_of(func),
		                 .func_off = off,
		                 .has_off = *func != '\0',
		                 .module = str_of(module) };

	text_kallsyms_note(session.binder, &ft);
}

/* Frames in f0, of which the last `differ` say another offset. */
static void note_named(uint64_t agree, uint64_t differ)
{
	for (uint64_t i = 0; i < agree + differ; i++)
		note(text + i, "f0", i < agree ? i : i + 1, core);
}

static bool is_used(void)
{
	text_kallsyms_settle(session.binder);
	return session.binder->text_kallsyms->chosen != NULL;
}

static void named_frames_agree(void **state)
{
	struct bound_name name;

	(void)state;
	add_kallsyms("kallsyms", 0);
	note_named(9, 1);
	assert_true(is_used());
	assert_true(text_kallsyms_find(session.binder, text + 69, str_of(core), false,
	                               &name));
	assert_true(str_eq(name.func, STR("f1")));
	assert_int_equal(name.off, 5);
	assert_int_equal(name.how, VERIFIED_TEXT);
}

static void more_than_one_in_ten_differs(void **state)
{
	(void)state;
	add_kallsyms("kallsyms", 0);
	note_named(8, 1);
	assert_false(is_used());
}

static void six_in_sixty_may_differ(void **state)
{
	(void)state;
	add_kallsyms("kallsyms", 0);
	note_named(54, 6);
	assert_true(is_used());
}

static void six_in_56_may_not(void **state)
{
	(void)state;
	add_kallsyms("kallsyms", 0);
	note_named(50, 6);
	assert_false(is_used());
}

static void without_named_frames_it_is_by_name_alone(void **state)
{
	struct bound_name name;

	(void)state;
	add_kallsyms("kallsyms", 0);
	note(text + 5, "", 0, core);
	assert_true(is_used());
	assert_true(text_kallsyms_find(session.binder, text, str_of(core), false, &name));
	assert_int_equal(name.how, VERIFIED_PATH);
}

static void frames_lie_in_the_text(uint64_t addr, bool used)
{
	add_kallsyms("kallsyms", 0);
	note(addr, "", 0, core);
	assert_int_equal(is_used(), used);
}

static void frame_at_the_end_of_the_text(void **state)
{
	(void)state;
	frames_lie_in_the_text(text + 0x400, true);
}

static void frame_behind_the_text(void **state)
{
	(void)state;
	frames_lie_in_the_text(text + 0x401, false);
}

static void frame_at_the_begin_of_the_text(void **state)
{
	(void)state;
	frames_lie_in_the_text(text, true);
}

static void frame_before_the_text(void **state)
{
	(void)state;
	frames_lie_in_the_text(text - 1, false);
}

static void one_agreeing_frame_outweighs_those_outside(void **state)
{
	(void)state;
	add_kallsyms("kallsyms", 0);
	note(text - 1, "", 0, core);
	note_named(1, 0);
	assert_true(is_used());
}

static void same_address_counts_once(void **state)
{
	(void)state;
	add_kallsyms("kallsyms", 0);
	note_named(1, 0);
	note_named(1, 0);
	assert_int_equal(session.binder->text_kallsyms->kallsyms[0].agree, 1);
}

static void other_names_are_neither(void **state)
{
	(void)state;
	add_kallsyms("kallsyms", 0);
	note(text + 1, "alias", 1, core);
	note(text + 2, "f0", 2, "/lib/x.so");
	assert_int_equal(session.binder->text_kallsyms->kallsyms[0].agree, 0);
	assert_int_equal(session.binder->text_kallsyms->kallsyms[0].differ, 0);
}

static void most_agreeing_frames_choose(void **state)
{
	(void)state;
	add_kallsyms("a/kallsyms", 0);
	add_kallsyms("b/kallsyms", 16);
	note(text + 17, "f0", 1, core);
	assert_true(is_used());
	assert_ptr_equal(session.binder->text_kallsyms->chosen->item,
	                 &session.locator.item[1]);
}

static void first_of_equal_ones_is_chosen(void **state)
{
	(void)state;
	add_kallsyms("a/kallsyms", 0);
	add_kallsyms("b/kallsyms", 0);
	note_named(3, 0);
	assert_true(is_used());
	assert_ptr_equal(session.binder->text_kallsyms->chosen->item,
	                 &session.locator.item[0]);
}

static void modules_are_named_by_their_own_symbols(void **state)
{
	static const struct {
		uint64_t addr;
		const char *module;
		bool found;
	} rows[] = {
		{ 0xffffffffc0300008, "[mod]", true },
		{ 0xffffffffc0300008, "[kernel]", false },
		{ 0xffffffffc0300008, "[other]", false },
		{ 0xffffffffc0300008, "mod", false },
		{ 0xffffffffc0300008, "[mod", false },
		{ 0xffffffffc0300008, "[]", false },
		{ text + 5, "[kernel]", true },
		{ text + 5, "[mod]", false },
		{ text + 5, "[kernel.kallsyms]_text", true },
	};
	struct bound_name name;

	(void)state;
	add_kallsyms("kallsyms", 0);
	note(0xffffffffc0300008, "mod_open", 8, "[mod]");
	assert_true(is_used());
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (text_kallsyms_find(session.binder, rows[i].addr,
		                       str_of(rows[i].module), false,
		                       &name) != rows[i].found)
			fail_msg("%llx in %s", (unsigned long long)rows[i].addr,
			         rows[i].module);
}

static void caller_is_looked_up_before_its_address(void **state)
{
	struct bound_name name;

	(void)state;
	add_kallsyms("kallsyms", 0);
	note_named(1, 0);
	assert_true(is_used());
	assert_true(
	        text_kallsyms_find(session.binder, text + 64, str_of(core), true, &name));
	assert_true(str_eq(name.func, STR("f0")));
	assert_int_equal(name.off, 64);
}

static void without_a_choice_nothing_is_named(void **state)
{
	struct bound_name name;

	(void)state;
	add_kallsyms("kallsyms", 0);
	assert_false(
	        text_kallsyms_find(session.binder, text, str_of(core), false, &name));
}

static void module_may_have_one_letter(void **state)
{
	struct bound_name name;

	(void)state;
	add_file("kallsyms",
	         STR("ffffffff81000000 T _text\nffffffff81000000 T _stext\n"
	             "ffffffff81000400 T _etext\nffffffffc0300000 t f\t[m]\n"));
	note(0xffffffffc0300008, "f", 8, "[m]");
	assert_true(is_used());
	assert_true(text_kallsyms_find(session.binder, 0xffffffffc0300008, STR("[m]"),
	                               false, &name));
	assert_int_equal(name.off, 8);
	assert_int_equal(name.how, VERIFIED_TEXT);
}

/* One that agrees behind n that do not. */
static bool agrees_behind(size_t n)
{
	static const struct str other =
	        STR("ffffffff81000000 T _text\nffffffff81000000 T _stext\n"
	            "ffffffff81000010 T f0\nffffffff81000400 T _etext\n");

	session_over();
	session_made();
	add_files(n, "kallsyms", other);
	add_kallsyms("kallsyms", 0);
	note_named(5, 0);
	text_kallsyms_settle(session.binder);
	return session.binder->text_kallsyms->chosen &&
	       session.binder->text_kallsyms->chosen->agree == 5;
}

static void sixteen_kallsyms_are_tried(void **state)
{
	(void)state;
	assert_true(agrees_behind(15));
	assert_false(agrees_behind(16));
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(named_frames_agree),
		test(more_than_one_in_ten_differs),
		test(six_in_sixty_may_differ),
		test(six_in_56_may_not),
		test(without_named_frames_it_is_by_name_alone),
		test(frame_at_the_end_of_the_text),
		test(frame_behind_the_text),
		test(frame_at_the_begin_of_the_text),
		test(frame_before_the_text),
		test(one_agreeing_frame_outweighs_those_outside),
		test(same_address_counts_once),
		test(other_names_are_neither),
		test(most_agreeing_frames_choose),
		test(first_of_equal_ones_is_chosen),
		test(modules_are_named_by_their_own_symbols),
		test(caller_is_looked_up_before_its_address),
		test(without_a_choice_nothing_is_named),
		test(module_may_have_one_letter),
		test(sixteen_kallsyms_are_tried),
	};

	return cmocka_run_group_tests_name("text_kallsyms", tests, NULL, NULL);
}
