/* What the addresses of a text mean, and where its lines lie. */
#include "symbol/text/textplace.h"

#include "sessionmade.h"

enum { FRAMES = 16 };

static const uint64_t lay = 0x7f0000000000; /* where a library was mapped */

static struct textplace at;
static struct form_votes votes;
static struct frame frames[FRAMES];
static struct event ev;

static int enter(void **state)
{
	(void)state;
	session_made();
	textplace_init(&at, &session);
	votes = (struct form_votes){ 0 };
	return 0;
}

static int leave(void **state)
{
	(void)state;
	session_over();
	return 0;
}

/* A sample whose frames' lines are these. */
static void vote_on(const char *lines)
{
	struct str rest = str_of(lines);

	ev = (struct event){
		.kind = EV_SAMPLE, .pid = PID, .tid = PID, .frames = frames
	};
	while (rest.n) {
		assert_true(ev.nframes < FRAMES);
		frames[ev.nframes++] = (struct frame){ .line = str_cut(&rest, '\n') };
	}
	address_form_vote(&votes, &at, &ev);
}

static void votes_are(size_t offset, size_t absolute, size_t named)
{
	assert_int_equal(votes.offset, offset);
	assert_int_equal(votes.absolute, absolute);
	assert_int_equal(votes.named, named);
	votes = (struct form_votes){ 0 };
}

