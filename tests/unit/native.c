/* Which ELF file names the code of a mapping: build-ids, lengths and calls. */
#include "bind/native/elf_calls.h"
#include "bind/native/name_offset.h"
#include "bind/shared_code.h"
#include "nativemade.h"
#include "source/decompress.h"

static void assumed_by_calls(size_t n, size_t bad, uint64_t less, bool named)
{
	add_elf(0, "x.so");
	note_calls(assumed(), 0, n, bad, less);
	assert_int_equal(is_named(assumed()), named);
}

static void assumed_needs_8_calls(void **state)
{
	(void)state;
	assumed_by_calls(8, 0, 0, true);
}

static void assumed_with_7_calls_is_none(void **state)
{
	(void)state;
	assumed_by_calls(7, 0, 0, false);
	assert_non_null(strstr(bind_files(session.binder, assumed())->why, "too few"));
}

static void assumed_needs_9_calls_in_10(void **state)
{
	(void)state;
	assumed_by_calls(10, 1, 0, true);
}

static void assumed_with_fewer_is_none(void **state)
{
	(void)state;
	assumed_by_calls(19, 2, 0, false);
}

static void last_bytes_of_calls_count_likewise(void **state)
{
	(void)state;
	assumed_by_calls(10, 1, 1, true);
}

static void bytes_before_them_do_not(void **state)
{
	(void)state;
	assumed_by_calls(10, 0, 2, false);
}

/* n return addresses in a file that -m names, and `bad` that follow no call. */
static bool given_by_calls(size_t n, size_t bad)
{
	add_one(0, "x.so", true);
	note_calls(assumed(), 0, n, bad, 0);
	return is_named(assumed());
}

static void given_file_needs_2_calls(void **state)
{
	(void)state;
	assert_true(given_by_calls(2, 0));
}

static void given_file_with_1_is_none(void **state)
{
	(void)state;
	assert_false(given_by_calls(1, 0));
}

static void given_file_with_few_needs_all(void **state)
{
	(void)state;
	assert_false(given_by_calls(7, 1));
}

static void given_file_with_many_needs_9_in_10(void **state)
{
	(void)state;
	assert_true(given_by_calls(10, 1));
}

/* A file of another name that -m names, of which m may be: n calls, `bad` follow none. */
static const struct native_files *given_for(const struct mapping *m, size_t n, size_t bad)
{
	add_one(0, "/home/me/x-1.2", true);
	note_calls(m, 0, n, bad, 0);
	bind_decide(session.binder, session.ps, false);
	is_named(m);
	return bind_files(session.binder, m);
}

static void given_file_is_taken_for_what_it_fits(void **state)
{
	const struct mapping *m = mapped(SIZE, 0);

	(void)state;
	assert_int_equal(given_for(m, 2, 0)->how, VERIFIED_CALLS);
	assert_true(is_named(m));
}

static const char *why_not_given(void)
{
	return session.locator.item[session.locator.n - 1].why;
}

static void given_file_needs_its_segments(void **state)
{
	(void)state;
	assert_null(given_for(mapped(SIZE - 0x1000, 0), 9, 0)->image);
	assert_string_equal(why_not_given(), "its segments fit no mapping");
}

static void given_file_needs_all_its_calls(void **state)
{
	(void)state;
	assert_null(given_for(mapped(SIZE, 0), 4, 1)->image);
	assert_string_equal(why_not_given(),
	                    "its segments fit /app/x.so, but of 4 return addresses "
	                    "sampled there 3 follow calls in it");
}

static void given_file_needs_a_return_address(void **state)
{
	(void)state;
	assert_null(given_for(mapped(SIZE, 0), 0, 0)->image);
	assert_non_null(strstr(why_not_given(), "no return address was sampled there"));
}

