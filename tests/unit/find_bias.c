/* Where a module lay whose return addresses a text has, and nothing else. */
#include "symbol/text/find_bias.h"

#include <elf.h>

#include "sessionmade.h"

enum { SIZE = 1 << 20, CALL = 5, PAGE = 4096, STEP = 1 << 16 };

static const uint64_t place = 0x7f1234570000;

static unsigned char code[2][SIZE];
static struct elf_load load[2];
static struct elf elf[2];
static struct pe pe;
static struct find_bias bias;
static str_id module;

static int enter(void **state)
{
	(void)state;
	session_made();
	memset(code, 0x90, sizeof(code));
	bias = (struct find_bias){ .s = &session };
	module = name_of("/app/x.so");
	return 0;
}

static int leave(void **state)
{
	(void)state;
	session_over();
	return 0;
}

/* A library all of whose bytes are code. */
static struct elf_load *add_elf(size_t i)
{
	struct item *it = add_file("x.so", STR("\177ELF"));

	load[i] =
	        (struct elf_load){ .file_size = SIZE, .size = SIZE, .executable = true };
	elf[i] = (struct elf){ .bytes = { (const char *)code[i], SIZE },
		               .load = &load[i],
		               .nloads = 1,
		               .machine = EM_X86_64 };
	it->kind = ITEM_ELF;
	it->opened = true;
	it->elf = &elf[i];
	return &load[i];
}

static void put_call(size_t file, uint64_t off)
{
	code[file][off - CALL] = 0xe8;
}

/* An address, and a call before it in the first file. */
static void note_call(uint64_t off)
{
	put_call(0, off);
	find_bias_note(&bias, PID, module, place + off, true);
}

static void found_at(uint64_t ip, uint64_t want)
{
	const struct mapping *m = find_bias_mapping(&bias, PID, module, ip);

	assert_non_null(m);
	assert_int_equal(m->bias, want);
	assert_int_equal(m->module, module);
}

static void nothing_at(uint64_t ip)
{
	assert_null(find_bias_mapping(&bias, PID, module, ip));
}

