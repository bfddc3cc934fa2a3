/* Header, record and frame lines of perf script text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "reader/perftext/frameline.h"
#include "reader/perftext/known_heads.h"

static struct arena run;
static struct known_heads *known; /* by all tests */
static struct script_header h;
static struct frame_text ft;
static struct event ev;
static struct other_fields other;

static void is(struct str got, const char *want)
{
	if (!str_eq(got, str_of(want)))
		fail_msg("'" PRSTR "' is not '%s'", STRARG(got), want);
}

static bool is_same(const struct script_header *a, const struct script_header *b)
{
	return str_eq(a->comm, b->comm) && a->pid == b->pid && a->tid == b->tid &&
	       a->cpu == b->cpu && a->has_time == b->has_time &&
	       a->time_ns == b->time_ns && a->has_period == b->has_period &&
	       a->period == b->period && str_eq(a->event, b->event) &&
	       str_eq(a->record, b->record) && str_eq(a->rest, b->rest);
}

/* Parses a line three times: without anything known, then twice, as the first may be learned. */
static bool parse(const char *line)
{
	bool good = scripthead_parse(str_of(line), NULL, &h);
	struct script_header again;

	if (!known)
		known = known_heads_new(&run);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(scripthead_parse(str_of(line), known, &again), good);
		if (good && !is_same(&h, &again))
			fail_msg("known, it is parsed otherwise: %s", line);
	}
	return good;
}

static void header(const char *line, const char *comm, int pid, int tid, int cpu)
{
	if (!parse(line))
		fail_msg("no header: %s", line);
	is(h.comm, comm);
	assert_int_equal(h.pid, pid);
	assert_int_equal(h.tid, tid);
	assert_int_equal(h.cpu, cpu);
}

static void no_header(const char *line)
{
	assert_false(parse(line));
}

static void frame(const char *line, uint64_t addr, const char *func, const char *module)
{
	if (!frameline_perf(str_of(line), &ft))
		fail_msg("no frame: %s", line);
	assert_int_equal(ft.addr, addr);
	is(ft.func, func);
	is(ft.module, module);
}

static void record(const char *line, enum event_kind kind)
{
	assert_true(parse(line));
	ev = (struct event){ .kind = EV_TEXT };
	scripthead_record(&h, &ev, &other);
	assert_int_equal(ev.kind, kind);
}

static void comm_may_hold_spaces_and_numbers(void **state)
{
	(void)state;
	header("V8 WorkerThread 24636/25607 [000] 94564.109216: 100 cycles:",
	       "V8 WorkerThread", 24636, 25607, 0);
	header("my app 2 123 [001] 10.5: 7 cycles:", "my app 2", -1, 123, 1);
	header("job 7 worker 99/100 [001] 10.5: 7 cycles:", "job 7 worker", 99, 100, 1);
	header("SQL 2016 node 12/13 [001] 10.500000: 7 cycles:", "SQL 2016 node", 12, 13,
	       1);
	header("foo 12 34 bar 5 [001] 1.5: 7 cycles:", "foo 12 34 bar", -1, 5, 1);
	header("rs:action 13 qu 12/13 [000] 10.5: 7 cycles: ", "rs:action 13 qu", 12, 13,
	       0);
	header("[ET_NET 0] 123 [000] 10.5: 7 cycles: ", "[ET_NET 0]", -1, 123, 0);
}

