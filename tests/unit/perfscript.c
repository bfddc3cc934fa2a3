/* Whole texts of perf script. */
#include <glob.h>

#include "textmade.h"

enum { MIB = 1 << 20, SPLICES = 400, PIECES = 12 };

static pid_t feeder;
static int saved_stdin = -1;

/* Standard input becomes a pipe that yields the bytes a few at a time. */
static void over_pipe(struct str bytes, size_t piece)
{
	int fds[2];

	saved_stdin = dup(STDIN_FILENO);
	assert_int_equal(pipe(fds), 0);
	feeder = fork();
	assert_true(feeder >= 0);
	if (feeder == 0) {
		close(fds[0]);
		for (; bytes.n; bytes = str_from(bytes, piece))
			if (write(fds[1], bytes.p, bytes.n < piece ? bytes.n : piece) < 0)
				break;
		_exit(0);
	}
	close(fds[1]);
	assert_int_equal(dup2(fds[0], STDIN_FILENO), STDIN_FILENO);
	close(fds[0]);
	over(NULL);
}

static void end_pipe(void)
{
	shut();
	dup2(saved_stdin, STDIN_FILENO);
	close(saved_stdin);
}

static void next(enum event_kind kind, size_t nframes, const char *raw)
{
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_int_equal(ev.kind, kind);
	assert_int_equal(ev.nframes, nframes);
	if (raw && !str_eq(ev.raw, str_of(raw)))
		fail_msg("'" PRSTR "'", STRARG(ev.raw));
}

static void end(void)
{
	assert_int_equal(reader_next(reader, &ev), 0);
}

/* The spans are the input; returns how many samples there are. */
static size_t spans_are(struct str bytes)
{
	size_t at = 0, samples = 0;

	while (reader_next(reader, &ev) == 1) {
		assert_int_equal(ev.at, at);
		assert_true(ev.raw.n && str_starts(str_from(bytes, at), ev.raw));
		at += ev.raw.n;
		samples += ev.kind == EV_SAMPLE;
		for (size_t i = 0; i < ev.nframes; i++) {
			struct str line = ev.frames[i].line;

			assert_true(line.p >= ev.raw.p &&
			            line.p + line.n <= ev.raw.p + ev.raw.n);
		}
	}
	assert_int_equal(at, bytes.n);
	return samples;
}

static size_t traps(struct str **out)
{
	const char *top = getenv("TOP");
	struct str pattern = arena_fmt(&run, "%s/fixtures/traps/*.txt", top ? top : ".");
	glob_t g;

	assert_int_equal(glob(pattern.p, 0, NULL, &g), 0);
	*out = arena_new(&run, struct str, g.gl_pathc);
	for (size_t i = 0; i < g.gl_pathc; i++)
		(*out)[i] = file_bytes(&run, g.gl_pathv[i]);
	globfree(&g);
	return g.gl_pathc;
}

static void spans_cover_every_trap(void **state)
{
	struct str *trap;
	size_t n = traps(&trap);

	(void)state;
	assert_true(n >= 50);
	for (size_t i = 0; i < n; i++) {
		over_bytes(trap[i]);
		assert_true(spans_are(trap[i]) > 0);
		reader_rewind(reader);
		assert_true(spans_are(trap[i]) > 0);
		shut();
	}
}

static void spans_cover_what_was_cut_and_joined(void **state)
{
	struct str *trap;
	size_t n = traps(&trap);
	uint64_t seed = 7;

	(void)state;
	for (int i = 0; i < SPLICES; i++) {
		struct str text = arena_fmt(&run, "a 1 1.5: e:\n");

		for (int k = 0; k < PIECES; k++) {
			struct str s = trap[given_random(&seed) % n];
			size_t a = given_random(&seed) % (s.n + 1);
			size_t b = given_random(&seed) % (s.n + 1 - a);

			text = arena_fmt(&run, PRSTR PRSTR, STRARG(text),
			                 STRARG(str_head(str_from(s, a), b)));
		}
		text.n = strlen(text.p);
		over_bytes(text);
		assert_true(spans_are(text) > 0);
		shut();
	}
}

