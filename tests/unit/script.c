/*
 * The text of perf script: samples, and text that is copied.
 */
#include "scriptmade.h"
#include "writer/script/lines.h"

static const char *print_next(const char *comm, int32_t tid, size_t nframes)
{
	struct sample s = { .ev = &ev,
		            .comm = str_of(comm),
		            .pid = 1,
		            .tid = tid,
		            .frames = profile.sample,
		            .nframes = nframes };

	assert_int_equal(reader_next(profile.reader, &ev), 1);
	script_sample(&script, &out, &s);
	return printed();
}

/* IP TID TIME [CALLCHAIN] [CPU] [PERIOD] */
static void put_sample(uint64_t sample_type, uint64_t time, uint64_t period)
{
	gen_open(&g, 9, 2);
	gen_u64(&g, 0x401136);
	gen_u64(&g, 0);
	gen_u64(&g, time);
	if (sample_type & 0x80)
		gen_u64(&g, 0);
	if (sample_type & 0x100)
		gen_u64(&g, period);
	if (sample_type & 0x20) {
		gen_u64(&g, 1);
		gen_u64(&g, 0x401136);
	}
	gen_close(&g);
}

static void put_event(struct gen_event e)
{
	gen_start(&g, &e, 1);
}

static struct frame text_frames[FRAMES];

static void over_text(void)
{
	script = (struct script){ .profile = &profile };
	columns_init(&script.columns);
}

/* Frame i: f of module x, with a function of that name compiled into it. */
static void name_two(frame_id i, uint64_t addr)
{
	static struct named both[FRAMES][2];

	name_frame(i, addr, "f", 1, "x");
	name_frame(FRAMES - 1 - i, addr, "in", 1, "x");
	both[i][0] = profile.names[FRAMES - 1 - i];
	both[i][0].flags = NAMED_INLINED;
	both[i][1] = profile.names[i];
	profile.frames[i] = (struct resolved){ .names = both[i], .n = 2 };
}

static void header_has_the_pads_of_perf(void **state)
{
	(void)state;
	put_event((struct gen_event){ .name = "cycles:u", .sample_type = 0x127 });
	put_sample(0x127, 100000002999, 250000);
	put_sample(0x127, 123456789000000000, 12345678901);
	over_made();
	name_frame(0, 0x401136, "main", 6, "/usr/bin/app");
	name_frame(1, 0x401146, NULL, 0, "/usr/bin/app");
	assert_string_equal(print_next("worker", 4711, 2),
	                    "worker  4711   100.000002:     250000 cycles:u: \n"
	                    "\t          401136 main+0x6 (/usr/bin/app)\n"
	                    "\t          401146 [unknown] (/usr/bin/app)\n"
	                    "\n");
	assert_string_equal(print_next("two words", 1234567, 0),
	                    "two words 1234567 123456789.000000: 12345678901 cycles:u: \n"
	                    "\n");
}

static void threads_keep_their_own_names(void **state)
{
	static const struct {
		const char *comm;
		int32_t tid;
		const char *line;
	} samples[] = {
		{ "sh", 5, "sh     5     0.000001:          1 faults: \n\n" },
		{ "sh", 5 + SCRIPT_THREADS,
		  "sh    69     0.000001:          1 faults: \n\n" },
		{ "ls", 5, "ls     5     0.000001:          1 faults: \n\n" },
		{ "ls", 5, "ls     5     0.000001:          1 faults: \n\n" },
		{ "lsx", 5, "lsx     5     0.000001:          1 faults: \n\n" },
		{ "of more bytes than a kernel keeps", 5,
		  "of more bytes than a kernel keeps     5     0.000001:          1 "
		  "faults: \n\n" },
	};

	(void)state;
	put_event((struct gen_event){ .name = "faults", .sample_type = 0x127 });
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++)
		put_sample(0x127, 1000, 1);
	over_made();
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++)
		assert_string_equal(print_next(samples[i].comm, samples[i].tid, 0),
		                    samples[i].line);
}

static void nine_digits_of_a_second_on_request(void **state)
{
	(void)state;
	opts.ns = true;
	put_event((struct gen_event){ .name = "cycles:u", .sample_type = 0x127 });
	put_sample(0x127, 100000002999, 1);
	put_sample(0x127, 1234567000000007, 1);
	over_made();
	assert_string_equal(print_next("w", 7, 0),
	                    "w     7   100.000002999:          1 cycles:u: \n\n");
	assert_string_equal(print_next("w", 7, 0),
	                    "w     7 1234567.000000007:          1 cycles:u: \n\n");
}

static void comm_is_padded_where_no_chain_is(void **state)
{
	(void)state;
	put_event((struct gen_event){ .name = "cycles", .sample_type = 0x187 });
	put_sample(0x187, 1000, 1);
	over_made();
	name_frame(0, 0x1136, "main", 6, "/usr/bin/app");
	assert_string_equal(
	        print_next("sh", 5, 1),
	        "              sh     5 [000]     0.000001:          1 cycles: "
	        "           401136 main+0x6 (/usr/bin/app)\n");
}