static void comm_may_be_anything_else(void **state)
{
	(void)state;
	header("f  9566 [001] 10.5: 7 cycles:", "f", -1, 9566, 1);
	header("            java 123 [001] 10.5: 7 cycles:", "java", -1, 123, 1);
	header(":1234 1234 [001] 10.5: 7 cycles:", ":1234", -1, 1234, 1);
	header("a;b 1234 [001] 10.5: 7 cycles:", "a;b", -1, 1234, 1);
	header("kworker/1:3 99 [000] 10.5: 7 cycles: ", "kworker/1:3", -1, 99, 0);
	header("kworker/u8:0-ext4 99 [000] 10.5: 7 cycles: ", "kworker/u8:0-ext4", -1, 99,
	       0);
	header("ns:mongo 1.2: 5 7 10.5: 7 cycles:", "ns:mongo 1.2: 5", -1, 7, -1);
	header("   123 [001] 10.5: 7 cycles:", "", -1, 123, 1);
	header("Gecko\t25122 [007] 115539.936601:\t\t1000000 task-clock:u:", "Gecko", -1,
	       25122, 7);
	assert_int_equal(h.period, 1000000);
	is(h.event, "task-clock:u");
}

/* A comm has 15 bytes at most: perf's padding puts the header's own time behind them. */
static void comm_may_look_like_a_header(void **state)
{
	(void)state;
	header("a 1 2.000000: 7  4711 [001]   100.000001:     250000 cycles: ",
	       "a 1 2.000000: 7", -1, 4711, 1);
	assert_int_equal(h.time_ns, 100000001000);
	assert_int_equal(h.period, 250000);
	is(h.event, "cycles");
	header("  a 1 2.0: 7 e: 4711/4712 [001]   100.000001:     250000 cycles: ",
	       "a 1 2.0: 7 e:", 4711, 4712, 1);
	header("1 1.0: 2 2.0: e  4711   100.000001:     250000 cycles: ",
	       "1 1.0: 2 2.0: e", -1, 4711, -1);
	/* A payload that looks like one is behind the time. */
	header("swapper     0 [001]   100.000001: sched:x: comm=a 1 2.000000: 7",
	       "swapper", -1, 0, 1);
	assert_int_equal(h.time_ns, 100000001000);
	header("a 1 2.0: x: 3 4.0: 7", "a", -1, 1, -1);
}

static void ids_may_be_negative(void **state)
{
	(void)state;
	header("app    -1/-1 [001] 10.5: 7 cycles:", "app", -1, -1, 1);
	header("app    -1/7 [001] 10.5: 7 cycles:", "app", -1, 7, 1);
	header("app 7 [-01] 10.5: 7 cycles:", "app", -1, 7, -1);
	header("app 1/2147483647 10.5: cycles:", "app", 1, 2147483647, -1);
	no_header("app 2147483648 [001] 10.5: 7 cycles");
}

static void time_is_read_to_its_last_digit(void **state)
{
	(void)state;
	header("a 1 94564.109216: 1 e:", "a", -1, 1, -1);
	assert_int_equal(h.time_ns, 94564109216000);
	header("a 1 94564.109216789: 1 e:", "a", -1, 1, -1);
	assert_int_equal(h.time_ns, 94564109216789);
	header("a 1 0.5: 1 e:", "a", -1, 1, -1);
	assert_int_equal(h.time_ns, 500000000);
	header("a 1 2024-01-02 03:04:05.000006 0.000001: 1 e:", "a", -1, 1, -1);
	assert_int_equal(h.time_ns, 1000);
	header("a 1 [002] KUH 7.25: 1 e:", "a", -1, 1, 2);
	assert_int_equal(h.time_ns, 7250000000);
	no_header("a 1 18446744073709551615.5: 1 e");
	no_header("a 1 1.1234567890: 1 e");
}

static void fields_may_be_missing(void **state)
{
	(void)state;
	header("app 1 10.5: cycles:", "app", -1, 1, -1);
	assert_false(h.has_period);
	is(h.event, "cycles");
	header("app 1 [001] 10.5: 0 cycles:", "app", -1, 1, 1);
	assert_true(h.has_period);
	assert_int_equal(h.period, 0);
	header("app 1 [001] 10.5:", "app", -1, 1, 1);
	is(h.event, "");
	assert_true(h.has_time);
	header("app 12/34 [003]    250000 cycles:u: ", "app", 12, 34, 3);
	assert_false(h.has_time);
	assert_int_equal(h.period, 250000);
	is(h.event, "cycles:u");
	header("app 12 cpu-clock: ", "app", -1, 12, -1);
	no_header("app: ");
	no_header("");
	no_header("\v");
	no_header(":");
}