static void sample_ends_behind_its_blank_line(void **state)
{
	(void)state;
	over_text("a 1 1.5: 7 e:\n\t1 x (/m)\n\t2 y (/m)\n\nb 1 1.5: 7 e:\n\t3 z (/m)\n");
	next(EV_SAMPLE, 2, "a 1 1.5: 7 e:\n\t1 x (/m)\n\t2 y (/m)\n\n");
	assert_int_equal(ev.weight, 7);
	assert_true(str_eq(ev.attr->name, STR("e")));
	assert_true(str_eq(ev.frames[1].line, STR("\t2 y (/m)")));
	next(EV_SAMPLE, 1, "b 1 1.5: 7 e:\n\t3 z (/m)\n");
	end();
}

static void last_newline_may_be_missing(void **state)
{
	(void)state;
	over_text("a 1 1.5: 7 e:\n\t1 x (/m)");
	next(EV_SAMPLE, 1, "a 1 1.5: 7 e:\n\t1 x (/m)");
	end();
	shut();
	over_text("a 1 1.5: 7 e:");
	next(EV_SAMPLE, 0, "a 1 1.5: 7 e:");
	end();
}

static void carriage_returns_are_no_part_of_a_line(void **state)
{
	(void)state;
	over_text("a 1 1.5: 7 e:\r\n\t1 x (/m)\r\n\r\nb 1 1.5: 7 e:\r\n\t2 y (/m)\r\n");
	next(EV_SAMPLE, 1, "a 1 1.5: 7 e:\r\n\t1 x (/m)\r\n\r\n");
	assert_true(str_eq(ev.frames[0].line, STR("\t1 x (/m)")));
	next(EV_SAMPLE, 1, "b 1 1.5: 7 e:\r\n\t2 y (/m)\r\n");
	end();
}

static void records_and_comments_are_events_of_their_own(void **state)
{
	(void)state;
	over_text("# cmdline : x\n\na 1 0.5: PERF_RECORD_COMM exec: sh:1/1\n"
	          "a 1 0.5: PERF_RECORD_LOST lost 5\na 1 1.5: 7 e:\n\t1 x (/m)\n"
	          "a 1 0.5: PERF_RECORD_FORK(2:2):(1:1)\n");
	next(EV_TEXT, 0, "# cmdline : x\n");
	next(EV_TEXT, 0, "\n");
	next(EV_COMM, 0, "a 1 0.5: PERF_RECORD_COMM exec: sh:1/1\n");
	next(EV_LOST, 0, "a 1 0.5: PERF_RECORD_LOST lost 5\n");
	next(EV_SAMPLE, 1, "a 1 1.5: 7 e:\n\t1 x (/m)\n");
	next(EV_FORK, 0, "a 1 0.5: PERF_RECORD_FORK(2:2):(1:1)\n");
	end();
}

static void source_lines_and_warnings_stay_in_their_sample(void **state)
{
	(void)state;
	over_text("a 1 1.5: 7 e:\n\t1 x (/m)\n  x.c:3\nwarning: y\n\t2 y (/m)\n \t \n");
	next(EV_SAMPLE, 2,
	     "a 1 1.5: 7 e:\n\t1 x (/m)\n  x.c:3\nwarning: y\n\t2 y (/m)\n \t \n");
	assert_false(ev.frames[0].inlined);
	end();
	over_text("a 1 1.5: 7 e:\n\t1 x\n  x.c:3 (inlined)\n\t1 y (/m)\n  x.c:9\n\n");
	next(EV_SAMPLE, 2,
	     "a 1 1.5: 7 e:\n\t1 x\n  x.c:3 (inlined)\n\t1 y (/m)\n  x.c:9\n\n");
	assert_true(ev.frames[0].inlined);
	assert_false(ev.frames[1].inlined);
	end();
}

static struct str repeated(const char *head, const char *line, size_t bytes)
{
	size_t nhead = strlen(head), n = strlen(line), at = nhead;
	char *p = arena_new(&run, char, nhead + bytes + n);