static void given_file_may_be_of_one_module_only(void **state)
{
	const struct mapping *m = mapped(SIZE, 0), *other;

	(void)state;
	map_file(2 * start, SIZE, 0, "/app/y.so");
	other = process_find(session.ps, PID, 2 * start, MODE_USER);
	add_one(0, "/home/me/x-1.2", true);
	note_calls(other, 0, 3, 0, 0);
	note_calls(m, 0, 3, 0, 0);
	bind_decide(session.binder, session.ps, false);
	assert_false(is_named(m));
	assert_string_equal(why_not_given(), "it may be /app/x.so or /app/y.so");
	assert_false(is_named(other));
}

static void file_of_an_archive_is_not_given(void **state)
{
	const struct mapping *m = mapped(SIZE, 0);

	(void)state;
	add_one(0, "/home/me/x-1.2", false);
	note_calls(m, 0, 9, 0, 0);
	bind_decide(session.binder, session.ps, false);
	assert_false(is_named(m));
}

static void given_file_that_names_something_else_is_left(void **state)
{
	const struct mapping *m = mapped(SIZE, 0);

	(void)state;
	add_elf(1, "x.so");
	memset(code[1], 0xe8, SIZE);
	assert_int_equal(given_for(m, 3, 0)->how, VERIFIED_PATH);
	assert_ptr_equal(bind_files(session.binder, m)->image->elf, &elf[1]);
}

static void other_addresses_are_no_evidence(void **state)
{
	(void)state;
	add_elf(0, "x.so");
	for (size_t i = 0; i < 100; i++) {
		code[0][FIRST_CALL + i * STEP - 5] = 0xe8;
		bind_note(session.binder, assumed(), PID, FIRST_CALL + i * STEP, false,
		          false);
	}
	assert_false(is_named(assumed()));
}

/* Of code in two parts, what lies in the other one follows no call of the first. */
static void parts_of_code_have_one_shift(void **state)
{
	(void)state;
	add_elf(0, "x.so")->nloads = 2;
	load[0][0].file_size = FIRST_CALL + 7 * STEP;
	load[0][1] = load[0][0];
	load[0][1].file_off = FIRST_CALL + 7 * STEP;
	load[0][1].file_size = SIZE - load[0][1].file_off;
	load[0][1].va = 2 * SHIFT;
	note_calls(assumed(), 0, 20, 0, 0);
	assert_false(is_named(assumed()));
}

static void names_confirm_a_file(void **state)
{
	(void)state;
	add_elf(0, "x.so");
	name_offset_confirm(session.binder, assumed());
	assert_true(is_named(assumed()));
}

static void length_tells_without_a_build_id(void **state)
{
	const struct mapping *m = mapped(SIZE, 0);

	(void)state;
	add_elf(0, "x.so");
	assert_true(is_named(m));
	assert_int_equal(bind_files(session.binder, m)->how, VERIFIED_PATH);
	assert_int_equal(session.binder->natives->unverified.n, 1);
	assert_int_equal(session.binder->natives->trusted.n, 0);
}

static void another_length_is_another_file(void **state)
{
	const struct mapping *m = mapped(SIZE - 0x1000, 0);

	(void)state;
	add_elf(0, "x.so");
	note_calls(m, 0, 7, 0, 0);
	assert_false(is_named(m));
	assert_non_null(strstr(bind_files(session.binder, m)->why, "another length"));
	assert_int_equal(session.binder->natives->refused.n, 1);
}

static void unless_calls_tell(void **state)
{
	const struct mapping *m = mapped(SIZE - 0x1000, 0);

	(void)state;
	add_elf(0, "x.so");
	note_calls(m, 0, 8, 0, 0);
	assert_true(is_named(m));
}

static void build_id_must_agree(void **state)
{
	struct mapping m = *mapped(SIZE, 0);

	(void)state;
	m.build_id = STR("0123456789abcdef0123");
	add_elf(0, "x.so")->build_id = STR("0123456789abcdef0124");
	assert_false(is_named(&m));
	assert_non_null(strstr(bind_files(session.binder, &m)->why, "build-id differs"));
}

