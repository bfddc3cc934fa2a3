/* LTTng's traces: which members they are, and what becomes of the frames of a worker. */
#include "reader/ctf/ctf_frame.h"

#include <fcntl.h>
#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "reader/ctf/ctf.h"
#include "reader/ctf/ctf_intake.h"
#include "reader/ctf/ctf_trace.h"
#include "source/made.h"
#include "source/unpacked.h"

static struct arena run;
static struct diag diag = { .prog = "ctf", .limit = 0 };

static enum source_look look(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_WHOLE;
}

/* A source of one file, in memory, that may keep max_spool bytes. */
static struct source *open_bytes(struct str bytes, uint64_t max_spool)
{
	struct source_opts opts = {
		.look = look, .run = &run, .diag = &diag, .max_spool = max_spool
	};
	int fd = memfd_create("ctf", MFD_CLOEXEC);
	struct source *s;

	assert_int_equal(write(fd, bytes.p, bytes.n), bytes.n);
	s = source_open(arena_fmt(&run, "/proc/self/fd/%d", fd).p, &opts);
	close(fd);
	assert_non_null(s);
	return s;
}

/* Two kinds of events of one thread, with two lost between them, and the program's name. */
static void send_stream(struct ctf_frames *f)
{
	struct buffer fields = { .arena = f->arena }, values = fields;
	struct ctf_row first = { .metadata = 7,
		                 .provider = STR("Shop-Orders"),
		                 .name = STR("Placed"),
		                 .nfields = 2 };
	struct ctf_row second = { .metadata = 8,
		                  .id = 1,
		                  .provider = STR("Microsoft-Windows-DotNETRuntime") };
	const uint32_t start[] = { htole32(3), htole32(2), htole32(1), 0 };
	struct ctf_event ev = { .metadata = 7,
		                .sequence = 1,
		                .cpu = 1,
		                .thread = 4,
		                .writer = 1,
		                .time_ns = 500 };

	ctf_frame_field(&fields, STR("amount"), CTF_FRAME_I64);
	ctf_frame_field(&fields, STR("item"), CTF_FRAME_UTF8);
	first.fields = (struct str){ fields.p, fields.n };
	ctf_frame_row(f, &first);
	ctf_frame_row(f, &second);
	ctf_frame_thread(f, 4, 77, 78);
	ctf_frame_comm(f, 77, STR("shop"));
	wireput_fixed64(&values, (uint64_t)-12);
	ctf_frame_text(&values, STR("pen"));
	ev.payload = (struct str){ values.p, values.n };
	ctf_frame_event(f, &ev);
	ev = (struct ctf_event){ .metadata = 8,
		                 .sequence = 4,
		                 .cpu = 1,
		                 .thread = 4,
		                 .writer = 1,
		                 .time_ns = 900 };
	ev.payload = (struct str){ (const char *)start, sizeof(start) };
	ctf_frame_event(f, &ev);
	ctf_frame_end(f, true);
}

/* The frames of that stream; a pipe holds so few. */
static struct str frames_of_stream(void)
{
	struct ctf_frames f;
	char *bytes = arena_alloc(&run, 4096, 1);
	int fds[2];
	ssize_t n;

	assert_int_equal(pipe(fds), 0);
	ctf_frame_begin(&f, fds[1], &run);
	send_stream(&f);
	assert_false(f.failed);
	n = read(fds[0], bytes, 4096);
	close(fds[0]);
	close(fds[1]);
	assert_true(n > 100);
	return (struct str){ bytes, (size_t)n };
}

/* Takes the frames, n bytes more each time, and opens what comes of them. */
static struct reader *take(struct ctf_intake *in, struct str frames, size_t step)
{
	struct str rest = { frames.p, 0 };

	in->run = &run;
	assert_int_equal(ctf_intake_begin(in), 0);
	ctf_intake_next(in);
	while (rest.p + rest.n < frames.p + frames.n && !in->bad) {
		size_t left = (size_t)(frames.p + frames.n - rest.p) - rest.n;

		rest.n += left < step ? left : step;
		rest = ctf_intake_take(in, rest);
	}
	return ctf_intake_open(in, STR("trace"), &diag);
}

static void frames_become_events(void **state)
{
	static const struct event_names every = { .all = true };
	struct str frames = frames_of_stream();

	(void)state;
	for (size_t step = 1; step <= frames.n; step += 30) {
		struct ctf_intake in = { .source = open_bytes(STR("x"), 0) };
		struct reader *r = take(&in, frames, step);
		struct trace_value v;
		struct event ev;

		assert_non_null(r);
		assert_true(in.complete && !in.bad);
		reader_want_events(r, &every);
		assert_int_equal(reader_next(r, &ev), 1);
		assert_true(str_eq(ev.attr->name, STR("Shop-Orders/Placed")));
		assert_true(ev.attr->runtime && !(ev.attr->sample_type & 1 << 5));
		assert_true(str_eq(ev.comm, STR("shop")));
		assert_true(ev.pid == 77 && ev.tid == 78 && ev.cpu == 1 &&
		            ev.time_ns == 500);
		assert_true(reader_trace_value(r, &ev, STR("amount"), &v));
		assert_int_equal(v.number, -12);
		assert_true(reader_trace_value(r, &ev, STR("item"), &v));
		assert_true(str_eq(v.text, STR("pen")));
		assert_int_equal(reader_next(r, &ev), 1);
		assert_true(ev.kind == EV_LOST && ev.weight == 2);
		assert_int_equal(reader_next(r, &ev), 1);
		assert_true(str_eq(ev.attr->name,
		                   STR("Microsoft-Windows-DotNETRuntime/GCStart")));
		assert_true(reader_trace_value(r, &ev, STR("Depth"), &v));
		assert_int_equal(v.number, 2);
		assert_int_equal(reader_next(r, &ev), 0);
		reader_close(r);
		source_close(in.source);
	}
}

