/* Streams, and what comes through a pipe. */
#include "source/stream.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct arena run;
static struct diag diag;
static struct source_opts opts;
static pid_t feeder;
static int saved_stdin;

static enum source_look look(struct str name, struct str head)
{
	(void)name;
	if (str_starts(head, STR("text")))
		return LOOK_STREAM;
	return str_starts(head, STR("whole")) ? LOOK_WHOLE : LOOK_NOTHING;
}

static int enter(void **state)
{
	(void)state;
	diag = (struct diag){ .prog = "stream", .limit = 0 };
	opts = (struct source_opts){
		.look = look, .is_profile = true, .run = &run, .diag = &diag
	};
	feeder = 0;
	saved_stdin = dup(STDIN_FILENO);
	return saved_stdin < 0 ? -1 : 0;
}

static int leave(void **state)
{
	(void)state;
	dup2(saved_stdin, STDIN_FILENO);
	close(saved_stdin);
	if (feeder > 0)
		waitpid(feeder, NULL, 0);
	arena_release(&run);
	return 0;
}

static struct str lines(const char *first, size_t n)
{
	char *p = arena_new(&run, char, n + 32);
	size_t at = (size_t)sprintf(p, "%s\n", first);

	for (unsigned i = 0; at < n; i++)
		at += (size_t)sprintf(p + at, "%u\n", i * 2654435761u);
	return (struct str){ p, n };
}

/* Standard input becomes a pipe that yields these bytes, `piece` at a time. */
static void feed(struct str bytes, size_t piece)
{
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	feeder = fork();
	assert_true(feeder >= 0);
	if (feeder == 0) {
		signal(SIGPIPE, SIG_DFL);
		close(fds[0]);
		for (; bytes.n; bytes = str_from(bytes, piece))
			if (write(fds[1], bytes.p, bytes.n < piece ? bytes.n : piece) < 0)
				_exit(1);
		_exit(0);
	}
	close(fds[1]);
	assert_int_equal(dup2(fds[0], STDIN_FILENO), STDIN_FILENO);
	close(fds[0]);
}

/* Standard input becomes a file that holds these bytes, read up to `at`. */
static void feed_file(struct str bytes, off_t at)
{
	char path[] = "/tmp/stream-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0 && unlink(path) == 0);
	assert_int_equal(write(fd, bytes.p, bytes.n), bytes.n);
	assert_int_equal(lseek(fd, at, SEEK_SET), at);
	assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	close(fd);
}

static struct source *must_open(enum source_kind kind)
{
	struct source *s = source_open(NULL, &opts);

	assert_non_null(s);
	assert_int_equal(s->kind, kind);
	return s;
}

/* The rest of the stream is `want`, asked for in changing amounts. */
static void expect_bytes(struct stream *st, struct str want)
{
	uint64_t begin = stream_at(st);
	size_t all = want.n;

	for (size_t ask = 1; want.n; ask = ask * 7 % 30011) {
		struct str got = stream_ahead(st, ask);
		size_t take = got.n < ask ? got.n : ask;

		assert_true(got.n >= ask || got.n == want.n);
		assert_true(str_starts(want, got));
		stream_consume(st, take);
		want = str_from(want, take);
		assert_int_equal(stream_at(st), begin + all - want.n);
	}
	assert_int_equal(stream_ahead(st, 1).n, 0);
}

static void expect_rest(struct stream *st, struct str want)
{
	expect_bytes(st, want);
	assert_null(stream_error(st));
}

static void text_in_a_pipe_is_streamed(void **state)
{
	static const size_t pieces[] = { 7, 4096, 100000 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct str bytes = lines("text", i ? 1000000 : 60000);
		struct stream *st;
		struct source *s;

		feed(bytes, pieces[i]);
		s = must_open(SOURCE_PIPE);
		assert_true(str_eq(source_head(s, 0), str_head(bytes, SOURCE_HEAD)));
		assert_null(source_map(s, 0).p);
		assert_int_equal(errno, ESPIPE);
		st = stream_open(s, 0);
		assert_int_equal(stream_size(st), 0);
		expect_rest(st, bytes);
		stream_close(st);
		source_close(s);
		waitpid(feeder, NULL, 0);
		feeder = 0;
	}
}