static void build_id_suffices(void **state)
{
	struct mapping m = *mapped(SIZE - 0x1000, 0);

	(void)state;
	m.build_id = STR("0123456789abcdef0123");
	add_elf(0, "x.so")->build_id = m.build_id;
	assert_true(is_named(&m));
	assert_int_equal(bind_files(session.binder, &m)->how, VERIFIED_ID);
	assert_int_equal(session.binder->natives->unverified.n, 0);
}

static void longest_common_path_wins(void **state)
{
	const struct mapping *m = mapped(SIZE, 0);

	(void)state;
	add_elf(0, "a/x.so");
	add_elf(1, "b/app/x.so");
	add_elf(2, "c/x.so");
	assert_true(is_named(m));
	assert_ptr_equal(bind_files(session.binder, m)->image->elf, &elf[1]);
}

/* Data is mapped from the file, and a wrong return address leads there. */
static void data_of_a_file_is_no_reason_to_refuse_it(void **state)
{
	const struct mapping *m = mapped(0x1000, SIZE - 0x1000);
	struct mapping with_id = *m;

	(void)state;
	with_id.build_id = STR("0123456789abcdef0123");
	add_elf(0, "x.so")->build_id = with_id.build_id;
	elf[0].nloads = 2;
	load[0][0].file_size = load[0][0].size = SIZE - 0x1000;
	load[0][1] = (struct elf_load){
		.file_off = SIZE - 0x1000, .va = SIZE, .file_size = 0x1000, .size = 0x1000
	};
	assert_false(is_named(&with_id));
	assert_null(bind_files(session.binder, &with_id)->refused);
}

static void what_lies_behind_a_file_refuses_it(void **state)
{
	struct mapping m = *mapped(0x1000, SIZE);

	(void)state;
	m.build_id = STR("0123456789abcdef0123");
	add_elf(0, "x.so")->build_id = m.build_id;
	elf[0].nloads = 2;
	load[0][0].file_size = load[0][0].size = SIZE - 0x1000;
	load[0][1] = (struct elf_load){
		.file_off = SIZE - 0x1000, .va = SIZE, .file_size = 0x1000, .size = 0x1000
	};
	assert_false(is_named(&m));
	assert_non_null(bind_files(session.binder, &m)->refused);
}

static void first_of_a_remark_is_said_and_each_counted_once(void **state)
{
	struct native_remark r = { 0 };

	(void)state;
	add_elf(0, "x.so");
	add_elf(1, "y.so");
	for (size_t i = 0; i < 4; i++)
		native_remark(session.binder, &r, &session.locator.item[i / 2], "why");
	assert_int_equal(r.n, 2);
	assert_ptr_equal(r.first, &session.locator.item[0]);
}

static void image_and_debug_file_are_one_native(void **state)
{
	struct native_files both, debug = { 0 }, image = { 0 };
	uint32_t number;

	(void)state;
	add_elf(0, "x.so");
	add_elf(1, "x.so.debug");
	image.image = &session.locator.item[0];
	debug.debug = &session.locator.item[1];
	both = image;
	both.debug = debug.debug;
	number = native_add(session.binder, &both);
	assert_int_equal(native_add(session.binder, &both), number);
	assert_int_not_equal(native_add(session.binder, &debug), number);
	assert_int_not_equal(native_add(session.binder, &image), number);
	assert_int_equal(session.binder->natives->n, 3);
}

static void nothing_is_looked_for_in_brackets(void **state)
{
	const struct mapping *m;

	(void)state;
	map_file(start, SIZE, 0, "[x]");
	m = process_find(session.ps, PID, start, MODE_USER);
	add_elf(0, "[x]");
	assert_null(native_open(session.binder, m, &(uint64_t){ 0 }));
	assert_null(bind_files(session.binder, m)->refused);
}

