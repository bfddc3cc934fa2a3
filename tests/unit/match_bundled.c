/* Images that a single-file program carries, by offsets that a text prints. */
#include "bind/dotnet/match_bundled.h"

#include <elf.h>

#include "bind/binder.h"
#include "sessionmade.h"

enum { IMAGES = 2, SIZE = 0x4000, FIRST = 0x10000, CALL = 0x100, STEP = 0x20 };

static const char program[] = "/app/single";

static unsigned char bytes[IMAGES][SIZE];
static struct pe pe[IMAGES];
static struct item carried[IMAGES], *items[IMAGES];
static struct bundle_entry entry[IMAGES];
static struct bundle bundle;
static struct elf elf;

static int enter(void **state)
{
	struct item *it;

	(void)state;
	session_made();
	memset(bytes, 0x90, sizeof(bytes));
	it = add_file("single", STR("\177ELF"));
	for (size_t i = 0; i < IMAGES; i++) {
		pe[i] = (struct pe){ .bytes = { (const char *)bytes[i], SIZE },
			             .machine = PE_X64,
			             .nsections = 1,
			             .section[0] = { .virtual_size = SIZE,
			                             .raw_size = SIZE,
			                             .executable = true } };
		entry[i] = (struct bundle_entry){ .file_off = FIRST + i * SIZE,
			                          .size = SIZE,
			                          .kind = BUNDLE_ASSEMBLY,
			                          .path = STR("a.dll") };
		carried[i] = (struct item){ .kind = ITEM_PE,
			                    .name = entry[i].path,
			                    .opened = true,
			                    .pe = &pe[i],
			                    .host = it,
			                    .entry = i };
		items[i] = &carried[i];
	}
	bundle = (struct bundle){ .entry = entry, .n = IMAGES };
	elf = (struct elf){ .machine = EM_X86_64, .has_symtab = true };
	it->kind = ITEM_ELF;
	it->program = it->bundle_read = it->opened = true;
	it->bundle = &bundle;
	it->carried = items;
	it->elf = &elf;
	return 0;
}

static int leave(void **state)
{
	(void)state;
	session_over();
	return 0;
}

static const struct mapping *assumed(void)
{
	return process_assume(session.ps, name_of(program));
}

/* n return addresses in image i, of which the last `bad` follow no call. */
static void note_calls(size_t i, size_t n, size_t bad)
{
	for (size_t k = 0; k < n; k++) {
		uint64_t off = CALL + k * STEP;

		if (k < n - bad)
			bytes[i][off - 5] = 0xe8;
		bind_note(session.binder, assumed(), PID, entry[i].file_off + off, true,
		          false);
	}
}

static const struct bound_image *decided(void)
{
	bind_decide(session.binder, session.ps, false);
	return bind_image(session.binder, assumed());
}

static void eight_calls_show_a_program(void **state)
{
	const struct bound_image *im;

	(void)state;
	note_calls(0, 8, 0);
	im = decided();
	assert_non_null(im);
	assert_ptr_equal(im->pe, &pe[0]);
	assert_int_equal(im->file_base, FIRST);
}

static void seven_do_not(void **state)
{
	(void)state;
	note_calls(0, 7, 0);
	assert_null(decided());
}

static void calls_of_all_images_count(void **state)
{
	(void)state;
	note_calls(0, 4, 0);
	note_calls(1, 4, 0);
	assert_non_null(decided());
}

static void one_in_ten_may_follow_no_call(void **state)
{
	(void)state;
	note_calls(0, 10, 1);
	assert_non_null(decided());
}

static void two_in_nineteen_may_not(void **state)
{
	(void)state;
	note_calls(0, 19, 2);
	assert_null(decided());
}

static void other_addresses_are_no_evidence(void **state)
{
	(void)state;
	note_calls(0, 8, 0);
	for (uint64_t i = 0; i < 20; i++)
		bind_note(session.binder, assumed(), PID, FIRST + i, false, false);
	for (uint64_t i = 1; i <= 20; i++)
		bind_note(session.binder, assumed(), PID, FIRST - i, true, false);
	assert_non_null(decided());
}

/* A program that is built again carries most images unchanged. */
static void image_of_another_build_is_not_used(void **state)
{
	const struct bound_image *im;
	struct bound_image out;

	(void)state;
	note_calls(0, 20, 0);
	note_calls(1, 3, 1);
	im = decided();
	assert_non_null(im);
	assert_ptr_equal(im->pe, &pe[0]);
	assert_false(carried[0].unlike);
	assert_true(carried[1].unlike);
	assert_false(
	        match_bundled_neighbour(session.binder, im, entry[1].file_off, &out));
}