static void pipe_is_streamed_once(void **state)
{
	struct stream *st;
	struct source *s;

	(void)state;
	feed(STR("text\n"), 7);
	s = must_open(SOURCE_PIPE);
	st = stream_open(s, 0);
	assert_non_null(st);
	assert_null(stream_open(s, 0));
	stream_close(st);
	source_close(s);
}

static void unknown_bytes_in_a_pipe_pass(void **state)
{
	struct str bytes = lines("what is this", 50000);
	struct stream *st;
	struct source *s;

	(void)state;
	feed(bytes, 999);
	s = must_open(SOURCE_PIPE);
	st = stream_open(s, 0);
	expect_rest(st, bytes);
	stream_close(st);
	source_close(s);
}

static void empty_pipe_is_an_empty_member(void **state)
{
	struct stream *st;
	struct source *s;

	(void)state;
	feed(STR(""), 7);
	s = must_open(SOURCE_PIPE);
	st = stream_open(s, 0);
	expect_rest(st, STR(""));
	stream_close(st);
	source_close(s);
}

static void what_must_be_seen_whole_is_spooled(void **state)
{
	static const size_t sizes[] = { 5, SOURCE_HEAD, 30000 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct str bytes = lines("whole", sizes[i]);
		struct stream *st;
		struct source *s;

		feed(bytes, 7);
		s = must_open(SOURCE_FILE);
		assert_int_equal(s->members[0].size, bytes.n);
		assert_true(str_eq(source_map(s, 0), bytes));
		assert_true(str_eq(source_head(s, 0), str_head(bytes, SOURCE_HEAD)));
		st = stream_open(s, 0);
		assert_int_equal(stream_size(st), bytes.n);
		expect_rest(st, bytes);
		stream_close(st);
		source_close(s);
		waitpid(feeder, NULL, 0);
		feeder = 0;
	}
}

static void pipe_over_the_bound_cannot_be_opened(void **state)
{
	(void)state;
	feed(lines("whole", 30000), 7000);
	opts.max_spool = 20000;
	assert_null(source_open(NULL, &opts));
}

/* A tar of "a" and "b", compressed by filter. */
static struct str make_tar(struct str a_bytes, struct str b_bytes)
{
	struct archive *a = archive_write_new();
	struct archive_entry *e = archive_entry_new();
	size_t cap = a_bytes.n + b_bytes.n + 20000, n = 0;
	char *p = arena_new(&run, char, cap);

	archive_write_set_format_ustar(a);
	archive_write_add_filter_gzip(a);
	assert_int_equal(archive_write_open_memory(a, p, cap, &n), ARCHIVE_OK);
	for (int i = 0; i < 2; i++) {
		struct str bytes = i ? b_bytes : a_bytes;

		archive_entry_clear(e);
		archive_entry_set_pathname(e, i ? "b" : "a");
		archive_entry_set_filetype(e, AE_IFREG);
		archive_entry_set_size(e, (la_int64_t)bytes.n);
		assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
		assert_int_equal(archive_write_data(a, bytes.p, bytes.n), bytes.n);
	}
	archive_entry_free(e);
	assert_int_equal(archive_write_close(a), ARCHIVE_OK);
	archive_write_free(a);
	return (struct str){ p, n };
}

static void archive_may_come_through_a_pipe(void **state)
{
	struct str a = lines("text a", 20000), b = lines("whole b", 70000);
	struct stream *st;
	struct source *s;

	(void)state;
	feed(make_tar(a, b), 7);
	s = must_open(SOURCE_ARCHIVE);
	assert_int_equal(s->n, 2);
	assert_true(str_eq(source_map(s, 0), a));
	assert_true(str_eq(source_map(s, 1), b));
	st = stream_open(s, 1);
	expect_rest(st, b);
	stream_close(st);
	source_close(s);
}

static void archive_may_be_standard_input(void **state)
{
	struct str a = lines("text a", 20000);
	struct source *s;

	(void)state;
	feed_file(make_tar(a, a), 0);
	s = must_open(SOURCE_ARCHIVE);
	assert_int_equal(s->n, 2);
	assert_true(str_eq(source_map(s, 1), a));
	source_close(s);
}

