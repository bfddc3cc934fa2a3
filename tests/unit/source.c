/* Files and directories as a source. */
#include "source/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char place[64];
static struct arena run;
static struct diag diag;
static struct source_opts opts;

static unsigned looked;

static enum source_look look(struct str name, struct str head)
{
	(void)name;
	looked++;
	return str_starts(head, STR("text")) ? LOOK_STREAM : LOOK_NOTHING;
}

static int enter(void **state)
{
	(void)state;
	strcpy(place, "/tmp/source-XXXXXX");
	looked = 0;
	diag = (struct diag){ .prog = "source", .limit = 0 };
	opts = (struct source_opts){
		.look = look, .is_profile = true, .run = &run, .diag = &diag
	};
	return mkdtemp(place) && chdir(place) == 0 && mkdir("d", 0700) == 0 ? 0 : -1;
}

static int unlink_one(const char *path, const struct stat *sb, int flag, struct FTW *at)
{
	(void)sb, (void)flag, (void)at;
	return remove(path);
}

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return chdir("/") || nftw(place, unlink_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void put_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static struct source *must_open(const char *path, enum source_kind kind)
{
	struct source *s = source_open(path, &opts);

	assert_non_null(s);
	assert_int_equal(s->kind, kind);
	/* A directory's files are not opened. */
	assert_true(kind != SOURCE_DIR || !looked);
	return s;
}

/* The names of all members, each behind a blank. */
static const char *names(struct source *s)
{
	struct str all = STR("");

	for (size_t i = 0; i < s->n; i++)
		all = arena_fmt(&run, PRSTR " " PRSTR, STRARG(all),
		                STRARG(s->members[i].name));
	return all.n ? all.p : "";
}

static void plain_file_is_one_member(void **state)
{
	struct stream *st;
	struct source *s;

	(void)state;
	put_file("a.txt", "text of a file\n");
	s = must_open("a.txt", SOURCE_FILE);
	assert_string_equal(names(s), " a.txt");
	assert_int_equal(s->members[0].size, 15);
	assert_true(str_eq(source_head(s, 0), STR("text of a file\n")));
	assert_true(str_eq(source_map(s, 0), STR("text of a file\n")));
	st = stream_open(s, 0);
	assert_true(str_eq(stream_ahead(st, 15), STR("text of a file\n")));
	stream_close(st);
	source_close(s);
}

static void empty_file_is_a_member_of_no_bytes(void **state)
{
	struct stream *st;
	struct source *s;

	(void)state;
	put_file("none", "");
	s = must_open("none", SOURCE_FILE);
	assert_int_equal(s->n, 1);
	assert_non_null(source_map(s, 0).p);
	assert_int_equal(source_map(s, 0).n, 0);
	assert_int_equal(source_head(s, 0).n, 0);
	st = stream_open(s, 0);
	assert_non_null(st);
	assert_int_equal(stream_ahead(st, 1).n, 0);
	assert_null(stream_error(st));
	stream_close(st);
	source_close(s);
}

static void missing_file_cannot_be_opened(void **state)
{
	(void)state;
	assert_null(source_open("missing", &opts));
}

/* The files in /proc say that they have 0 bytes. */
static void file_may_not_know_its_size(void **state)
{
	struct source *s = must_open("/proc/self/status", SOURCE_FILE);
	struct str bytes = source_map(s, 0);

	(void)state;
	assert_true(str_starts(bytes, STR("Name:")));
	assert_int_equal(s->members[0].size, bytes.n);
	source_close(s);
}

static void files_are_listed_by_name(void **state)
{
	struct source *s;

	(void)state;
	assert_int_equal(mkdir("d/b", 0700), 0);
	put_file("d/b/2", "two");
	put_file("d/b.x", "");
	put_file("d/a", "one");
	assert_int_equal(mkfifo("d/fifo", 0600), 0);
	s = must_open("d", SOURCE_DIR);
	assert_string_equal(names(s), " a b.x b/2");
	assert_int_equal(s->members[2].depth, 1);
	assert_true(str_eq(source_head(s, 2), STR("two")));
	assert_true(str_eq(source_map(s, 2), STR("two")));
	assert_true(str_eq(source_head(s, 2), STR("two")));
	assert_non_null(source_map(s, 1).p);
	assert_int_equal(source_map(s, 1).n, 0);
	source_close(s);
}

static void links_are_followed_only_inside(void **state)
{
	struct source *s;

	(void)state;
	assert_int_equal(mkdir("d/sub", 0700), 0);
	assert_int_equal(mkdir("dx", 0700), 0);
	put_file("d/sub/f", "f");
	put_file("dx/secret", "s");
	put_file("outside", "o");
	assert_int_equal(symlink("sub/f", "d/file"), 0);
	assert_int_equal(symlink("sub", "d/dir"), 0);
	assert_int_equal(symlink(arena_fmt(&run, "%s/d/sub/f", place).p, "d/abs"), 0);
	assert_int_equal(symlink("../outside", "d/out1"), 0);
	assert_int_equal(symlink("/etc/passwd", "d/out2"), 0);
	assert_int_equal(symlink("../dx", "d/out3"), 0);
	assert_int_equal(symlink("nowhere", "d/broken"), 0);
	s = must_open("d", SOURCE_DIR);
	assert_string_equal(names(s), " abs dir/f file sub/f");
	for (size_t i = 0; i < s->n; i++)
		assert_true(str_eq(source_map(s, i), STR("f")));
	source_close(s);
}

static void loops_of_links_end(void **state)
{
	struct source *s;

	(void)state;
	assert_int_equal(mkdir("d/a", 0700), 0);
	assert_int_equal(mkdir("d/b", 0700), 0);
	put_file("d/a/f", "f");
	assert_int_equal(symlink(".", "d/self"), 0);
	assert_int_equal(symlink("..", "d/a/up"), 0);
	assert_int_equal(symlink("../b", "d/a/x"), 0);
	assert_int_equal(symlink("../a", "d/b/y"), 0);
	assert_int_equal(symlink("knot", "d/knot"), 0);
	s = must_open("d", SOURCE_DIR);
	assert_string_equal(names(s), " a/f b/y/f");
	source_close(s);
}

static void directory_may_be_standard_input(void **state)
{
	int saved = dup(STDIN_FILENO), fd = open("d", O_RDONLY | O_DIRECTORY);
	struct source *s;

	(void)state;
	put_file("d/a", "one");
	assert_int_equal(symlink("a", "d/b"), 0);
	assert_true(saved >= 0 && fd >= 0);
	dup2(fd, STDIN_FILENO);
	close(fd);
	s = must_open(NULL, SOURCE_DIR);
	dup2(saved, STDIN_FILENO);
	close(saved);
	assert_string_equal(names(s), " a b");
	assert_true(str_eq(source_map(s, 1), STR("one")));
	source_close(s);
}

static void members_hold_no_descriptors(void **state)
{
	struct source *s;
	int before, after;

	(void)state;
	for (int i = 0; i < 50; i++)
		put_file(arena_fmt(&run, "d/%d", i).p, "bytes");
	s = must_open("d", SOURCE_DIR);
	before = dup(STDERR_FILENO);
	close(before);
	for (size_t i = 0; i < s->n; i++) {
		assert_int_equal(source_head(s, i).n, 5);
		assert_int_equal(s->members[i].size, 5);
		assert_int_equal(source_map(s, i).n, 5);
	}
	after = dup(STDERR_FILENO);
	close(after);
	assert_int_equal(after, before);
	source_close(s);
}

static void file_gone_is_unreadable(void **state)
{
	struct source *s;

	(void)state;
	put_file("d/a", "one");
	s = must_open("d", SOURCE_DIR);
	assert_int_equal(unlink("d/a"), 0);
	assert_int_equal(source_head(s, 0).n, 0);
	assert_null(source_map(s, 0).p);
	assert_int_equal(errno, ENOENT);
	assert_null(stream_open(s, 0));
	assert_int_equal(mkfifo("d/a", 0600), 0);
	assert_null(source_map(s, 0).p);
	source_close(s);
}

static void unreadable_directory_is_reported(void **state)
{
	struct str path = STR("d");
	struct source *s;
	int at = AT_FDCWD;

	(void)state;
	/* Deeper than a path can be: unreadable to root as well. */
	put_file("d/a", "one");
	for (int i = 0; i < 20; i++) {
		char name[256] = { 0 };
		int next;

		memset(name, 'n', 250);
		next = openat(at, i ? name : path.p, O_RDONLY | O_DIRECTORY);
		if (at != AT_FDCWD)
			close(at);
		assert_true(next >= 0);
		at = next;
		assert_int_equal(mkdirat(at, name, 0700), 0);
	}
	s = must_open("d", SOURCE_DIR);
	assert_string_equal(names(s), " a");
	assert_int_equal(diag.damaged, 1);
	source_close(s);
	/* From the inside out, as no path leads there. */
	for (int i = 0; i < 20; i++) {
		char name[256] = { 0 };
		int up = openat(at, "..", O_RDONLY | O_DIRECTORY);

		memset(name, 'n', 250);
		assert_int_equal(unlinkat(at, name, AT_REMOVEDIR), 0);
		close(at);
		at = up;
	}
	close(at);
}

static void a_member_that_cannot_be_read_is_reported_once(void **state)
{
	struct source *s;

	(void)state;
	put_file("d/a", "one");
	put_file("d/b", "two");
	s = must_open("d", SOURCE_DIR);
	assert_int_equal(unlink("d/a"), 0);
	assert_int_equal(source_head(s, 0).n, 0);
	assert_null(source_map(s, 0).p);
	assert_int_equal(source_map(s, 1).n, 3);
	assert_int_equal(diag.damaged, 1);
	assert_int_equal(diag.warned, 0);
	source_close(s);
}

/* Has the file been opened since watch began?  A handle that only says where it is is none. */
static bool was_opened(int watch)
{
	char events[4096];

	return read(watch, events, sizeof(events)) > 0;
}

/*
 * Opening a device or a FIFO may do something; its path may have come with a profile.  Of /proc
 * a file that qemu-user does not make itself, as it does /proc/self/maps: that one is regular.
 */
static void plain_opens_regular_files_alone(void **state)
{
	static const char *const odd[] = { "d/fifo",      "d",
		                           "/dev/null",   "/proc/self/limits",
		                           "/proc/kcore", "/sys/kernel/notes",
		                           "d/link" };
	int watch = inotify_init1(IN_NONBLOCK);
	struct source *s;

	(void)state;
	put_file("d/a", "one");
	assert_int_equal(mkfifo("d/fifo", 0600), 0);
	assert_int_equal(symlink("fifo", "d/link"), 0);
	assert_true(inotify_add_watch(watch, "d/fifo", IN_OPEN) >= 0);
	opts.plain = true;
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		errno = ENOMEM;
		assert_null(source_open(odd[i], &opts));
		assert_int_equal(errno, 0);
	}
	assert_false(was_opened(watch));
	close(open("d/fifo", O_RDONLY | O_NONBLOCK));
	assert_true(was_opened(watch));
	close(watch);
	s = must_open("d/a", SOURCE_FILE);
	assert_int_equal(source_map(s, 0).n, 3);
	source_close(s);
	assert_null(source_open("d/none", &opts));
	assert_int_equal(errno, 0);
	assert_int_equal(diag.damaged, 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(plain_file_is_one_member),
		TEST(empty_file_is_a_member_of_no_bytes),
		TEST(missing_file_cannot_be_opened),
		TEST(file_may_not_know_its_size),
		TEST(files_are_listed_by_name),
		TEST(links_are_followed_only_inside),
		TEST(loops_of_links_end),
		TEST(directory_may_be_standard_input),
		TEST(members_hold_no_descriptors),
		TEST(file_gone_is_unreadable),
		TEST(unreadable_directory_is_reported),
		TEST(a_member_that_cannot_be_read_is_reported_once),
		TEST(plain_opens_regular_files_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