static void event_keeps_colons_and_slashes(void **state)
{
	(void)state;
	header("app 1 [001] 10.5: 7 cycles:ppp:", "app", -1, 1, 1);
	is(h.event, "cycles:ppp");
	header("app 1 [001] 10.5: 7 cpu/cycles,name=foo/u:", "app", -1, 1, 1);
	is(h.event, "cpu/cycles,name=foo/u");
	header("app 1 [001] 10.5: 7               cpu-clock: ", "app", -1, 1, 1);
	is(h.event, "cpu-clock");
	header("app 1 [001] 10.5: sched:sched_switch: prev_comm=a 1.5: b: ==> n=2", "app",
	       -1, 1, 1);
	is(h.event, "sched:sched_switch");
	is(h.rest, "prev_comm=a 1.5: b: ==> n=2");
	assert_false(h.has_period);
	header("app 1 [001] 10.5: 7 cycles:  /system.slice/foo.service", "app", -1, 1, 1);
	is(h.rest, "/system.slice/foo.service");
}

static void single_line_sample_leaves_its_frame(void **state)
{
	(void)state;
	header("app 1 [001] 10.5: 7 cycles:  ffffffff81 native_safe_halt "
	       "([kernel.kallsyms])",
	       "app", -1, 1, 1);
	frame("ffffffff81 native_safe_halt ([kernel.kallsyms])", 0xffffffff81,
	      "native_safe_halt", "[kernel.kallsyms]");
	assert_true(str_starts(h.rest, STR("ffffffff81 native")));
}

static void other_lines_are_no_headers(void **state)
{
	(void)state;
	no_header("Was the perf record command properly terminated?");
	no_header("Warning: processed 10 events and lost 1 chunks!");
	no_header("  uniform_int_dist.h:300");
	no_header("            7f00 foo+0x1 (/lib/x.so)");
}

static void mmap_record_is_a_mapping(void **state)
{
	(void)state;
	record("app 1 [000] 0.5: PERF_RECORD_MMAP2 1/2: [0x7f00(0x4000) @ 0 fe:00 83 "
	       "29]: r-xp /opt/App (x86)/x.dll",
	       EV_MMAP);
	assert_int_equal(ev.pid, 1);
	assert_int_equal(ev.tid, 2);
	assert_int_equal(ev.map.start, 0x7f00);
	assert_int_equal(ev.map.len, 0x4000);
	assert_int_equal(ev.map.file_off, 0);
	assert_int_equal(ev.map.prot, PROT_READ | PROT_EXEC);
	is(ev.map.path, "/opt/App (x86)/x.dll");
	record("app 1 0.5: PERF_RECORD_MMAP2 1/1: [0x7f00(0x4000) @ 0x1000 <00ff>]: r--p "
	       "/x (deleted)",
	       EV_MMAP);
	assert_int_equal(ev.map.file_off, 0x1000);
	assert_int_equal(ev.map.prot, PROT_READ);
	is(ev.map.path, "/x (deleted)");
	record("app 1 0.5: PERF_RECORD_MMAP 1/1: [0x7f00(0x4000) @ 0]: x /x", EV_MMAP);
	assert_int_equal(ev.map.prot, PROT_EXEC);
	record("app 1 0.5: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x1000) @ "
	       "0xffffffff81000000]: x [kernel.kallsyms]_text",
	       EV_MMAP);
	is(ev.map.path, "[kernel.kallsyms]");
	assert_int_equal(ev.map.cpumode, MODE_KERNEL);
}