static void standard_input_begins_where_it_stands(void **state)
{
	struct str bytes = lines("not ours", 500000), rest = str_from(bytes, 300001);
	struct stream *st;
	struct source *s;

	(void)state;
	feed_file(bytes, 300001);
	s = must_open(SOURCE_FILE);
	assert_int_equal(s->members[0].size, rest.n);
	assert_true(str_eq(source_map(s, 0), rest));
	assert_true(str_eq(source_head(s, 0), str_head(rest, SOURCE_HEAD)));
	st = stream_open(s, 0);
	expect_rest(st, rest);
	stream_close(st);
	source_close(s);
	assert_int_equal(lseek(STDIN_FILENO, 0, SEEK_CUR), 300001);
}

static void closed_standard_input_cannot_be_opened(void **state)
{
	(void)state;
	close(STDIN_FILENO);
	assert_null(source_open(NULL, &opts));
}

/* Goes on by 10, holds, looks at a lot and comes back. */
static void expect_rewind(struct stream *st, struct str bytes)
{
	struct str got;

	stream_ahead(st, 10);
	stream_consume(st, 10);
	stream_hold(st);
	for (size_t n = 0; n < 700000; n += got.n) {
		got = stream_ahead(st, 1000);
		stream_consume(st, got.n);
	}
	stream_rewind(st);
	assert_int_equal(stream_at(st), 10);
	expect_rest(st, str_from(bytes, 10));
}

static void held_stream_goes_back(void **state)
{
	struct str bytes = lines("text", 1200000);
	struct stream *st;
	struct source *s;

	(void)state;
	st = stream_over(bytes);
	expect_rewind(st, bytes);
	stream_close(st);

	feed_file(bytes, 0);
	s = must_open(SOURCE_FILE);
	st = stream_open(s, 0);
	expect_rewind(st, bytes);
	stream_close(st);
	source_close(s);

	feed(bytes, 5000);
	s = must_open(SOURCE_PIPE);
	st = stream_open(s, 0);
	expect_rewind(st, bytes);
	stream_close(st);
	source_close(s);
}

static void window_grows_to_what_is_asked(void **state)
{
	struct str bytes = lines("text", 900000);
	struct stream *st;
	struct source *s;

	(void)state;
	feed(bytes, 50000);
	s = must_open(SOURCE_PIPE);
	st = stream_open(s, 0);
	stream_ahead(st, 1);
	stream_consume(st, 1);
	assert_true(stream_ahead(st, 800000).n >= 800000);
	expect_rest(st, str_from(bytes, 1));
	stream_close(st);
	source_close(s);
}

static void asking_for_more_than_there_is_gives_what_there_is(void **state)
{
	struct str bytes = lines("text", 300000);
	struct stream *st;
	struct source *s;

	(void)state;
	feed_file(bytes, 0);
	s = must_open(SOURCE_FILE);
	st = stream_open(s, 0);
	assert_true(str_eq(stream_ahead(st, SIZE_MAX), bytes));
	stream_close(st);
	source_close(s);
}

static void file_that_shrinks_is_an_error(void **state)
{
	struct str bytes = lines("text", 600000);
	struct stream *st;
	struct source *s;

	(void)state;
	feed_file(bytes, 0);
	s = must_open(SOURCE_FILE);
	st = stream_open(s, 0);
	assert_int_equal(ftruncate(STDIN_FILENO, 400000), 0);
	expect_bytes(st, str_head(bytes, 400000));
	assert_string_equal(stream_error(st), "the file shrank while it was read");
	assert_null(stream_error(st));
	stream_close(st);
	source_close(s);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(text_in_a_pipe_is_streamed),
		TEST(pipe_is_streamed_once),
		TEST(unknown_bytes_in_a_pipe_pass),
		TEST(empty_pipe_is_an_empty_member),
		TEST(what_must_be_seen_whole_is_spooled),
		TEST(pipe_over_the_bound_cannot_be_opened),
		TEST(archive_may_come_through_a_pipe),
		TEST(archive_may_be_standard_input),
		TEST(standard_input_begins_where_it_stands),
		TEST(closed_standard_input_cannot_be_opened),
		TEST(held_stream_goes_back),
		TEST(window_grows_to_what_is_asked),
		TEST(asking_for_more_than_there_is_gives_what_there_is),
		TEST(file_that_shrinks_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