	memcpy(p, head, nhead);
	while (at < bytes) {
		memcpy(p + at, line, n);
		at += n;
	}
	return (struct str){ p, at };
}

static void line_longer_than_a_sample_may_be_is_cut(void **state)
{
	struct str text = repeated("a 1 1.5: 7 e:\n\t1 ", "f(", 5 * MIB);

	(void)state;
	over_bytes(text);
	assert_int_equal(spans_are(text), 1);
	reader_rewind(reader);
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_int_equal(ev.nframes, 1);
	assert_true(ev.raw.n <= 4 * MIB + 64);
}

static void sample_over_4_mib_is_cut_between_lines(void **state)
{
	struct str text = repeated("a 1 1.5: 7 e:\n", "\t7f00 f+0x1 (/m)\n", 9 * MIB);

	(void)state;
	over_bytes(text);
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_int_equal(ev.kind, EV_SAMPLE);
	assert_true(ev.raw.n >= 4 * MIB && ev.raw.n < 4 * MIB + 64);
	assert_int_equal(ev.raw.p[ev.raw.n - 1], '\n');
	assert_int_equal(diag.damaged, 1);
	reader_rewind(reader);
	assert_int_equal(spans_are(text), 1);
}

static void pipe_of_small_pieces_is_the_same(void **state)
{
	struct str *trap, text = { 0 };
	size_t n = traps(&trap), samples;

	(void)state;
	for (size_t i = 0; i < n; i++)
		if (trap[i].n > text.n)
			text = trap[i];
	over_bytes(text);
	samples = spans_are(text);
	shut();
	over_pipe(text, 7);
	reader_hold(reader);
	assert_int_equal(spans_are(text), samples);
	assert_int_equal(reader_held(reader), text.n);
	reader_rewind(reader);
	assert_int_equal(spans_are(text), samples);
	end_pipe();
}

static void pipe_is_held_from_where_it_was_asked(void **state)
{
	struct str text = repeated("", "a 1 1.5: 7 e:\n\t1 x (/m)\n\n", MIB);

	(void)state;
	over_pipe(text, 65536);
	assert_int_equal(reader_next(reader, &ev), 1);
	reader_hold(reader);
	for (int i = 0; i < 20000; i++)
		assert_int_equal(reader_next(reader, &ev), 1);
	reader_rewind(reader);
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_int_equal(ev.at, ev.raw.n);
	while (reader_next(reader, &ev) == 1)
		;
	assert_int_equal(ev.at + ev.raw.n, text.n);
	end_pipe();
}

static void hold_means_nothing_to_a_file(void **state)
{
	(void)state;
	over_text("a 1 1.5: 7 e:\n\n\nb 1 1.5: 7 e:\n");
	next(EV_SAMPLE, 0, "a 1 1.5: 7 e:\n\n");
	reader_hold(reader);
	next(EV_TEXT, 0, "\n");
	assert_int_equal(reader_held(reader), 0);
	for (int i = 0; i < 2; i++) {
		reader_rewind(reader);
		next(EV_SAMPLE, 0, "a 1 1.5: 7 e:\n\n");
	}
}

/* What perf prints behind a stack stands where its blank line would. */
static void what_follows_a_stack_is_no_frame(void **state)
{
	static const char *const tails[] = {
		" 0x7f01/0x7f02/P/-/-/0  0x7f03/0x7f04/M/X/A/12 ",
		" ABI:2    AX:0xffff    BX:0x1 ",
		" insn: 48 89 e5",
		"        1f2e3d4c5",
		" /user.slice/app.scope",
	};
	char text[256];

	(void)state;
	for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++) {
		snprintf(text, sizeof(text),
		         "a %s 1.5: e:\n\t             7f0 x (/m)\n%s\n"
		         "b %s 1.6: e:\n\t             7f0 x (/m)\n%s\n",
		         i & 1 ? "" : "1", tails[i], i & 1 ? "" : "1", tails[i]);
		over_text(text);
		next(EV_SAMPLE, 1, NULL);
		next(EV_SAMPLE, 1, NULL);
		assert_string_equal(str_eq(ev.comm, STR("b")) ? "b" : "", "b");
		end();
	}
}