static void mmap_record_that_is_cut_stays_text(void **state)
{
	char line[] = "app 1 0.5: PERF_RECORD_MMAP2 1/1: [0x7f00(0x4000) @ 0 fe:00 83 "
	              "29]: r-xp /";

	(void)state;
	record(line, EV_MMAP);
	for (size_t n = sizeof(line) - 2; n > 11; n--) {
		line[n] = 0;
		if (parse(line) && h.record.n)
			record(line, EV_TEXT);
	}
}

static void comm_record_may_hold_colons(void **state)
{
	(void)state;
	record("app 1 0.5: PERF_RECORD_COMM: rs:main Q:Reg:12/34", EV_COMM);
	is(ev.comm, "rs:main Q:Reg");
	assert_int_equal(ev.pid, 12);
	assert_int_equal(ev.tid, 34);
	assert_false(ev.exec);
	record("app 1 0.5: PERF_RECORD_COMM exec: sh:7/7", EV_COMM);
	is(ev.comm, "sh");
	assert_true(ev.exec);
	record("app 1 0.5: PERF_RECORD_COMM: :7/7", EV_COMM);
	is(ev.comm, "");
	record("app 1 0.5: PERF_RECORD_COMM: app:7/", EV_TEXT);
	record("app 1 0.5: PERF_RECORD_COMM: app", EV_TEXT);
}

static void fork_record_has_child_and_parent(void **state)
{
	(void)state;
	record("app 1 0.5: PERF_RECORD_FORK(12:34):(5:6)", EV_FORK);
	assert_int_equal(ev.pid, 12);
	assert_int_equal(ev.tid, 34);
	assert_int_equal(ev.ppid, 5);
	assert_int_equal(ev.ptid, 6);
	record("app 1 0.5: PERF_RECORD_EXIT(12:34):(5:6)", EV_EXIT);
	record("app 1 0.5: PERF_RECORD_FORK(12:34):(5:", EV_TEXT);
}

static void switch_record_says_who_follows(void **state)
{
	(void)state;
	record("cat 7/8 [001] 5.5: PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next "
	       "pid/tid:  "
	       "12/13 ",
	       EV_SWITCH);
	assert_true(ev.other->out && ev.other->preempt && ev.other->wide);
	assert_int_equal(ev.other->other_pid, 12);
	assert_int_equal(ev.other->other_tid, 13);
	record("cat 7/8 [001] 5.5: PERF_RECORD_SWITCH_CPU_WIDE IN           prev "
	       "pid/tid:  "
	       "0/0 ",
	       EV_SWITCH);
	assert_true(!ev.other->out && !ev.other->preempt && ev.other->wide);
	record("cat 7/8 [001] 5.5: PERF_RECORD_SWITCH OUT", EV_SWITCH);
	assert_true(ev.other->out && !ev.other->wide);
	record("cat 7/8 [001] 5.5: PERF_RECORD_SWITCH OUT next pid/tid: 12", EV_TEXT);
	record("cat 7/8 [001] 5.5: PERF_RECORD_SWITCH AWAY", EV_TEXT);
}

static void lost_record_says_how_many(void **state)
{
	(void)state;
	record("cat 7/8 [001] 5.5: PERF_RECORD_LOST lost 512", EV_LOST);
	assert_int_equal(ev.weight, 512);
	record("cat 7/8 [001] 5.5: PERF_RECORD_LOST lost many", EV_TEXT);
}

static void module_is_the_last_group(void **state)
{
	(void)state;
	frame("\t7f00 operator()(int) const+0x1 (/lib/x.so)", 0x7f00,
	      "operator()(int) const", "/lib/x.so");
	assert_int_equal(ft.func_off, 1);
	frame("\t7f01 (deleted) (/lib/x.so)", 0x7f01, "(deleted)", "/lib/x.so");
	frame("\t7f00 foo (/opt/App (x86)/lib.so)", 0x7f00, "foo",
	      "/opt/App (x86)/lib.so");
	frame("\t7f01 bar(int) (/opt/App (x86)/lib.so)", 0x7f01, "bar(int)",
	      "/opt/App (x86)/lib.so");
	frame("\t7f00 foo (/opt/My App/lib x.so)", 0x7f00, "foo", "/opt/My App/lib x.so");
	frame("\t7f00 foo (/memfd:doublemapper (deleted))", 0x7f00, "foo",
	      "/memfd:doublemapper (deleted)");
	frame("\t7f01 void (*foo)(int) (/lib/x.so)", 0x7f01, "void (*foo)(int)",
	      "/lib/x.so");
	frame("\t7f00 f<void (int)>::call(int) (/x)", 0x7f00, "f<void (int)>::call(int)",
	      "/x");
	frame("\t7f02 (anonymous namespace)::bar(int)+0x1 (/x)", 0x7f02,
	      "(anonymous namespace)::bar(int)", "/x");
}