/* 15 to the power of addresses must exceed a hundred times the places. */
static void chance_is_one_in_fifteen(void **state)
{
	static const struct {
		size_t places, addresses;
		bool is;
	} rows[] = {
		{ 1, 0, false },      { 1, 1, true },      { 2, 1, false },
		{ 2, 2, true },       { 3, 2, false },     { 33, 3, true },
		{ 34, 3, false },     { 506, 4, true },    { 507, 4, false },
		{ 131072, 6, false }, { 131072, 7, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (find_bias_is_certain(rows[i].places, rows[i].addresses) != rows[i].is)
			fail_msg("%zu places, %zu addresses", rows[i].places,
			         rows[i].addresses);
}

/* 256 pages: three addresses would be few, four suffice. */
static void return_addresses_follow_calls(void **state)
{
	(void)state;
	add_elf(0);
	for (uint64_t i = 1; i <= 4; i++)
		note_call(i * 1000);
	nothing_at(place + 1000);
	find_bias_search(&bias);
	found_at(place + 1000, place);
	found_at(place + 77, place);
	assert_null(find_bias_mapping(&bias, PID + 1, module, place + 1000));
	assert_null(find_bias_mapping(&bias, PID, module + 1, place + 1000));
}

static void few_addresses_show_nothing(void **state)
{
	(void)state;
	add_elf(0);
	for (uint64_t i = 1; i <= 3; i++)
		note_call(i * 1000);
	find_bias_search(&bias);
	nothing_at(place + 1000);
}

static void same_address_counts_once(void **state)
{
	(void)state;
	add_elf(0);
	for (uint64_t i = 1; i <= 3; i++)
		for (int k = 0; k < 9; k++)
			note_call(i * 1000);
	find_bias_search(&bias);
	nothing_at(place + 1000);
}

static void two_places_are_none(void **state)
{
	(void)state;
	add_elf(0);
	for (uint64_t i = 1; i <= 9; i++) {
		note_call(i * 1000);
		put_call(0, i * 1000 + PAGE * 50);
	}
	find_bias_search(&bias);
	nothing_at(place + 1000);
}

/* A loader moves a file by pages. */
static void place_within_a_page_stays(void **state)
{
	(void)state;
	add_elf(0);
	for (uint64_t i = 1; i <= 9; i++) {
		put_call(0, i * 1000 + 2048);
		find_bias_note(&bias, PID, module, place + i * 1000, true);
	}
	find_bias_search(&bias);
	nothing_at(place + 1000);
}

static void data_is_no_code(void **state)
{
	(void)state;
	add_elf(0)->executable = false;
	for (uint64_t i = 1; i <= 9; i++)
		note_call(i * 1000);
	find_bias_search(&bias);
	nothing_at(place + 1000);
}

/* A segment of eight pages, and calls that end in its middle. */
static void add_segment(size_t calls)
{
	struct elf_load *l = add_elf(0);

	l->file_off = PAGE;
	l->file_size = 8 * PAGE;
	for (uint64_t i = 0; i < calls; i++)
		note_call(2 * PAGE + i * 1000);
}

/* The last byte of a call must be code. */
static void calls_end_in_a_segment(void **state)
{
	(void)state;
	add_segment(7);
	note_call(PAGE + 1);
	note_call(9 * PAGE);
	find_bias_search(&bias);
	found_at(place, place);
}

static void call_that_ends_before_it_is_none(void **state)
{
	(void)state;
	add_segment(8);
	note_call(PAGE);
	find_bias_search(&bias);
	nothing_at(place);
}

static void call_that_ends_behind_it_is_none(void **state)
{
	(void)state;
	add_segment(8);
	note_call(9 * PAGE + 1);
	find_bias_search(&bias);
	nothing_at(place);
}

/* The first address is the only one of the first three that lies in the file. */
static void address_behind_the_last_byte_is_tried(void **state)
{
	(void)state;
	add_elf(0);
	note_call(SIZE);
	for (uint64_t i = 1; i <= 2; i++)
		find_bias_note(&bias, PID, module, place + SIZE + i * PAGE * 300, true);
	for (uint64_t i = 1; i <= 18; i++)
		note_call(i * 1000);
	find_bias_search(&bias);
	found_at(place, place);
}

static void segments_that_overlap_are_one_place(void **state)
{
	struct elf_load both[2];

	(void)state;
	both[0] = both[1] = *add_elf(0);
	elf[0].load = both;
	elf[0].nloads = 2;
	for (uint64_t i = 1; i <= 9; i++)
		note_call(i * 1000);
	find_bias_search(&bias);
	found_at(place, place);
}

/* One in ten may be garbage, and of the first three two. */
static void one_in_ten_may_follow_no_call(void **state)
{
	(void)state;
	add_elf(0);
	find_bias_note(&bias, PID, module, place + 1, true);
	for (uint64_t i = 1; i <= 9; i++)
		note_call(i * 1000);
	find_bias_search(&bias);
	found_at(place, place);
}

static void two_in_nineteen_may_not(void **state)
{
	(void)state;
	add_elf(0);
	find_bias_note(&bias, PID, module, place + 1, true);
	find_bias_note(&bias, PID, module, place + 2, true);
	for (uint64_t i = 1; i <= 17; i++)
		note_call(i * 1000);
	find_bias_search(&bias);
	nothing_at(place);
}

static void third_address_may_be_the_first_that_is_right(void **state)
{
	(void)state;
	add_elf(0);
	for (uint64_t i = 1; i <= 2; i++)
		find_bias_note(&bias, PID, module, place + SIZE + i * PAGE * 300, true);
	for (uint64_t i = 1; i <= 18; i++)
		note_call(i * 1000);
	find_bias_search(&bias);
	found_at(place, place);
}

static void fourth_address_is_not_tried(void **state)
{
	(void)state;
	add_elf(0);
	for (uint64_t i = 1; i <= 3; i++)
		find_bias_note(&bias, PID, module, place + SIZE + i * PAGE * 300, true);
	for (uint64_t i = 1; i <= 40; i++)
		note_call(i * 1000);
	find_bias_search(&bias);
	nothing_at(place);
}

/* 64 addresses count: of those six are wrong, a seventh would be too many. */
static void first_64_addresses_count(void **state)
{
	(void)state;
	add_elf(0);
	for (uint64_t i = 1; i <= 64; i++) {
		if (i % 8 == 7 && i < 50)
			find_bias_note(&bias, PID, module, place + i * 1000, true);
		else
			note_call(i * 1000);
	}
	find_bias_note(&bias, PID, module, place + 3, true);
	find_bias_search(&bias);
	found_at(place, place);
}

static void files_of_one_name_must_not_differ(void **state)
{
	(void)state;
	add_elf(0);
	add_elf(1);
	for (uint64_t i = 1; i <= 9; i++) {
		note_call(i * 1000);
		put_call(1, i * 1000);
	}
	find_bias_search(&bias);
	found_at(place, place);
	memset(code[1], 0x90, SIZE);
	for (uint64_t i = 1; i <= 9; i++)
		put_call(1, i * 1000 + PAGE);
	find_bias_search(&bias);
	nothing_at(place);
}

static void debug_file_has_no_code(void **state)
{
	(void)state;
	add_elf(0);
	elf[0].bare = true;
	for (uint64_t i = 1; i <= 9; i++)
		note_call(i * 1000);
	find_bias_search(&bias);
	nothing_at(place);
}

/* As many places as are tried, and one more. */
static void places_are_not_endless(void **state)
{
	const uint64_t most = 1 << 17;

	(void)state;
	for (uint64_t more = 0; more < 2; more++) {
		struct elf_load *l = add_elf(0);
		struct elf_load both[2] = { *l, *l };

		/* Its pages are tried first, and hold nothing. */
		both[0].file_off = (uint64_t)1 << 40;
		both[0].file_size = (most - 2 + more) * PAGE - 1;
		both[1].file_off = 0;
		both[1].file_size = SIZE;
		elf[0].load = both;
		elf[0].nloads = 2;
		bias = (struct find_bias){ .s = &session };
		for (uint64_t i = 1; i <= 9; i++)
			note_call(PAGE + i * 16);
		find_bias_search(&bias);
		if (more)
			nothing_at(place);
		else
			found_at(place, place);
	}
}

/* A text may not say whose a thread is: then one name stands for several places. */
static void processes_have_a_file_far_apart(void **state)
{
	const uint64_t apart = (uint64_t)1 << 28;

	(void)state;
	add_elf(0);
	for (uint64_t i = 1; i <= 9; i++)
		note_call(i * 1000);
	for (uint64_t i = 1; i <= 9; i++)
		find_bias_note(&bias, PID, module, place + apart + PAGE + i * 1000, true);
	assert_int_equal(bias.n, 2);
	find_bias_note(&bias, PID, module, place + 1000 + apart - 1, true);
	find_bias_note(&bias, PID, module, place + 1000 - apart, true);
	assert_int_equal(bias.n, 2);
	find_bias_note(&bias, PID, module, place + 1000 - apart - 1, true);
	assert_int_equal(bias.n, 3);
	find_bias_search(&bias);
	nothing_at(place + ((uint64_t)1 << 40));
}

static void so_many_places_of_one_name(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 17; i++)
		find_bias_note(&bias, PID, module, i << 32, true);
	assert_int_equal(bias.n, 17);
	/* The first is not looked at any more, the second is. */
	find_bias_note(&bias, PID, module, 1ull << 32, true);
	assert_int_equal(bias.n, 17);
	find_bias_note(&bias, PID, module, 0, true);
	assert_int_equal(bias.n, 18);
}

static void so_many_modules(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 4097; i++)
		find_bias_note(&bias, PID, 1000 + i, place, true);
	assert_int_equal(bias.n, 4096);
	find_bias_note(&bias, PID, 1000, place + 1, true);
	assert_int_equal(bias.n, 4096);
}