static void address_of_a_sample_is_no_frame_of_its_stack(void **state)
{
	(void)state;
	over_text("a 1 1.5: 7 faults:     7f0000001234 buf+0x4 (/lib/x.so)\n"
	          "\t          401136 main+0x6 (/usr/bin/app)\n\n"
	          "a 1 1.6: 7 faults:     7f0000001234           401136 main+0x6 (/app)\n"
	          "a 1 1.7:           401136 main+0x6 (/app)\n");
	next(EV_SAMPLE, 1, NULL);
	assert_true(str_ends(ev.frames[0].line, STR("(/usr/bin/app)")));
	next(EV_SAMPLE, 1, NULL);
	assert_true(str_eq(ev.frames[0].line, STR("401136 main+0x6 (/app)")));
	next(EV_SAMPLE, 1, NULL);
	assert_true(str_eq(ev.frames[0].line, STR("401136 main+0x6 (/app)")));
	assert_int_equal(ev.weight, 1);
	end();
}

static void header_may_have_any_fields(void **state)
{
	static const struct {
		const char *line, *comm;
		int pid, tid, cpu;
		unsigned weight;
		const char *event;
	} h[] = {
		{ "app    12 ", "app", -1, 12, -1, 1, "" },
		{ "app ", "app", -1, -1, -1, 1, "" },
		{ "my app 2 ", "my app 2", -1, -1, -1, 1, "" },
		{ "app 12/34    ", "app", 12, 34, -1, 1, "" },
		{ "app  6762    1001001 ", "app", -1, 6762, -1, 1001001, "" },
		{ "app    1001001 cpu-clock:u: ", "app", -1, -1, -1, 1001001,
		  "cpu-clock:u" },
		{ "app cycles: ", "app", -1, -1, -1, 1, "cycles" },
		{ "  123 cycles: ", "", -1, 123, -1, 1, "cycles" },
		{ " 6762  3103.086399: cycles: ", "", -1, 6762, -1, 1, "cycles" },
		{ "app  3103.086399: ", "app", -1, -1, -1, 1, "" },
		{ "app     7 [001]  3103.086399: cycles: ", "app", -1, 7, 1, 1,
		  "cycles" },
		{ "cycles: ", "", -1, -1, -1, 1, "cycles" },
		{ "app [001] prev_comm=a prev_pid=1 ", "app", -1, -1, 1, 1, "" },
		{ "app    12 sched:sched_switch: prev_comm=a next_pid=1", "app", -1, 12,
		  -1, 1, "sched:sched_switch" },
	};
	char text[256];

	(void)state;
	for (size_t i = 0; i < sizeof(h) / sizeof(*h); i++) {
		snprintf(text, sizeof(text), "%s\n\t             7f0 x (/m)\n\n",
		         h[i].line);
		over_text(text);
		next(EV_SAMPLE, 1, text);
		if (!str_eq(ev.comm, str_of(h[i].comm)) || ev.pid != h[i].pid ||
		    ev.tid != h[i].tid || ev.cpu != h[i].cpu ||
		    ev.weight != h[i].weight ||
		    !str_eq(ev.attr->name, str_of(h[i].event)))
			fail_msg("%s: comm '" PRSTR "' %d/%d cpu %d weight %u '" PRSTR
			         "'",
			         h[i].line, STRARG(ev.comm), ev.pid, ev.tid, ev.cpu,
			         (unsigned)ev.weight, STRARG(ev.attr->name));
		end();
	}
}

