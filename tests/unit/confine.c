#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"

/* Below TMPDIR: named may be read, kept written, placed is for outputs, other is not named. */
static const char *const directories[] = { "named", "kept", "placed", "other" };

static void make(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY, 0600);

	assert_int_equal(write(fd, "x", 1), 1);
	close(fd);
}

static int set_up(void **state)
{
	const char *dir = getenv("TMPDIR");

	(void)state;
	if (chdir(dir ? dir : "/tmp") < 0)
		return -1;
	for (size_t i = 0; i < 4; i++) {
		char path[32];

		if (mkdir(directories[i], 0700) < 0 && errno != EEXIST)
			return -1;
		snprintf(path, sizeof(path), "%s/file", directories[i]);
		make(path);
	}
	return 0;
}

static int give_up(void)
{
	struct confine c;

	confine_begin(&c);
	confine_path(&c, "named", CONFINE_READ);
	confine_path(&c, "kept", CONFINE_FILES);
	confine_path(&c, "placed", CONFINE_PLACE);
	confine_path(&c, "not there", CONFINE_TREE);
	return confine_end(&c);
}

/* Status of a child that has given up what it does not need and then does it. */
static int status_of(int (*it)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		signal(SIGSYS, SIG_DFL); /* cmocka handles it */
		_exit(give_up() < 0 ? 255 : it());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* 0, or the errno. */
static int errno_of(int (*it)(void))
{
	int status = status_of(it);

	assert_true(WIFEXITED(status));
	assert_int_not_equal(WEXITSTATUS(status), 255);
	return WEXITSTATUS(status);
}

static int signal_of(int (*it)(void))
{
	int status = status_of(it);

	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static bool has(const char *means)
{
	struct arena a = { 0 };
	struct str s = confine_means(&a);
	bool found = str_search(s, str_of(means)) < s.n;

	arena_release(&a);
	if (!found)
		print_message("no %s here, or this build leaves it off\n", means);
	return found;
}

static int try_open(const char *path, int flags)
{
	return open(path, flags, 0600) < 0 ? errno : 0;
}

static int read_named(void)
{
	return try_open("named/file", O_RDONLY);
}
static int list_named(void)
{
	return try_open("named", O_RDONLY | O_DIRECTORY);
}
static int write_named(void)
{
	return try_open("named/file", O_WRONLY);
}
static int cut_named(void)
{
	return truncate("named/file", 0) < 0 ? errno : 0;
}
static int write_kept(void)
{
	return try_open("kept/new", O_CREAT | O_WRONLY | O_TRUNC);
}
static int nest_kept(void)
{
	return mkdir("kept/new.d", 0700) < 0 ? errno : 0;
}
static int read_other(void)
{
	return try_open("other/file", O_RDONLY);
}
static int list_other(void)
{
	return try_open("other", O_RDONLY | O_DIRECTORY);
}
static int write_other(void)
{
	return try_open("other/new", O_CREAT | O_WRONLY);
}
static int remove_other(void)
{
	return unlink("other/file") < 0 ? errno : 0;
}
static int link_other(void)
{
	return symlink("file", "other/link") < 0 ? errno : 0;
}
static int move_out(void)
{
	return rename("kept/file", "other/new") < 0 ? errno : 0;
}
static int write_placed(void)
{
	return try_open("placed/file", O_WRONLY);
}
static int place(void)
{
	return rename("placed/file", "placed/new") < 0 ? errno : 0;
}

static void files_that_were_named_are_read(void **state)
{
	(void)state;
	if (!has("Landlock"))
		skip();
	assert_int_equal(errno_of(read_named), 0);
	assert_int_equal(errno_of(list_named), 0);
	assert_int_equal(errno_of(read_other), EACCES);
	assert_int_equal(errno_of(list_other), EACCES);
}

static void nothing_is_written_elsewhere(void **state)
{
	(void)state;
	if (!has("Landlock"))
		skip();
	assert_int_equal(errno_of(write_kept), 0);
	assert_int_equal(errno_of(write_named), EACCES);
	assert_int_equal(errno_of(write_other), EACCES);
	assert_int_equal(errno_of(remove_other), EACCES);
	assert_int_equal(errno_of(link_other), EACCES);
	assert_int_equal(errno_of(nest_kept), EACCES);
	assert_true(errno_of(move_out) != 0);
	if (!has("Landlock 1") && !has("Landlock 2"))
		assert_int_equal(errno_of(cut_named), EACCES);
}

static void a_place_takes_names_and_no_bytes(void **state)
{
	(void)state;
	if (!has("Landlock"))
		skip();
	assert_int_equal(errno_of(write_placed), EACCES);
	assert_int_equal(errno_of(place), 0);
	make("placed/file");
}

static int exec_true(void)
{
	execl("/bin/true", "true", (char *)NULL);
	return errno;
}

static int open_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? errno : 0;
}
static int trace(void)
{
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0 ? errno : 0;
}
static int read_parent(void)
{
	return syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0) < 0 ? errno
	                                                                         : 0;
}
static int queue_calls(void)
{
	return syscall(SYS_io_uring_setup, 1, NULL) < 0 ? errno : 0;
}
static int change_mode(void)
{
	return chmod("kept/file", 0644) < 0 ? errno : 0;
}