static void module_may_be_missing(void **state)
{
	(void)state;
	frame("\t7f00 foo+0x10", 0x7f00, "foo", "");
	assert_true(ft.has_off);
	frame("\t7f00 std::function<void (int)>::f", 0x7f00,
	      "std::function<void (int)>::f", "");
	frame("\t7f00", 0x7f00, "", "");
	frame("\t7f00  (/lib/libc-2.15.so)", 0x7f00, "", "/lib/libc-2.15.so");
}

static void unknown_has_no_function(void **state)
{
	(void)state;
	frame("\t7f00 [unknown] ([unknown])", 0x7f00, "", "[unknown]");
	frame("\t0 [unknown] (/SYSV00000000 (deleted))", 0, "",
	      "/SYSV00000000 (deleted)");
	frame("\t7f00 [unknown] (/tmp/perf-7.map)", 0x7f00, "", "/tmp/perf-7.map");
}

static void inlined_frame_has_no_module_of_its_own(void **state)
{
	(void)state;
	frame("\t    7f00 foo+0x1 (inlined)", 0x7f00, "foo", "inlined");
	assert_true(ft.inlined);
	frame("\t    7f00 baz() (inlined)", 0x7f00, "baz()", "inlined");
	assert_true(ft.inlined);
	frame("\t    7f00 baz (/inlined)", 0x7f00, "baz", "/inlined");
	assert_false(ft.inlined);
}

static void only_the_last_offset_counts(void **state)
{
	(void)state;
	frame("\t7f00 foo+0x10+0x20 (/x)", 0x7f00, "foo+0x10", "/x");
	assert_int_equal(ft.func_off, 0x20);
	frame("\t7f00 foo+0xffffffff81000000 (/x)", 0x7f00, "foo", "/x");
	assert_int_equal(ft.func_off, 0xffffffff81000000);
	frame("\t7f00 foo+0xZZ (/x)", 0x7f00, "foo+0xZZ", "/x");
	assert_false(ft.has_off);
	frame("\t7f00 foo+0x (/x)", 0x7f00, "foo+0x", "/x");
	frame("\t7f00 operator+ (/x)", 0x7f00, "operator+", "/x");
}

static void what_follows_the_module_is_its_tail(void **state)
{
	(void)state;
	frame("\t7f00 foo+0x1 (/lib/x.so) insn: 48 89 e5", 0x7f00, "foo", "/lib/x.so");
	is(ft.tail, "insn: 48 89 e5");
}

static void line_cut_in_its_module_keeps_its_name(void **state)
{
	(void)state;
	frame("\t7f00 start_thread (/lib/x86_64-linux-gnu", 0x7f00, "start_thread", "");
	frame("\t7f00 start_thread+0x4 ([kernel.ka", 0x7f00, "start_thread", "");
	assert_int_equal(ft.func_off, 4);
	frame("\t7f00 operator( ", 0x7f00, "operator(", "");
}

static void other_lines_are_no_frames(void **state)
{
	static const char *const lines[] = { "\t  uniform_int_dist.h:300",
		                             "\t",
		                             "\t7f00: foo",
		                             "\t0x7f00 foo (/x)",
		                             "\t10000000000000000 foo (/x)",
		                             "# captured on: x" };

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		if (frameline_perf(str_of(lines[i]), &ft))
			fail_msg("a frame: %s", lines[i]);
}