static struct item *add_pe(void)
{
	struct item *it = add_file("x.dll", STR("MZ"));

	module = name_of("/app/x.dll");
	pe = (struct pe){ .bytes = { (const char *)code[0], SIZE },
		          .machine = PE_X64,
		          .nsections = 2 };
	pe.section[0] = (struct pe_section){ .file_off = 0, .raw_size = 8 * PAGE };
	pe.section[1] = (struct pe_section){ .file_off = 8 * PAGE,
		                             .rva = 9 * PAGE,
		                             .raw_size = SIZE / 2,
		                             .executable = true };
	it->kind = ITEM_PE;
	it->opened = true;
	it->pe = &pe;
	return it;
}

/* The first and the last place where a call can end in its code. */
static void calls_end_in_a_section(void **state)
{
	(void)state;
	add_pe();
	for (uint64_t i = 1; i <= 7; i++)
		note_call(8 * PAGE + i * 1000);
	note_call(8 * PAGE + 1);
	note_call(8 * PAGE + SIZE / 2);
	find_bias_search(&bias);
	found_at(place, place);
}

static void call_that_ends_beside_the_section_is_none(void **state)
{
	static const uint64_t beside[] = { PAGE, 8 * PAGE, 8 * PAGE + SIZE / 2 + 1 };

	(void)state;
	add_pe();
	/* Not counted as one of the image's. */
	pe.section[2] = pe.section[1];
	pe.section[2].file_off = 0;
	pe.section[2].raw_size = SIZE;
	for (size_t k = 0; k < sizeof(beside) / sizeof(*beside); k++) {
		bias = (struct find_bias){ .s = &session };
		for (uint64_t i = 1; i <= 8; i++)
			note_call(8 * PAGE + i * 1000);
		note_call(beside[k]);
		find_bias_search(&bias);
		nothing_at(place);
	}
}