static void frames_may_stand_without_header(void **state)
{
	(void)state;
	over_text("\n\t             7f0 x (/m)\n\t             7f1 y (/m)\n\n"
	          "\n\t             7f2 z (/m)\n\n");
	next(EV_TEXT, 0, "\n");
	next(EV_SAMPLE, 2, NULL);
	next(EV_TEXT, 0, "\n");
	next(EV_SAMPLE, 1, NULL);
	end();
	/* In a text that has headers they are what is left of a cut stack. */
	over_text("\t             7f0 x (/m)\n\na 1 1.5: 7 e:\n\t             7f2 z "
	          "(/m)\n\n");
	next(EV_TEXT, 0, NULL);
	next(EV_TEXT, 0, "\n");
	next(EV_SAMPLE, 1, NULL);
	end();
}

static void mapping_may_have_a_build_id(void **state)
{
	(void)state;
	over_text("a 1 0.5: PERF_RECORD_MMAP2 1/1: [0x7f00(0x4000) @ 0x1000 "
	          "<00ffa5>]: r-xp /x <y>\n"
	          "a 1 0.5: PERF_RECORD_MMAP2 1/1: [0x7f00(0x4000) @ 0 fe:00 83 29]: "
	          "r-xp /x <ab>\n");
	next(EV_MMAP, 0, NULL);
	assert_int_equal(ev.map.build_id.n, 3);
	assert_memory_equal(ev.map.build_id.p, "\0\xff\xa5", 3);
	next(EV_MMAP, 0, NULL);
	assert_int_equal(ev.map.build_id.n, 0);
	end();
}

static void frames_may_have_lost_their_blanks(void **state)
{
	(void)state;
	over_text("java 19983 cycles:\n401136 main (/x)\n401137 f (/x)\n\n"
	          "java 19983 cycles:\n401137 f (/x)\n");
	next(EV_SAMPLE, 2, NULL);
	next(EV_SAMPLE, 1, NULL);
	end();
}

static void lone_frames_need_no_time(void **state)
{
	(void)state;
	over_text("app  6762 cycles:              e012 [unknown] (/x.so)\n"
	          "app  6762             e012 main+0x2 (/x.so)\n");
	next(EV_SAMPLE, 1, NULL);
	assert_int_equal(ev.tid, 6762);
	assert_true(str_eq(ev.attr->name, STR("cycles")));
	next(EV_SAMPLE, 1, NULL);
	assert_int_equal(ev.tid, 6762);
	assert_true(str_eq(ev.frames[0].line, STR("e012 main+0x2 (/x.so)")));
	end();
}

static void text_is_told_from_other_things(void **state)
{
	static const char *const others[] = {
		"main;foo 12\n",
		"7f00 10 foo\n",
		"",
		"#include <x>\n",
		"{\"a\": 1.5: }\n",
		" *                    C functions (malloc)\n"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (reader_bid(str_of(others[i])) == &perfscript_format.traits)
			fail_msg("perf script text: %s", others[i]);
	assert_true(reader_bid(STR("a 1 1.5: 7 e:\n"))->is_text);
	assert_true(reader_bid(STR("a 1 e:\n\t1 x (/m)\n"))->is_text);
	assert_true(reader_bid(STR("# captured on    : x\n#\n"))->is_text);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(spans_cover_every_trap),
		test(spans_cover_what_was_cut_and_joined),
		test(sample_ends_behind_its_blank_line),
		test(last_newline_may_be_missing),
		test(carriage_returns_are_no_part_of_a_line),
		test(records_and_comments_are_events_of_their_own),
		test(source_lines_and_warnings_stay_in_their_sample),
		test(line_longer_than_a_sample_may_be_is_cut),
		test(sample_over_4_mib_is_cut_between_lines),
		test(pipe_of_small_pieces_is_the_same),
		test(pipe_is_held_from_where_it_was_asked),
		test(hold_means_nothing_to_a_file),
		test(what_follows_a_stack_is_no_frame),
		test(address_of_a_sample_is_no_frame_of_its_stack),
		test(header_may_have_any_fields),
		test(frames_may_stand_without_header),
		test(mapping_may_have_a_build_id),
		test(frames_may_have_lost_their_blanks),
		test(lone_frames_need_no_time),
		test(text_is_told_from_other_things),
	};

	wanted = &perfscript_format.traits;
	return cmocka_run_group_tests_name("perfscript", tests, NULL, NULL);
}