/* An image that tells so much, and a debug file of the same build-id that tells so much. */
static bool takes_debug(bool dwarf, bool symtab, bool debug_dwarf, bool debug_symtab)
{
	struct mapping m = *mapped(SIZE, 0);
	struct elf *image, *debug;

	m.build_id = STR("0123456789abcdef0123");
	image = add_elf(0, "x.so");
	debug = add_elf(1, "x.so.debug");
	image->build_id = debug->build_id = m.build_id;
	image->has_dwarf = dwarf;
	image->has_symtab = symtab;
	debug->has_dwarf = debug_dwarf;
	debug->has_symtab = debug_symtab;
	debug->bare = true;
	assert_true(is_named(&m));
	return bind_files(session.binder, &m)->debug != NULL;
}

static void symbols_and_lines_need_no_debug_file(void **state)
{
	(void)state;
	assert_false(takes_debug(true, true, true, true));
}

static void debug_file_has_lines(void **state)
{
	(void)state;
	assert_true(takes_debug(false, true, true, false));
}

static void debug_file_has_only_symbols(void **state)
{
	(void)state;
	assert_false(takes_debug(true, false, false, true));
}

static void debug_file_has_no_more(void **state)
{
	(void)state;
	assert_false(takes_debug(false, true, false, true));
}

static void debug_file_has_more(void **state)
{
	(void)state;
	assert_true(takes_debug(true, false, true, true));
}

/* Without a build-id the program says the name and the checksum of its debug file. */
static void linked_debug_file(uint32_t wrong)
{
	const struct mapping *m = mapped(SIZE, 0);
	struct elf *image = add_elf(0, "x.so"), *debug = add_elf(1, "y.dbg");

	image->has_dwarf = image->has_symtab = false;
	image->debug_link = STR("y.dbg");
	image->debug_crc = decompress_crc32(debug->bytes) ^ wrong;
	debug->bare = true;
	assert_true(is_named(m));
	if (wrong)
		assert_non_null(strstr(bind_files(session.binder, m)->why, "checksum"));
	assert_int_equal(bind_files(session.binder, m)->debug != NULL, !wrong);
}

static void checksum_of_a_linked_file(void **state)
{
	(void)state;
	linked_debug_file(0);
}

static void another_checksum_is_another_file(void **state)
{
	(void)state;
	linked_debug_file(1);
}

/* Another address than that of "f": the file is another build, if its code has one shift. */
static bool two_parts_show(uint64_t apart)
{
	struct mapping m = { .path = name_of(lib), .assumed = true };
	struct frame_text ft = { .addr = 5, .func = STR("f"), .has_off = true };
	struct name_offset out;
	struct native *n;

	add_elf(0, "x.so")->nloads = 2;
	load[0][1] = load[0][0];
	load[0][1].va += apart;
	native_add(session.binder,
	           &(struct native_files){ .image = &session.locator.item[0] });
	n = &session.binder->natives->native[0];
	n->read = true;
	symtab_add(&n->symbols, &session.run, SHIFT, 16, STR("f"));
	symtab_sort(&n->symbols, &session.run);
	return name_offset_compare(session.binder, &m, &ft, &out);
}

static void code_has_one_shift(void **state)
{
	(void)state;
	assert_true(two_parts_show(0));
}

static void code_with_two_shifts_shows_nothing(void **state)
{
	(void)state;
	assert_false(two_parts_show(1));
}

/* fixtures/elf/names.so has "strong" at 0x340. */
static struct name_offset compare(uint64_t addr, uint64_t func_off, bool shows)
{
	struct mapping m = { .path = name_of("/x/names.so"), .assumed = true };
	struct frame_text ft = {
		.addr = addr, .func = STR("strong"), .func_off = func_off, .has_off = true
	};
	struct name_offset out;

	if (!session.locator.n)
		add_file("names.so", file_bytes(&session.run, "fixtures/elf/names.so"));
	assert_int_equal(name_offset_compare(session.binder, &m, &ft, &out), shows);
	return out;
}

static void name_shows_offsets(void **state)
{
	struct name_offset at = compare(0x345, 5, true);

	(void)state;
	assert_true(at.offset);
	assert_false(at.absolute);
}