static void code_may_be_the_first_section(void **state)
{
	(void)state;
	add_pe();
	pe.section[0] = pe.section[1];
	pe.nsections = 1;
	for (uint64_t i = 1; i <= 9; i++)
		note_call(8 * PAGE + i * 1000);
	find_bias_search(&bias);
	found_at(place, place);
}

/* The .NET runtime reserves memory by 64 KiB: 8 places need three addresses. */
static void image_is_moved_by_more_than_a_page(void **state)
{
	(void)state;
	add_pe();
	for (uint64_t i = 1; i <= 3; i++) {
		note_call(8 * PAGE + i * 1000);
		put_call(0, 8 * PAGE + i * 1000 + STEP / 2);
	}
	find_bias_search(&bias);
	found_at(place, place);
}

static void image_of_unknown_instructions_shows_nothing(void **state)
{
	(void)state;
	add_pe();
	pe.machine = PE_ARM;
	for (uint64_t i = 1; i <= 9; i++)
		note_call(8 * PAGE + i * 1000);
	find_bias_search(&bias);
	nothing_at(place);
}

static void section_of_data_is_no_code(void **state)
{
	(void)state;
	add_pe();
	for (uint64_t i = 1; i <= 9; i++)
		note_call(i * 1000);
	find_bias_search(&bias);
	nothing_at(place);
}

#define LOAD "ImageLoad;/app/x.dll;{1f33821d-7269-4e7c-9624-2a2dd196d398};"

/* Of two loads the one below the lowest address. */
static void perfinfo_says_where_an_image_lay(void **state)
{
	(void)state;
	add_file("perfinfo-7.map", STR(LOAD "7f1234570000;\n" LOAD "7f1234571000;\n"));
	module = name_of("/app/x.dll");
	find_bias_note(&bias, PID, module, place + 5000, true);
	find_bias_note(&bias, PID, module, place + 1, true);
	find_bias_search(&bias);
	found_at(place, place);
}

/* Without its own image the address is that of the file's first byte. */
static void image_says_where_its_code_is_in_the_file(void **state)
{
	static const unsigned char mvid[MVID_BYTES] = { 0x1d, 0x82, 0x33, 0x1f,
		                                        0x69, 0x72, 0x7c, 0x4e,
		                                        0x96, 0x24, 0x2a, 0x2d,
		                                        0xd1, 0x96, 0xd3, 0x98 };

	(void)state;
	perfinfo_says_where_an_image_lay(NULL);
	add_pe();
	pe.has_mvid = true;
	find_bias_search(&bias);
	found_at(place, place);
	memcpy(pe.mvid, mvid, MVID_BYTES);
	find_bias_search(&bias);
	found_at(place, place + PAGE);
	pe.section[0] = pe.section[1];
	pe.nsections = 1;
	find_bias_search(&bias);
	found_at(place, place + PAGE);
}