/* A process that is made later is no freer. */
static int have_child_open_socket(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(open_socket());
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 100 + WTERMSIG(status) : 0;
}

static void calls_that_no_filter_makes_end_it(void **state)
{
	int (*const calls[])(void) = { exec_true,   open_socket, trace,
		                       read_parent, queue_calls, change_mode };

	(void)state;
	if (!has("seccomp"))
		skip();
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		assert_int_equal(signal_of(calls[i]), SIGSYS);
	assert_int_equal(errno_of(have_child_open_socket), 100 + SIGSYS);
}

static void on_refused(int number, siginfo_t *info, void *context)
{
	const char *call = confine_call(info->si_syscall);

	(void)number;
	(void)context;
	_exit(call && strcmp(call, "socket") == 0 ? 77 : 78);
}

static int handle(void)
{
	struct sigaction act = { .sa_sigaction = on_refused, .sa_flags = SA_SIGINFO };

	sigaction(SIGSYS, &act, NULL);
	return open_socket();
}

static void a_handler_learns_which_call(void **state)
{
	(void)state;
	if (!has("seccomp"))
		skip();
	assert_int_equal(errno_of(handle), 77);
	assert_null(confine_call(SYS_read));
}

static int go_on(void)
{
	char buf[8];
	int fds[2], fd = memfd_create("said", MFD_CLOEXEC);
	pid_t pid;

	if (fd < 0 || pipe(fds) < 0 || ftruncate(fd, 5) < 0)
		return errno;
	pid = fork();
	if (pid == 0)
		_exit(write(fds[1], "x", 1) == 1 ? 0 : 1);
	return pid > 0 && read(fds[0], buf, 1) == 1 && waitpid(pid, NULL, 0) == pid
	               ? kill(getpid(), 0)
	               : 1;
}

static void workers_pipes_and_memory_stay(void **state)
{
	(void)state;
	assert_int_equal(errno_of(go_on), 0);
}

static int use_up_files(void)
{
	struct confine c;

	while (open("named/file", O_RDONLY) >= 0)
		;
	confine_begin(&c);
	return confine_end(&c) < 0 ? errno : 0;
}

/* It is not the kernel that lacks something: the caller must not go on. */
static void no_file_left_is_an_error(void **state)
{
	pid_t pid;
	int status;

	(void)state;
	if (!has("Landlock"))
		skip();
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(use_up_files());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EMFILE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_that_were_named_are_read),
		cmocka_unit_test(nothing_is_written_elsewhere),
		cmocka_unit_test(a_place_takes_names_and_no_bytes),
		cmocka_unit_test(calls_that_no_filter_makes_end_it),
		cmocka_unit_test(a_handler_learns_which_call),
		cmocka_unit_test(workers_pipes_and_memory_stay),
		cmocka_unit_test(no_file_left_is_an_error),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