static void name_shows_where_a_file_lay(void **state)
{
	struct name_offset at = compare(0x7f0000000345, 5, true);

	(void)state;
	assert_false(at.offset);
	assert_true(at.absolute);
	assert_int_equal(at.bias, 0x7f0000000000);
}

static void nothing_lies_below_64_kib(void **state)
{
	(void)state;
	assert_true(compare(0x10340, 0, true).absolute);
	assert_false(compare(0xf340, 0, true).absolute);
}

static void loaders_move_by_pages(void **state)
{
	struct name_offset at = compare(0x7f0000000350, 0, true);

	(void)state;
	assert_false(at.offset || at.absolute);
}

static void offset_is_not_before_the_function(void **state)
{
	(void)state;
	compare(5, 6, false);
}

/* The symbols of file i, in the order of their addresses. */
static struct native *add_symbols(size_t i, const struct symbol *sym, size_t n)
{
	uint32_t number =
	        native_add(session.binder,
	                   &(struct native_files){ .image = &session.locator.item[i] });
	struct native *native = &session.binder->natives->native[number];

	native->read = true;
	for (size_t k = 0; k < n; k++)
		symtab_add(&native->symbols, &session.run, sym[k].start,
		           sym[k].end - sym[k].start, sym[k].name);
	symtab_sort(&native->symbols, &session.run);
	return native;
}

/* Pointers that lay on the stack, behind 8 return addresses: where functions begin. */
static bool named_beside(const char *func, uint64_t behind)
{
	struct symbol sym[5];

	add_elf(0, "x.so");
	note_calls(assumed(), 0, 8, 0, 0);
	for (size_t i = 0; i < 5; i++) {
		uint64_t off = FIRST_CALL + (20 + i) * STEP;

		sym[i].start = SHIFT + off - behind;
		sym[i].end = sym[i].start + STEP;
		sym[i].name = str_of(func);
		bind_note(session.binder, assumed(), PID, off, true, false);
	}
	add_symbols(0, sym, 5);
	return is_named(assumed());
}

static void begins_of_functions_are_no_return_addresses(void **state)
{
	(void)state;
	assert_true(named_beside("f", 0));
}

static void other_places_in_functions_are(void **state)
{
	(void)state;
	assert_false(named_beside("f", 1));
}

static void go_has_stacks_begin_in_goexit(void **state)
{
	(void)state;
	assert_true(named_beside("runtime.goexit.abi0", 1));
}

/* A call that is the last instruction of the code, and one whose first byte is the first. */
static void calls_may_end_where_the_code_does(void **state)
{
	static const uint64_t off[] = { 5, SIZE };

	(void)state;
	add_elf(0, "x.so");
	for (size_t i = 0; i < 2; i++) {
		code[0][off[i] - 5] = 0xe8;
		bind_note(session.binder, assumed(), PID, off[i], true, false);
	}
	note_calls(assumed(), 0, 6, 0, 0);
	assert_true(is_named(assumed()));
}

static void call_behind_the_code_is_none(void **state)
{
	(void)state;
	add_elf(0, "x.so");
	load[0][0].file_size = load[0][0].size = FIRST_CALL + 7 * STEP - 1;
	note_calls(assumed(), 0, 8, 0, 0);
	assert_false(is_named(assumed()));
}