static void period_stands_where_samples_have_none(void **state)
{
	(void)state;
	put_event((struct gen_event){ .name = "faults", .sample_type = 7, .period = 10 });
	put_sample(7, 1000, 0);
	over_made();
	name_frame(0, 0x401136, NULL, 0, NULL);
	assert_string_equal(print_next("sh", 5, 1),
	                    "              sh     5     0.000001:         10 faults: "
	                    "           401136 [unknown] ([unknown])\n");
}

static void names_are_padded_to_the_longest(void **state)
{
	const struct gen_event events[] = {
		{ .name = "cycles", .sample_type = 0x10007, .id = 1 },
		{ .name = "instructions", .sample_type = 0x10007, .id = 2 },
	};

	(void)state;
	gen_start(&g, events, 2);
	gen_open(&g, 9, 2);
	gen_u64(&g, 1);
	gen_u64(&g, 0x10);
	gen_u64(&g, 0);
	gen_u64(&g, 1000);
	gen_close(&g);
	over_made();
	name_frame(0, 0x10, "f", 0, "g");
	assert_string_equal(
	        print_next("sh", 5, 1),
	        "              sh     5     0.000001:          1       cycles: "
	        "               10 f+0x0 (g)\n");
}

/* A time that the first event of a type lacks is printed for none of that type. */
static void first_event_of_a_type_chooses_the_fields(void **state)
{
	const struct gen_event events[] = {
		{ .name = "a", .type = 1, .sample_type = 0x10003, .id = 1 },
		{ .name = "b", .type = 1, .sample_type = 0x10087, .id = 2 },
		{ .name = "c", .type = 0, .sample_type = 0x10087, .id = 3 },
	};

	(void)state;
	gen_start(&g, events, 3);
	for (uint64_t id = 2; id <= 3; id++) {
		gen_open(&g, 9, 2);
		gen_u64(&g, id);
		gen_u64(&g, 0x10);
		gen_u64(&g, 0);
		gen_u64(&g, 1000);
		gen_u64(&g, 3);
		gen_close(&g);
	}
	over_made();
	name_frame(0, 0x10, "f", 0, "g");
	assert_string_equal(
	        print_next("sh", 5, 1),
	        "              sh     5          1 b:                10 f+0x0 (g)\n");
	assert_string_equal(print_next("sh", 5, 1),
	                    "              sh     5 [003]     "
	                    "0.000001:          1 c:                "
	                    "10 f+0x0 (g)\n");
}

static void tracepoint_without_chain_has_no_address(void **state)
{
	(void)state;
	put_event((struct gen_event){ .name = "a:b", .type = 2, .sample_type = 0x187 });
	put_sample(0x187, 1000, 1);
	over_made();
	assert_string_equal(print_next("sh", 5, 0),
	                    "              sh     5 [000]     0.000001: a:b: \n");
}

/* Prints raw, of which each of the n lines behind the first is a frame. */
static const char *print_text(const char *raw, size_t n)
{
	struct frame *frames = text_frames;
	struct sample s = { .ev = &ev, .frames = profile.sample, .nframes = n };
	struct str rest = str_of(raw);

	memset(text_frames, 0, sizeof(text_frames));
	ev = (struct event){
		.kind = EV_SAMPLE, .raw = rest, .frames = frames, .nframes = n
	};
	str_cut(&rest, '\n');
	for (size_t i = 0; i < n; i++) {
		frames[i].line = str_cut(&rest, '\n');
		if (str_ends(frames[i].line, STR("\r")))
			frames[i].line.n--;
	}
	script_text(&script, &out, &s);
	return printed();
}

static void text_is_copied_but_for_improved_frames(void **state)
{
	const char *raw = "head:\n\t 1 a (b)\n   2 [unknown] (x)\n\t3 c  (d)\n\n";

	(void)state;
	over_text();
	for (frame_id i = 0; i < 3; i++)
		name_two(i, 2);
	assert_string_equal(print_text(raw, 3), raw);
	profile.frames[1].improved = true;
	assert_string_equal(print_text(raw, 3), "head:\n\t 1 a (b)\n"
	                                        "\t               2 in+0x1 (inlined)\n"
	                                        "\t               2 f+0x1 (x)\n"
	                                        "\t3 c  (d)\n\n");
	assert_string_equal(print_text(raw, 3), "head:\n\t 1 a (b)\n"
	                                        "\t               2 in+0x1 (inlined)\n"
	                                        "\t               2 f+0x1 (x)\n"
	                                        "\t3 c  (d)\n\n");
}