static void file_is_smaller_than_256_mib(void **state)
{
	const uint64_t apart = (uint64_t)1 << 28;

	(void)state;
	find_bias_note(&bias, PID, module, place, true);
	find_bias_note(&bias, PID, module, place + apart - 1, true);
	find_bias_note(&bias, PID, module, place - apart, true);
	assert_int_equal(bias.n, 1);
	find_bias_note(&bias, PID, module, place + apart, true);
	assert_int_equal(bias.n, 2);
}

/* Another file of that name, and an image without an MVID, are not the one that was loaded. */
static void other_files_of_that_name_say_nothing(void **state)
{
	(void)state;
	add_file("perfinfo-7.map",
	         STR("ImageLoad;/app/"
	             "x.dll;{00000000-0000-0000-0000-000000000000};7f1234570000;\n"));
	add_pe();
	add_file("x.dll", STR("\177ELF"));
	find_bias_note(&bias, PID, module, place + 1, true);
	find_bias_search(&bias);
	found_at(place, place);
	pe.has_mvid = true;
	find_bias_search(&bias);
	found_at(place, place + PAGE);
}

static void files_of_one_name_are_tried(void **state)
{
	(void)state;
	for (size_t n = 255; n <= 256; n++) {
		session_over();
		enter(NULL);
		add_elf(0);
		add_files(n, "x.so", STR("text"));
		for (uint64_t i = 1; i <= 9; i++)
			note_call(i * 1000);
		find_bias_search(&bias);
		if (n < 256)
			found_at(place, place);
		else
			nothing_at(place);
	}
}

/* 256 loads of one path, of which the first is the only one below. */
static void loads_of_one_path_are_tried(void **state)
{
	(void)state;
	for (size_t n = 255; n <= 256; n++) {
		struct str text = STR(LOAD "7f1234570000;\n");

		session_over();
		enter(NULL);
		module = name_of("/app/x.dll");
		for (size_t i = 0; i < n; i++)
			text = arena_fmt(&session.run, "%s" LOAD "%llx;\n", text.p,
			                 (unsigned long long)(place + (i + 1) * STEP));
		add_file("perfinfo-7.map", text);
		find_bias_note(&bias, PID, module, place + 1, true);
		find_bias_search(&bias);
		if (n < 256)
			found_at(place, place);
		else
			nothing_at(place);
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(chance_is_one_in_fifteen),
		TEST(return_addresses_follow_calls),
		TEST(few_addresses_show_nothing),
		TEST(same_address_counts_once),
		TEST(two_places_are_none),
		TEST(place_within_a_page_stays),
		TEST(data_is_no_code),
		TEST(calls_end_in_a_segment),
		TEST(call_that_ends_before_it_is_none),
		TEST(call_that_ends_behind_it_is_none),
		TEST(address_behind_the_last_byte_is_tried),
		TEST(segments_that_overlap_are_one_place),
		TEST(one_in_ten_may_follow_no_call),
		TEST(two_in_nineteen_may_not),
		TEST(third_address_may_be_the_first_that_is_right),
		TEST(fourth_address_is_not_tried),
		TEST(first_64_addresses_count),
		TEST(files_of_one_name_must_not_differ),
		TEST(debug_file_has_no_code),
		TEST(places_are_not_endless),
		TEST(processes_have_a_file_far_apart),
		TEST(so_many_places_of_one_name),
		TEST(so_many_modules),
		TEST(image_is_moved_by_more_than_a_page),
		TEST(calls_end_in_a_section),
		TEST(call_that_ends_beside_the_section_is_none),
		TEST(code_may_be_the_first_section),
		TEST(image_of_unknown_instructions_shows_nothing),
		TEST(section_of_data_is_no_code),
		TEST(perfinfo_says_where_an_image_lay),
		TEST(image_says_where_its_code_is_in_the_file),
		TEST(file_is_smaller_than_256_mib),
		TEST(other_files_of_that_name_say_nothing),
		TEST(files_of_one_name_are_tried),
		TEST(loads_of_one_path_are_tried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