static void so_many_calls_show_a_file(void **state)
{
	static const struct {
		struct elf_calls calls;
		bool all, agree, given;
	} rows[] = {
		{ { 0, 0, 0 }, false, false, false },
		{ { 1, 1, 0 }, false, false, false },
		{ { 2, 2, 0 }, false, false, true },
		{ { 2, 0, 2 }, false, false, true },
		{ { 7, 7, 0 }, false, false, true },
		{ { 7, 6, 6 }, false, false, false },
		{ { 8, 8, 0 }, true, true, true },
		{ { 8, 0, 8 }, true, true, true },
		{ { 8, 7, 7 }, false, false, false },
		{ { 10, 9, 2 }, false, true, true },
		{ { 10, 2, 9 }, false, true, true },
		{ { 99, 89, 10 }, false, false, false },
		{ { 100, 90, 9 }, false, true, true },
		{ { 100, 89, 11 }, false, false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (elf_calls_all(&rows[i].calls) != rows[i].all ||
		    elf_calls_agree(&rows[i].calls, false) != rows[i].agree ||
		    elf_calls_agree(&rows[i].calls, true) != rows[i].given)
			fail_msg("%zu calls, %zu, %zu", rows[i].calls.all,
			         rows[i].calls.good, rows[i].calls.last);
}

/* Bytes of a file from 0x2000 to 0x3000 are data. */
static void data_has_any_byte_of_a_mapping(void **state)
{
	static const struct {
		uint64_t off, length;
		bool data;
	} rows[] = {
		{ 0x1000, 0x1000, false }, { 0x1000, 0x1001, true }, { 0x2fff, 1, true },
		{ 0x3000, 0x1000, false }, { 0, 0x8000, true },
	};
	struct elf *e = add_elf(0, "x.so");

	(void)state;
	load[0][0] = (struct elf_load){ .file_off = 0x2000, .file_size = 0x1000 };
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct mapping m = { .first = start + rows[i].off,
			             .last = start + rows[i].off + rows[i].length,
			             .bias = start };

		load[0][0].executable = false;
		if (native_is_data(e, &m) != rows[i].data)
			fail_msg("%llx", (unsigned long long)rows[i].off);
		load[0][0].executable = true;
		assert_false(native_is_data(e, &m));
	}
}

static void mappings_of_one_file_share_its_code(void **state)
{
	const struct mapping *m = mapped(SIZE, 0), *other;
	struct shared_code a, b;

	(void)state;
	add_elf(0, "x.so");
	map_file(2 * start, SIZE, 0, lib);
	map_file(3 * start, SIZE, 0, "/app/y.so");
	other = process_find(session.ps, PID, 2 * start, MODE_USER);
	assert_true(shared_code_find(session.binder, m, &a));
	assert_true(shared_code_find(session.binder, other, &b));
	assert_int_equal(a.native, b.native);
	assert_int_equal(a.shift, SHIFT);
	assert_int_equal(a.how, VERIFIED_PATH);
	/* Mappings of a missing file share having no names, unless a map may name some. */
	other = process_find(session.ps, PID, 3 * start, MODE_USER);
	assert_true(shared_code_find(session.binder, other, &b));
	assert_int_equal(b.native, NO_NATIVE);
	assert_false(native_code(session.binder, other, &b));
	session.binder->maps->n = 1;
	assert_false(shared_code_find(session.binder, other, &b));
	assert_true(shared_code_find(session.binder, m, &b));
	session.binder->maps->n = 0;
}

static void what_the_list_does_not_have_is_not_given(void **state)
{
	const struct mapping *m = mapped(SIZE, 0);

	(void)state;
	add_one(0, "/home/me/x-1.2", true);
	note_calls(m, 0, 9, 0, 0);
	session.locator.n--;
	bind_decide(session.binder, session.ps, false);
	assert_false(is_named(m));
}

/* The last of two symbols is not in the table. */
static void function_behind_the_table_shows_nothing(void **state)
{
	static const struct symbol sym[] = { { SHIFT + 16, SHIFT + 32, 0, STR("f") },
		                             { SHIFT + 48, SHIFT + 64, 0, STR("g") } };
	struct mapping m = { .path = name_of(lib), .assumed = true };
	struct frame_text ft = { .addr = 48, .func = STR("g"), .has_off = true };
	struct name_offset out;

	(void)state;
	add_elf(0, "x.so");
	add_symbols(0, sym, 2)->symbols.n--;
	assert_false(name_offset_compare(session.binder, &m, &ft, &out));
	ft.addr = 50;
	assert_false(name_offset_compare(session.binder, &m, &ft, &out));
	ft.func = STR("f");
	assert_true(name_offset_compare(session.binder, &m, &ft, &out));
	assert_false(out.offset || out.absolute);
	ft.addr = 16;
	assert_true(name_offset_compare(session.binder, &m, &ft, &out));
	assert_true(out.offset && !out.absolute);
}

/* Two functions of one name, whose places differ by pages: where the file lay is not known. */
static void functions_of_one_name_are_ambiguous(void **state)
{
	static const struct symbol sym[] = {
		{ SHIFT + 0x10, SHIFT + 0x20, 0, STR("f") },
		{ SHIFT + 0x1010, SHIFT + 0x1020, 0, STR("f") },
		{ SHIFT + 0x2018, SHIFT + 0x2020, 0, STR("f") },
	};
	struct mapping m = { .path = name_of(lib), .assumed = true };
	struct frame_text ft = { .addr = start + 0x10,
		                 .func = STR("f"),
		                 .has_off = true };
	struct name_offset out;

	(void)state;
	add_elf(0, "x.so");
	add_symbols(0, sym, 3);
	assert_false(name_offset_compare(session.binder, &m, &ft, &out));
	assert_true(out.absolute && out.ambiguous);
	ft.addr = start + 0x18;
	assert_true(name_offset_compare(session.binder, &m, &ft, &out));
	assert_true(out.absolute && !out.ambiguous);
	assert_int_equal(out.bias, start - 0x2000);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(assumed_needs_8_calls),
		test(assumed_with_7_calls_is_none),
		test(assumed_needs_9_calls_in_10),
		test(assumed_with_fewer_is_none),
		test(last_bytes_of_calls_count_likewise),
		test(bytes_before_them_do_not),
		test(given_file_needs_2_calls),
		test(given_file_with_1_is_none),
		test(given_file_with_few_needs_all),
		test(given_file_with_many_needs_9_in_10),
		test(given_file_is_taken_for_what_it_fits),
		test(given_file_needs_its_segments),
		test(given_file_needs_all_its_calls),
		test(given_file_needs_a_return_address),
		test(given_file_may_be_of_one_module_only),
		test(file_of_an_archive_is_not_given),
		test(given_file_that_names_something_else_is_left),
		test(other_addresses_are_no_evidence),
		test(parts_of_code_have_one_shift),
		test(names_confirm_a_file),
		test(length_tells_without_a_build_id),
		test(another_length_is_another_file),
		test(unless_calls_tell),
		test(build_id_must_agree),
		test(build_id_suffices),
		test(longest_common_path_wins),
		test(data_of_a_file_is_no_reason_to_refuse_it),
		test(what_lies_behind_a_file_refuses_it),
		test(first_of_a_remark_is_said_and_each_counted_once),
		test(image_and_debug_file_are_one_native),
		test(nothing_is_looked_for_in_brackets),
		test(symbols_and_lines_need_no_debug_file),
		test(debug_file_has_lines),
		test(debug_file_has_only_symbols),
		test(debug_file_has_no_more),
		test(debug_file_has_more),
		test(checksum_of_a_linked_file),
		test(another_checksum_is_another_file),
		test(code_has_one_shift),
		test(code_with_two_shifts_shows_nothing),
		test(name_shows_offsets),
		test(name_shows_where_a_file_lay),
		test(nothing_lies_below_64_kib),
		test(loaders_move_by_pages),
		test(offset_is_not_before_the_function),
		test(begins_of_functions_are_no_return_addresses),
		test(other_places_in_functions_are),
		test(go_has_stacks_begin_in_goexit),
		test(calls_may_end_where_the_code_does),
		test(call_behind_the_code_is_none),
		test(so_many_calls_show_a_file),
		test(data_has_any_byte_of_a_mapping),
		test(mappings_of_one_file_share_its_code),
		test(what_the_list_does_not_have_is_not_given),
		test(function_behind_the_table_shows_nothing),
		test(functions_of_one_name_are_ambiguous),
	};

	return cmocka_run_group_tests_name("native", tests, NULL, NULL);
}