static void line_ends_stay(void **state)
{
	(void)state;
	over_text();
	for (frame_id i = 0; i < 2; i++) {
		name_two(i, 1);
		profile.frames[i].improved = true;
	}
	assert_string_equal(print_text("head:\r\n\t1 \r\n\t1 ", 2),
	                    "head:\r\n"
	                    "\t               1 in+0x1 (inlined)\r\n"
	                    "\t               1 f+0x1 (x)\r\n"
	                    "\t               1 in+0x1 (inlined)\n"
	                    "\t               1 f+0x1 (x)");
	assert_string_equal(print_text("", 0), "");
}

/* BPF tools print no address; where they print no module, none is added. */
static void prefix_of_a_text_stays_before_the_name(void **state)
{
	(void)state;
	over_text();
	name_frame(0, 1, "f", 1, NULL);
	profile.frames[0].prefix = STR("\tb ");
	profile.frames[0].bare = profile.frames[0].improved = true;
	assert_string_equal(print_text("head\n\tb 1\n", 1), "head\n\tb f+0x1\n");
	script.opts.hide_chain = true;
	assert_string_equal(print_text("head\n\tb 1\r\n", 1), "head b f+0x1\r\n");
}

/* Prints raw, of which of n frames only the first `kept` are wanted. */
static const char *print_cut(const char *raw, size_t n, size_t kept)
{
	struct sample cut = { .ev = &ev, .nframes = kept, .left_out = n - kept };

	print_text(raw, n);
	cut.frames = profile.sample;
	script_text(&script, &out, &cut);
	return printed();
}

static void lines_of_frames_left_out_go(void **state)
{
	(void)state;
	over_text();
	assert_string_equal(print_cut("head:\n\t1 a (b)\n\t2 b (c)\n\t3 c (d)\n\n", 3, 1),
	                    "head:\n\t1 a (b)\n\n");
	assert_string_equal(print_cut("head:\r\n\t1 a (b)\r\n\r\n", 1, 0),
	                    "head:\r\n\r\n");
	assert_string_equal(print_cut("head:\n\t1 a (b)\n\t2 b (c)", 2, 1),
	                    "head:\n\t1 a (b)\n");
}

static void hidden_stack_leaves_its_first_address_on_the_header(void **state)
{
	const char *raw =
	        "a 1 1.0: c: \n\t              10 [unknown] (x)\n\t20 g (x)\n\n";

	(void)state;
	over_text();
	script.opts.hide_chain = true;
	name_two(0, 0x10);
	assert_string_equal(print_cut(raw, 2, 1),
	                    "a 1 1.0: c:                10 [unknown] (x)\n");
	profile.frames[0].improved = true;
	assert_string_equal(print_cut(raw, 2, 1),
	                    "a 1 1.0: c:                10 f+0x1 (x)\n");
	assert_string_equal(print_cut(raw, 2, 0), "a 1 1.0: c: \n");
	profile.frames[0].improved = false;
	assert_string_equal(print_text("a\r\n\t10 [unknown] (x)\r\n", 1),
	                    "a 10 [unknown] (x)\r\n");
}

/* The longest lines that lines.c may keep, at addresses that use each element of its table. */
static void long_lines_are_repeated(void **state)
{
	char module[200] = { 0 };

	(void)state;
	put_event((struct gen_event){ .name = "cycles:u", .sample_type = 0x127 });
	put_sample(0x127, 1000, 1);
	over_made();
	assert_int_equal(reader_next(profile.reader, &ev), 1);
	memset(module, 'm', sizeof(module) - 1);
	for (size_t n = 160; n < sizeof(module); n += 3) {
		frame_id id = (frame_id)(n % FRAMES);

		script_end(&script);
		assert_int_equal(script_init(&script, &profile, &opts, &diag), started);
		name_frame(id, 0, NULL, 0, module + sizeof(module) - 1 - n);
		for (uint64_t addr = 1; addr < 40000; addr++) {
			struct placed same[3] = { { id, addr },
				                  { id, addr },
				                  { id, addr } };
			size_t line;

			out.n = 0;
			lines_frames(&script, &out, columns_type(ev.attr), same, 3);
			line = out.n / 3;
			assert_int_equal(line * 3, out.n);
			assert_memory_equal(out.buf, out.buf + line, line);
			assert_memory_equal(out.buf, out.buf + 2 * line, line);
		}
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(header_has_the_pads_of_perf),
		TEST(threads_keep_their_own_names),
		TEST(nine_digits_of_a_second_on_request),
		TEST(comm_is_padded_where_no_chain_is),
		TEST(period_stands_where_samples_have_none),
		TEST(names_are_padded_to_the_longest),
		TEST(first_event_of_a_type_chooses_the_fields),
		TEST(tracepoint_without_chain_has_no_address),
		TEST(text_is_copied_but_for_improved_frames),
		TEST(line_ends_stay),
		TEST(prefix_of_a_text_stays_before_the_name),
		TEST(lines_of_frames_left_out_go),
		TEST(hidden_stack_leaves_its_first_address_on_the_header),
		TEST(long_lines_are_repeated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