static void versions(void **state)
{
	static const struct {
		const char *line;
		enum address_form form;
	} rows[] = {
		{ "# perf version : 4.18.9", FORM_UNSURE },
		{ "# perf version : 4.19", FORM_ABSOLUTE },
		{ "# perf version : 5", FORM_ABSOLUTE },
		{ "# perf version : 5.15.999", FORM_ABSOLUTE },
		{ "# perf version : 5.16", FORM_OFFSET },
		{ "# perf version : 6.0-rc1", FORM_OFFSET },
		{ "# perf version : 6.3.1", FORM_OFFSET },
		{ "# perf version : 6.4", FORM_ABSOLUTE },
		{ "# perf version : 7.1", FORM_ABSOLUTE },
		{ "# perf version : x", FORM_UNSURE },
		{ "# perf versions: 6.4", FORM_UNSURE },
		{ "", FORM_UNSURE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (address_form_of_version(str_of(rows[i].line)) != rows[i].form)
			fail_msg("%s", rows[i].line);
}

static void more_than_nine_in_ten_decide(void **state)
{
	static const struct form_votes none, offset = { .offset = 10, .absolute = 1 },
	                                     many = { .offset = 9, .absolute = 1 },
	                                     absolute = { .offset = 1, .absolute = 10 },
	                                     most = { .offset = 1, .absolute = 9 };

	(void)state;
	assert_int_equal(address_form_of_votes(&none), FORM_UNSURE);
	assert_int_equal(address_form_of_votes(&offset), FORM_OFFSET);
	assert_int_equal(address_form_of_votes(&many), FORM_UNSURE);
	assert_int_equal(address_form_of_votes(&absolute), FORM_ABSOLUTE);
	assert_int_equal(address_form_of_votes(&most), FORM_UNSURE);
}

/* Frames are worth more than the version, which counts where there are none. */
static void conclusion(void **state)
{
	(void)state;
	votes.said = FORM_OFFSET;
	address_form_conclude(&votes, &at);
	assert_int_equal(at.form, FORM_OFFSET);
	votes.absolute = 10;
	address_form_conclude(&votes, &at);
	assert_int_equal(at.form, FORM_ABSOLUTE);
	votes.offset = 2;
	address_form_conclude(&votes, &at);
	assert_int_equal(at.form, FORM_UNSURE);
}

static void first_version_counts(void **state)
{
	(void)state;
	ev = (struct event){ .kind = EV_TEXT, .raw = STR("# perf version : 6.1\n") };
	address_form_vote(&votes, &at, &ev);
	ev.raw = STR("# perf version : 6.4\n");
	address_form_vote(&votes, &at, &ev);
	assert_int_equal(votes.said, FORM_OFFSET);
}

static void sizes_of_addresses(void **state)
{
	(void)state;
	vote_on("\t100000000 [unknown] (/lib/x.so)");
	votes_are(0, 1, 0);
	vote_on("\tffffffff [unknown] (/lib/x.so)");
	votes_are(0, 0, 0);
	vote_on("\t10000000 [unknown] (/lib/x.so)");
	votes_are(0, 0, 0);
	vote_on("\tfffffff [unknown] (/lib/x.so.6)\n\t1 f (/app/x.dll)\n"
	        "\t2 [unknown] (/memfd:doublemapper (deleted))");
	votes_are(3, 0, 0);
	vote_on("\t1 [unknown] (/usr/bin/x)");
	votes_are(0, 0, 0);
	vote_on("\t1 [unknown] (/tmp/jitted-7-1.so)");
	votes_are(0, 0, 0);
}

/* Kernel code, JIT code, lone addresses and inlined functions tell nothing. */
static void frames_that_tell_nothing(void **state)
{
	(void)state;
	vote_on("\tffffffff81000000 [unknown] ([kernel.kallsyms])\n"
	        "\t100000000 [unknown] (/tmp/perf-7.map)\n"
	        "\t100000000 [unknown] (//anon)\n"
	        "\t100000000 [unknown] ([heap])\n"
	        "\t100000000 [unknown] ([stack])\n"
	        "\t100000000 [unknown] ([vdso])\n"
	        "\t100000000 f (inlined)\n"
	        "100000000 [unknown] (/lib/x.so)\n"
	        "\tno frame");
	votes_are(0, 0, 0);
	frames[0] = (struct frame){ .line = STR("\t100000000 [unknown] (/lib/x.so)"),
		                    .form = LINE_BPF };
	ev.nframes = 1;
	address_form_vote(&votes, &at, &ev);
	votes_are(0, 0, 0);
}

static void mappings_tell(void **state)
{
	(void)state;
	map_file(lay, 0x2000, 0x1000, "/usr/bin/x");
	vote_on("\t7f0000000010 [unknown] (/usr/bin/x)");
	votes_are(0, 1, 0);
	vote_on("\t1010 [unknown] (/usr/bin/x)");
	votes_are(1, 0, 0);
	vote_on("\t10 [unknown] (/usr/bin/x)");
	votes_are(0, 0, 0);
	/* Of another file it is, by its size. */
	vote_on("\t7f0000000010 [unknown] (/usr/bin/y)");
	votes_are(0, 1, 0);
	/* Both are possible. */
	map_file(0x1000, 0x1000, 0, "/usr/bin/x");
	vote_on("\t1010 [unknown] (/usr/bin/x)");
	votes_are(0, 0, 0);
}

/* Addresses that nothing places are looked for: by perfinfo, or the calls before callers. */
static void unplaced_addresses_are_noted(void **state)
{
	(void)state;
	map_file(lay, 0x2000, 0x1000, "/lib/x.so");
	vote_on("\t7f1100000010 f+0x1 (/lib/y.so)\n"
	        "\t7f0000000020 [unknown] (/lib/x.so)\n"
	        "\t1020 [unknown] (/lib/x.so)\n"
	        "\t7f1100000020 f+0x1 (/lib/y.so)\n"
	        "\t7f1100000030 [unknown] (/memfd:doublemapper)\n");
	assert_int_equal(at.bias.n, 0);
	vote_on("\t7f1100000010 [unknown] (/lib/y.so)\n"
	        "\t7f1100000040 [unknown] (/lib/y.so)\n");
	assert_int_equal(at.bias.n, 1);
	vote_on("\t7f2200000010 [unknown] (/lib/y.so)\n");
	assert_int_equal(at.bias.n, 2);
}

/* fixtures/elf/names.so has "strong" at 0x340. */
static str_id with_names(void)
{
	add_file("names.so", file_bytes(&session.run, "fixtures/elf/names.so"));
	return name_of("/x/names.so");
}

/* n frames of "strong" with growing offsets, which begins at start. */
static void name_frames(uint64_t start, uint64_t first, uint64_t n)
{
	for (uint64_t i = first; i < first + n; i++)
		vote_on(arena_fmt(&session.run, "\t%llx strong+0x%llx (/x/names.so)",
		                  (unsigned long long)(start + i), (unsigned long long)i)
		                .p);
}

static void names_tell(void **state)
{
	str_id module = with_names();

	(void)state;
	name_frames(0x340, 0, 2);
	votes_are(2, 0, 2);
	assert_null(named_evidence_mapping(&at.evidence, PID, module));
	assert_false(named_evidence_refutes(&at.evidence, PID, module));
	/* Again they are not counted as others. */
	name_frames(0x340, 0, 2);
	votes_are(2, 0, 2);
	assert_int_equal(at.evidence.n, 1);
}

static void names_without_offsets_tell_nothing(void **state)
{
	(void)state;
	with_names();
	vote_on("\t340 strong (/x/names.so)\n\t340 none+0x0 (/x/names.so)");
	votes_are(2, 0, 0);
}

static void one_named_address_is_not_enough(void **state)
{
	str_id module = with_names();

	(void)state;
	name_frames(lay + 0x340, 0, 1);
	assert_null(named_evidence_mapping(&at.evidence, PID, module));
	name_frames(lay + 0x340, 1, 1);
	votes_are(0, 2, 2);
	assert_int_equal(named_evidence_mapping(&at.evidence, PID, module)->bias, lay);
	assert_null(named_evidence_mapping(&at.evidence, PID + 1, module));
	/* Met again they say the same. */
	name_frames(lay + 0x340, 0, 2);
	votes_are(0, 2, 2);
}

static void names_elsewhere_refute_the_file(void **state)
{
	str_id module = with_names();

	(void)state;
	name_frames(lay + 0x344, 0, 1);
	assert_true(named_evidence_refutes(&at.evidence, PID, module));
	assert_false(named_evidence_refutes(&at.evidence, PID + 1, module));
	name_frames(lay + 0x340, 0x100, 9);
	assert_true(named_evidence_refutes(&at.evidence, PID, module));
	assert_null(named_evidence_mapping(&at.evidence, PID, module));
	name_frames(lay + 0x340, 0x200, 1);
	assert_false(named_evidence_refutes(&at.evidence, PID, module));
	assert_non_null(named_evidence_mapping(&at.evidence, PID, module));
}

/* Of two places the first counts, and of two forms the one of most. */
static void names_must_agree_with_each_other(void **state)
{
	str_id module = with_names();

	(void)state;
	name_frames(lay + 0x340, 0, 2);
	name_frames(lay + 0x5340, 0x100, 1);
	votes_are(0, 3, 2);
	assert_true(named_evidence_refutes(&at.evidence, PID, module));
	name_frames(0x340, 0, 27);
	assert_true(named_evidence_refutes(&at.evidence, PID, module));
	name_frames(0x340, 27, 1);
	assert_false(named_evidence_refutes(&at.evidence, PID, module));
	assert_null(named_evidence_mapping(&at.evidence, PID, module));
}

static void first_64_named_addresses_count(void **state)
{
	str_id module = with_names();

	(void)state;
	name_frames(lay + 0x340, 0, 58);
	name_frames(lay + 0x344, 0x100, 6);
	assert_false(named_evidence_refutes(&at.evidence, PID, module));
	name_frames(lay + 0x344, 0x200, 1);
	assert_false(named_evidence_refutes(&at.evidence, PID, module));
	votes_are(0, 65, 58);
}

static void name_and_mapping_count_both(void **state)
{
	(void)state;
	with_names();
	map_file(lay, 0x1000, 0, "/x/names.so");
	name_frames(0x340, 0, 1);
	votes_are(2, 0, 1);
	name_frames(lay + 0x340, 1, 1);
	votes_are(0, 2, 1);
}

static void lies(str_id module, uint64_t addr, enum text_line_kind kind, uint64_t ip)
{
	struct place p = textplace_find(&at, PID, module, addr, kind);

	assert_true(p.has_ip);
	assert_int_equal(p.ip, ip);
}

static void lies_nowhere(str_id module, uint64_t addr)
{
	assert_false(textplace_find(&at, PID, module, addr, TEXT_LINE_CHAIN).has_ip);
}

static void offsets_and_addresses_lie_in_mappings(void **state)
{
	str_id x;

	(void)state;
	map_file(lay, 0x2000, 0x1000, "/x");
	x = name_of("/x");
	for (at.form = FORM_UNSURE; at.form <= FORM_ABSOLUTE; at.form++) {
		if (at.form != FORM_ABSOLUTE)
			lies(x, 0x1010, TEXT_LINE_CHAIN, lay + 0x10);
		if (at.form != FORM_OFFSET)
			lies(x, lay + 0x10, TEXT_LINE_CHAIN, lay + 0x10);
		/* Where no chain was recorded it is the address. */
		lies(x, lay + 0x10, TEXT_LINE_LONE, lay + 0x10);
	}
	at.form = FORM_ABSOLUTE;
	lies_nowhere(x, 0x1010);
	lies_nowhere(name_of("/y"), lay + 0x10);
	/* Without a module the mapping at the address is meant. */
	lies(0, lay + 0x10, TEXT_LINE_BPF, lay + 0x10);
	assert_non_null(textplace_find(&at, PID, 0, lay, TEXT_LINE_BPF).m);
	assert_null(textplace_find(&at, PID, 0, 1, TEXT_LINE_BPF).m);
	/* As an offset it may lie in what is not recorded. */
	at.form = FORM_OFFSET;
	lies(x, lay + 0x10, TEXT_LINE_CHAIN, lay + 0x10);
	assert_true(textplace_find(&at, PID, x, lay + 0x10, TEXT_LINE_CHAIN).m->assumed);
}

static void either_is_neither(void **state)
{
	str_id x;

	(void)state;
	map_file(0x10000, 0x1000, 0, "/x");
	map_file(0x20000, 0x1000, 0x10000, "/x");
	x = name_of("/x");
	lies_nowhere(x, 0x10010);
	at.form = FORM_OFFSET;
	lies(x, 0x10010, TEXT_LINE_CHAIN, 0x20010);
	at.form = FORM_ABSOLUTE;
	lies(x, 0x10010, TEXT_LINE_CHAIN, 0x10010);
}

static void files_without_mapping(void **state)
{
	str_id x = name_of("/x"), jitted = name_of("/tmp/jitted-7-1.so");

	(void)state;
	lies_nowhere(x, 0x10);
	lies(jitted, 0x10, TEXT_LINE_CHAIN, 0x10);
	at.form = FORM_OFFSET;
	lies(x, 0x10, TEXT_LINE_CHAIN, 0x10);
	lies_nowhere(name_of("[vdso]"), 0x10);
	at.form = FORM_ABSOLUTE;
	lies_nowhere(x, 0x10);
}

static void refuted_file_has_no_place(void **state)
{
	str_id module = with_names();

	(void)state;
	at.form = FORM_OFFSET;
	lies(module, 0x340, TEXT_LINE_CHAIN, 0x340);
	name_frames(0x344, 0, 2);
	lies_nowhere(module, 0x340);
}

static void names_place_the_others(void **state)
{
	str_id module = with_names();

	(void)state;
	name_frames(lay + 0x340, 0, 2);
	at.form = FORM_ABSOLUTE;
	lies(module, lay + 0x5000, TEXT_LINE_CHAIN, lay + 0x5000);
	assert_int_equal(textplace_find(&at, PID, module, lay, TEXT_LINE_CHAIN).m->bias,
	                 lay);
}

static void code_made_at_run_time(void **state)
{
	str_id map = name_of("/tmp/perf-7.map");
	str_id twice = name_of("/memfd:doublemapper (deleted)");

	(void)state;
	lies(map, 0x10, TEXT_LINE_CHAIN, 0x10);
	lies(name_of("[unknown]"), 0x10, TEXT_LINE_CHAIN, 0x10);
	lies(twice, (uint64_t)1 << 32, TEXT_LINE_CHAIN, (uint64_t)1 << 32);
	lies_nowhere(twice, UINT32_MAX);
	map_file(lay, 0x1000, 0x2000, "/memfd:doublemapper (deleted)");
	lies(twice, 0x2010, TEXT_LINE_CHAIN, lay + 0x10);
	at.form = FORM_OFFSET;
	lies(twice, lay + 0x10, TEXT_LINE_CHAIN, lay + 0x10);
	assert_true(textplace_is_jit(STR("//anon")) && textplace_is_jit(STR("[heap]")));
	assert_true(textplace_is_jit(STR("[stack]")));
	assert_true(textplace_is_jit(STR("/memfd:doublemapper")));
	assert_false(textplace_is_jit(STR("/lib/x.so")));
	assert_false(textplace_is_file(STR("")) || textplace_is_file(STR("[vdso]")));
	assert_true(textplace_is_file(STR("/")));
}

/* The first frames of kernel and of user code are no return addresses. */
static void callers(void **state)
{
	const uint64_t kernel = 0xffffffff81000000, user = 0x7fffffffffffffff;

	(void)state;
	assert_false(textplace_is_caller(user, user, 0));
	assert_true(textplace_is_caller(user, 1, 1));
	assert_true(textplace_is_caller(kernel, (uint64_t)1 << 63, 2));
	assert_false(textplace_is_caller(user, kernel, 3));
}

static void whose_a_thread_is(void **state)
{
	(void)state;
	ev = (struct event){ .kind = EV_SAMPLE, .pid = 9, .tid = 12 };
	assert_int_equal(textplace_pid(&at, &ev), 9);
	ev.pid = -1;
	assert_int_equal(textplace_pid(&at, &ev), -1);
	map_file(lay, 0x1000, 0, "/x");
	assert_int_equal(textplace_pid(&at, &ev), PID);
	session.only_pid = 0;
	assert_int_equal(textplace_pid(&at, &ev), 0);
	process_note_thread(session.ps, 11, 12);
	assert_int_equal(textplace_pid(&at, &ev), 11);
	ev.pid = 0;
	assert_int_equal(textplace_pid(&at, &ev), 0);
}

static void modules_of_code_made_at_run_time(void **state)
{
	(void)state;
	assert_true(textplace_is_jit(STR("/tmp/perf-0.map")));
	assert_true(textplace_is_jit(STR("/tmp/perf-12.map")));
	assert_true(textplace_is_jit(STR("//anon")));
	assert_true(textplace_is_jit(STR("[heap]")));
	assert_true(textplace_is_jit(STR("[stack:12]")));
	assert_true(textplace_is_jit(STR("/memfd:doublemapper (deleted)")));
	assert_false(textplace_is_jit(STR("/tmp/perf-.map")));
	assert_false(textplace_is_jit(STR("[vdso]")));
	assert_false(textplace_is_file(STR("/tmp/perf-0.map")));
	assert_false(textplace_is_file(STR("")));
	assert_true(textplace_is_file(STR("/lib/x.so")));
}

static void version_has_a_point(void **state)
{
	(void)state;
	assert_int_equal(address_form_of_version(STR("# perf version : 5-16")),
	                 FORM_ABSOLUTE);
	assert_int_equal(address_form_of_version(STR("# perf version : 5.16")),
	                 FORM_OFFSET);
}

/* The frame's own module has it, not also print mappings at its address. */
static void names_are_looked_up_in_their_module(void **state)
{
	str_id module = with_names();

	(void)state;
	map_file(0, 0x1000, 0, "/x/other.so");
	name_frames(0x340, 0, 2);
	votes_are(2, 0, 2);
	assert_false(named_evidence_refutes(&at.evidence, PID, module));
}

/* Programs of that name, the last first: which lie above low addresses. */
static void add_programs(const char *movable)
{
	static struct elf elf[2];

	elf[0].movable = false;
	elf[1].movable = true;
	for (; *movable; movable++) {
		struct item *it = add_file("prog", STR("\177ELF"));

		it->kind = ITEM_ELF;
		it->opened = true;
		it->elf = *movable == '-' ? NULL : &elf[*movable == 'm'];
	}
}

static void low_address_is(const char *programs, bool offset)
{
	session_over();
	session_made();
	textplace_init(&at, &session);
	add_programs(programs);
	vote_on("\t1000 [unknown] (/usr/bin/prog)");
	votes_are(offset, 0, 0);
	vote_on("\t1008 [unknown] (/usr/bin/prog)");
	votes_are(offset, 0, 0);
}

static void low_addresses_are_offsets_of_movable_programs(void **state)
{
	(void)state;
	low_address_is("", false);
	low_address_is("m", true);
	low_address_is("f", false);
	low_address_is("mm", true);
	low_address_is("mf", false);
	low_address_is("fm", false);
	low_address_is("-", false);
	low_address_is("m-", true);
}

static void conclusion_is_said(void **state)
{
	(void)state;
	diag.verbose = true;
	votes.offset = 3;
	session_hear();
	address_form_conclude(&votes, &at);
	assert_string_equal(
	        session_said(),
	        "text: addresses of user frames are file offsets: 3 can "
	        "only be offsets, 0 only run-time addresses (0 of both by their "
	        "names)\n");
	votes.said = FORM_ABSOLUTE;
	votes.named = 2;
	session_hear();
	address_form_conclude(&votes, &at);
	assert_string_equal(
	        session_said(),
	        "text: addresses of user frames are file offsets: 3 can "
	        "only be offsets, 0 only run-time addresses (2 of both by their "
	        "names); according to perf's version they are run-time addresses\n");
	votes = (struct form_votes){ .absolute = 1, .offset = 1 };
	session_hear();
	address_form_conclude(&votes, &at);
	assert_non_null(strstr(session_said(), "frames contain both"));
}

/* The last 256 programs of one name are looked at. */
static void programs_of_one_name_are_tried(void **state)
{
	static struct elf movable = { .movable = true }, fixed;

	(void)state;
	for (size_t n = 255; n <= 256; n++) {
		session_over();
		session_made();
		textplace_init(&at, &session);
		add_files(n + 1, "prog", STR("\177ELF"));
		for (size_t i = 0; i <= n; i++) {
			session.locator.item[i].kind = ITEM_ELF;
			session.locator.item[i].opened = true;
			session.locator.item[i].elf = i ? &movable : &fixed;
		}
		vote_on("\t1000 [unknown] (/usr/bin/prog)");
		votes_are(n == 256, 0, 0);
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(versions),
		TEST(more_than_nine_in_ten_decide),
		TEST(conclusion),
		TEST(first_version_counts),
		TEST(sizes_of_addresses),
		TEST(frames_that_tell_nothing),
		TEST(mappings_tell),
		TEST(unplaced_addresses_are_noted),
		TEST(names_tell),
		TEST(names_without_offsets_tell_nothing),
		TEST(one_named_address_is_not_enough),
		TEST(names_elsewhere_refute_the_file),
		TEST(names_must_agree_with_each_other),
		TEST(first_64_named_addresses_count),
		TEST(name_and_mapping_count_both),
		TEST(offsets_and_addresses_lie_in_mappings),
		TEST(either_is_neither),
		TEST(files_without_mapping),
		TEST(refuted_file_has_no_place),
		TEST(names_place_the_others),
		TEST(code_made_at_run_time),
		TEST(callers),
		TEST(whose_a_thread_is),
		TEST(modules_of_code_made_at_run_time),
		TEST(version_has_a_point),
		TEST(names_are_looked_up_in_their_module),
		TEST(low_addresses_are_offsets_of_movable_programs),
		TEST(conclusion_is_said),
		TEST(programs_of_one_name_are_tried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