static void a_frame_of_no_kind_ends_it(void **state)
{
	const uint32_t unknown[] = { htole32(0x99u << 24 | 4), 0 };
	const uint32_t huge[] = { htole32(0x02ffffffu), 0 };
	const struct str frames[] = { { (const char *)unknown, sizeof(unknown) },
		                      { (const char *)huge, sizeof(huge) } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct ctf_intake in = { .source = open_bytes(STR("x"), 0) };
		struct reader *r = take(&in, frames[i], 8);

		assert_true(in.bad && !in.complete);
		assert_non_null(r);
		reader_close(r);
		source_close(in.source);
	}
}

static void what_a_worker_says_is_kept(void **state)
{
	struct ctf_intake in = { .source = open_bytes(STR("x"), 0) };
	static const char said[] = "\4\0\0\x41"
	                           "torn";
	struct reader *r = take(&in, (struct str){ said, 8 }, 3);

	(void)state;
	assert_true(!in.complete && !in.bad && str_eq(in.why, STR("torn")));
	reader_close(r);
	source_close(in.source);
}

static void more_than_the_bound_is_refused(void **state)
{
	struct source *s = open_bytes(STR("x"), 100);

	(void)state;
	assert_int_equal(made_room(s), 100);
	assert_int_equal(made_put(s, (struct str){ arena_alloc(&run, 60, 1), 60 }), 0);
	assert_int_equal(made_room(s), 40);
	assert_int_equal(made_put(s, (struct str){ arena_alloc(&run, 60, 1), 60 }), -1);
	made_drop(s, 10);
	assert_int_equal(made_size(s), 10);
	assert_int_equal(made_put(s, (struct str){ arena_alloc(&run, 60, 1), 60 }), 0);
	assert_int_equal(made_map(s).n, 70);
	source_close(s);
}

static void kinds_of_files_are_told_by_their_bytes(void **state)
{
	(void)state;
	assert_true(ctf_trace_is_metadata((struct str){ "\x57\x1d\xd1\x75...", 7 }));
	assert_true(ctf_trace_is_metadata((struct str){ "\x75\xd1\x1d\x57...", 7 }));
	assert_true(ctf_trace_is_metadata(STR("/* CTF 1.8 */ typealias")));
	assert_false(ctf_trace_is_metadata(STR("/* CTF is a format */")));
	assert_true(ctf_trace_is_stream((struct str){ "\xc1\x1f\xfc\xc1", 4 }));
	assert_true(ctf_trace_is_stream((struct str){ "\xc1\xfc\x1f\xc1", 4 }));
	/* An index of LTTng's: not a stream. */
	assert_false(ctf_is_part((struct str){ "\xc1\xf1\xdc\xc1\0\0\0\1", 8 }));
	assert_false(ctf_is_part(STR("")));
	assert_ptr_equal(reader_bid(STR("/* CTF 1.8 */ typealias")), &ctf_format.traits);
}

static void packets_begin_alike(void **state)
{
	struct arena a = { 0 };
	char stream[400] = { 0 };
	uint64_t *at;

	(void)state;
	for (size_t i = 0; i < 20; i++)
		stream[i] = stream[160 + i] = stream[245 + i] = stream[384 + i % 16] =
		        (char)(i + 1);
	/* At 245 no packet can begin, and at 384 there are not so many bytes. */
	assert_int_equal(ctf_trace_packets((struct str){ stream, 400 }, &a, &at), 2);
	assert_true(at[0] == 0 && at[1] == 160);
	assert_int_equal(ctf_trace_packets((struct str){ stream, 4 }, &a, &at), 1);
	arena_release(&a);
}

static void files_are_of_their_user_alone(void **state)
{
	static const char *const names[] = { "metadata", "0" };
	struct unpacked u;
	struct stat sb;
	int fd;

	(void)state;
	assert_int_equal(unpacked_open(&u, NULL, &run), 0);
	assert_int_equal(stat(u.path.p, &sb), 0);
	assert_int_equal(sb.st_mode & 07777, 0700);
	assert_int_equal(unpacked_put(&u, "0", STR("first, and longer")), 0);
	assert_int_equal(unpacked_put(&u, "0", STR("second")), 0);
	fd = open(arena_fmt(&run, PRSTR "/0", STRARG(u.path)).p, O_RDONLY);
	assert_int_equal(fstat(fd, &sb), 0);
	assert_true(sb.st_size == 6 && (sb.st_mode & 07777) == 0600);
	close(fd);
	unpacked_close(&u, names, 2);
	assert_int_equal(stat(u.path.p, &sb), -1);
	unpacked_close(&u, names, 2);
}

static int release(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_become_events),
		cmocka_unit_test(a_frame_of_no_kind_ends_it),
		cmocka_unit_test(what_a_worker_says_is_kept),
		cmocka_unit_test(more_than_the_bound_is_refused),
		cmocka_unit_test(kinds_of_files_are_told_by_their_bytes),
		cmocka_unit_test(packets_begin_alike),
		cmocka_unit_test(files_are_of_their_user_alone),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