static void offset_says_which_image_is_meant(void **state)
{
	const struct bound_image *im;
	struct bound_image out;

	(void)state;
	note_calls(0, 8, 0);
	note_calls(1, 8, 0);
	im = decided();
	assert_non_null(im);
	assert_ptr_equal(im->pe, &pe[1]);
	assert_true(match_bundled_neighbour(session.binder, im, FIRST, &out));
	assert_ptr_equal(out.pe, &pe[0]);
	assert_int_equal(out.file_base, FIRST);
	assert_true(match_bundled_neighbour(session.binder, im, FIRST + SIZE - 1, &out));
	assert_false(match_bundled_neighbour(session.binder, im, FIRST + SIZE, &out));
	assert_false(match_bundled_neighbour(session.binder, im, FIRST - 1, &out));
	assert_false(match_bundled_neighbour(session.binder, im, FIRST + 2 * SIZE, &out));
}

static void unknown_instructions_show_nothing(void **state)
{
	(void)state;
	pe[0].machine = PE_X86;
	note_calls(0, 20, 0);
	assert_null(decided());
}

static void program_must_be_the_build_that_ran(void **state)
{
	struct mapping *m = (struct mapping *)(uintptr_t)assumed();

	(void)state;
	m->build_id = STR("0123456789abcdef0123");
	elf.build_id = STR("0123456789abcdef0124");
	note_calls(0, 8, 0);
	assert_null(decided());
}

static void next_program_that_carries_a_file(void **state)
{
	size_t at = 0;

	(void)state;
	session.binder->ps = session.ps;
	assert_ptr_equal(match_bundled_next(session.binder, STR("a.dll"), &at),
	                 &carried[0]);
	assert_null(match_bundled_next(session.binder, STR("a.dll"), &at));
	at = 0;
	assert_null(match_bundled_next(session.binder, STR("b.dll"), &at));
}

static void just_less_than_nine_in_ten_do_not(void **state)
{
	(void)state;
	note_calls(0, 99, 10);
	assert_null(decided());
}

static void nine_in_ten_of_many_do(void **state)
{
	(void)state;
	note_calls(0, 100, 10);
	assert_non_null(decided());
}

/* An image that is stored as it is, mapped with so many bytes more than its code. */
static const struct bound_image *stored(uint64_t more, uint64_t moved)
{
	const uint64_t start = 0x7f0000000000, page = 0x1000;
	struct str raw = file_bytes(&session.run, "fixtures/r2r/x64/calc10.dll");
	uint64_t off = 0, length;

	assert_true(pe_read(&pe[0], raw));
	for (size_t i = 0; i < pe[0].nsections; i++)
		if (pe[0].section[i].executable)
			off = (FIRST + pe[0].section[i].file_off) & -page;
	entry[0].size = raw.n;
	entry[1].file_off = FIRST + 0x100000;
	length = pe_mapped_length(&pe[0], FIRST, off);
	assert_true(off && length);
	map_file(start, length + more, off + moved, program);
	bind_decide(session.binder, session.ps, true);
	return bind_image(session.binder,
	                  process_find(session.ps, PID, start, MODE_USER));
}

static void stored_image_is_mapped_as_it_is(void **state)
{
	const struct bound_image *im = stored(0, 0);

	(void)state;
	assert_non_null(im);
	assert_ptr_equal(im->pe, &pe[0]);
	assert_int_equal(im->file_base, FIRST);
}

static void stored_image_is_not_mapped_with_another_length(void **state)
{
	(void)state;
	assert_null(stored(0x1000, 0));
}

static void stored_image_is_not_mapped_elsewhere(void **state)
{
	(void)state;
	assert_null(stored(0, 0x80000));
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(eight_calls_show_a_program),
		test(seven_do_not),
		test(calls_of_all_images_count),
		test(one_in_ten_may_follow_no_call),
		test(two_in_nineteen_may_not),
		test(other_addresses_are_no_evidence),
		test(image_of_another_build_is_not_used),
		test(offset_says_which_image_is_meant),
		test(unknown_instructions_show_nothing),
		test(program_must_be_the_build_that_ran),
		test(next_program_that_carries_a_file),
		test(just_less_than_nine_in_ten_do_not),
		test(nine_in_ten_of_many_do),
		test(stored_image_is_mapped_as_it_is),
		test(stored_image_is_not_mapped_with_another_length),
		test(stored_image_is_not_mapped_elsewhere),
	};

	return cmocka_run_group_tests_name("match_bundled", tests, NULL, NULL);
}