/* Reads a line both ways; true: the short one took it. */
static bool splits(struct str line)
{
	char text[1024] = { 0 };
	struct frame f = { 0 };
	struct frame_text quick, slow;

	memcpy(text, line.p, line.n);
	memcpy(text + line.n, "\n\t1 f (m)\n", 11);
	if (!frameline_split((struct str){ text, sizeof(text) }, &f))
		return false;
	assert_int_equal(f.line.n, line.n);
	assert_true(frameline_read(&f, &quick));
	assert_true(frameline_perf(f.line, &slow));
	assert_true(quick.addr == slow.addr && quick.func_off == slow.func_off);
	assert_true(quick.has_off == slow.has_off && quick.inlined == slow.inlined);
	assert_true(str_eq(quick.func, slow.func) && str_eq(quick.module, slow.module));
	return true;
}

static void usual_line_is_split_as_any_is_parsed(void **state)
{
	static const char *const lines[] = {
		"\tffffffff8104f45a native_safe_halt+0x2a ([kernel.kallsyms])",
		"\t          401136 main+0x6 (/usr/bin/app)",
		"\t    7f0000000010 [unknown] ([unknown])",
		"\t               1 f (m)",
		"\t    7f0000000010 std::function<void (int)>::operator()(int) "
		"const+0x12345 (/lib/x.so)",
		"\t    7f0000000010 a+0x1+0x22 "
		"(/opt/App/a_path_that_is_longer_than_one_block_of_it/x.so)",
		"\t    7f0000000010 g(int) (inlined)",
	};
	static const char bytes[] = " \t()+x0fgoZ[]\r\x80";
	size_t taken = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		for (size_t at = 0; at < strlen(lines[i]); at++)
			for (size_t b = 0; b < sizeof(bytes) - 1; b++) {
				char line[256];

				strcpy(line, lines[i]);
				line[at] = bytes[b];
				taken += splits(str_of(line));
			}
	assert_true(taken > 1000);
	assert_true(splits(str_of(lines[0])) && splits(str_of(lines[4])));
	assert_false(splits(STR("\t  401136 short (/usr/bin/app)")));
}

static int forget(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comm_may_hold_spaces_and_numbers),
		cmocka_unit_test(comm_may_be_anything_else),
		cmocka_unit_test(comm_may_look_like_a_header),
		cmocka_unit_test(ids_may_be_negative),
		cmocka_unit_test(time_is_read_to_its_last_digit),
		cmocka_unit_test(fields_may_be_missing),
		cmocka_unit_test(event_keeps_colons_and_slashes),
		cmocka_unit_test(single_line_sample_leaves_its_frame),
		cmocka_unit_test(other_lines_are_no_headers),
		cmocka_unit_test(mmap_record_is_a_mapping),
		cmocka_unit_test(mmap_record_that_is_cut_stays_text),
		cmocka_unit_test(comm_record_may_hold_colons),
		cmocka_unit_test(fork_record_has_child_and_parent),
		cmocka_unit_test(switch_record_says_who_follows),
		cmocka_unit_test(lost_record_says_how_many),
		cmocka_unit_test(module_is_the_last_group),
		cmocka_unit_test(module_may_be_missing),
		cmocka_unit_test(unknown_has_no_function),
		cmocka_unit_test(inlined_frame_has_no_module_of_its_own),
		cmocka_unit_test(only_the_last_offset_counts),
		cmocka_unit_test(what_follows_the_module_is_its_tail),
		cmocka_unit_test(line_cut_in_its_module_keeps_its_name),
		cmocka_unit_test(other_lines_are_no_frames),
		cmocka_unit_test(usual_line_is_split_as_any_is_parsed),
	};

	return cmocka_run_group_tests_name("scripthead", tests, NULL, forget);
}
