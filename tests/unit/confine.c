#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"

/* Below TMPDIR: named may be read, other is not named. */
static const char *const directories[] = { "named", "other" };

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
	for (size_t i = 0; i < 2; i++) {
		char path[32];

		if (mkdir(directories[i], 0700) < 0 && errno != EEXIST)
			return -1;
		snprintf(path, sizeof(path), "%s/file", directories[i]);
		make(path);
	}
	return 0;
}

static int end(struct confine *c)
{
	const struct calls_limits limits = { (uint32_t)getpid(), -1, false };

	return confine_end(c, &limits);
}

static int give_up(void)
{
	struct confine c;

	confine_begin(&c);
	confine_path(&c, "named", CONFINE_READ);
	confine_path(&c, "not there", CONFINE_READ);
	return end(&c);
}

/* Status of a child that has given up what it does not need and then does it. */
static int status_of(int (*it)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(give_up() < 0 ? 255 : it());
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
	return try_open("named/file", O_RDONLY | O_TRUNC);
}
static int make_named(void)
{
	return try_open("named/new", O_CREAT | O_RDONLY);
}
static int nameless(void)
{
	return try_open("named", O_TMPFILE | O_RDWR);
}
static int read_other(void)
{
	return try_open("other/file", O_RDONLY);
}
static int list_other(void)
{
	return try_open("other", O_RDONLY | O_DIRECTORY);
}
static int truncate_named(void)
{
	return truncate("named/file", 0) < 0 ? errno : 0;
}
static int remove_named(void)
{
	return unlink("named/file") < 0 ? errno : 0;
}
static int link_named(void)
{
	return symlink("file", "named/link") < 0 ? errno : 0;
}
static int move_named(void)
{
	return rename("named/file", "named/new") < 0 ? errno : 0;
}
static int nest_named(void)
{
	return mkdir("named/new.d", 0700) < 0 ? errno : 0;
}
static int touch_named(void)
{
	return utimensat(AT_FDCWD, "named/file", NULL, 0) < 0 ? errno : 0;
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
	return chmod("named/file", 0644) < 0 ? errno : 0;
}
static int signal_parent(void)
{
	return kill(getppid(), 0) < 0 ? errno : 0;
}
static int limit_parent(void)
{
	return syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, NULL, NULL) < 0 ? errno : 0;
}
static int own_files(void)
{
	return fcntl(STDIN_FILENO, F_SETOWN, getppid()) < 0 ? errno : 0;
}
static int type_text(void)
{
	return ioctl(STDIN_FILENO, TIOCSTI, "x") < 0 ? errno : 0;
}
/* The kernel ignores the upper half. */
static int type_text_long(void)
{
	return syscall(SYS_ioctl, STDIN_FILENO, 0xffffffff00000000 | TIOCSTI, "x") < 0
	               ? errno
	               : 0;
}
static int make_namespace(void)
{
	return syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) < 0 ? errno : 0;
}

/* A process that is made later is no freer. */
static int have_child_open_socket(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(open_socket());
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

static void other_calls_are_not_permitted(void **state)
{
	int (*const calls[])(void) = {
		exec_true,
		open_socket,
		trace,
		read_parent,
		queue_calls,
		change_mode,
		write_named,
		cut_named,
		make_named,
		nameless,
		truncate_named,
		remove_named,
		link_named,
		move_named,
		nest_named,
		touch_named,
		signal_parent,
		limit_parent,
		own_files,
		type_text,
		type_text_long,
		make_namespace,
		have_child_open_socket,
	};

	(void)state;
	if (!has("seccomp"))
		skip();
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		assert_int_equal(errno_of(calls[i]), EPERM);
}

static int call_newer(void)
{
	return syscall(CALLS_NEWEST + 1) < 0 ? errno : 0;
}
static int call_clone3(void)
{
	return syscall(SYS_clone3, NULL, 0) < 0 ? errno : 0;
}

static void unknown_calls_are_missing(void **state)
{
	(void)state;
	if (!has("seccomp"))
		skip();
	assert_int_equal(errno_of(call_newer), ENOSYS);
	assert_int_equal(errno_of(call_clone3), ENOSYS);
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

/* Of a process that the confined one has made. */
static int abort_later(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		abort();
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void a_process_that_is_made_later_can_abort(void **state)
{
	struct confine c;
	bool scopes;

	(void)state;
	confine_begin(&c);
	scopes = c.scopes;
	confine_no_files(&c);
	if (!scopes) {
		print_message("signals have no scope here\n");
		skip();
	}
	assert_int_equal(errno_of(abort_later), SIGABRT);
}

static int use_up_files(void)
{
	struct confine c;

	while (open("named/file", O_RDONLY) >= 0)
		;
	confine_begin(&c);
	return end(&c) < 0 ? errno : 0;
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

/* Landlock has room for 16 layers. */
static int one_layer_too_many(void)
{
	const uint64_t files = 1;
	struct confine c;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	for (int i = 0; i < 16; i++) {
		int fd = (int)syscall(SYS_landlock_create_ruleset, &files, sizeof(files),
		                      0);

		if (fd < 0 || syscall(SYS_landlock_restrict_self, fd, 0) < 0)
			return 200;
		close(fd);
	}
	confine_begin(&c);
	end(&c);
	return c.landlock.in_force || !c.seccomp.in_force ? 201 : c.landlock.error;
}

static int skip_files(void)
{
	struct confine c;

	confine_begin(&c);
	confine_no_files(&c);
	end(&c);
	return c.landlock.in_force || c.landlock.error || c.landlock.lacking;
}

static int status_unconfined(int (*it)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(it());
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_layer_that_fails_is_known(void **state)
{
	(void)state;
	if (!has("Landlock"))
		skip();
	assert_int_equal(status_unconfined(one_layer_too_many), E2BIG);
	assert_int_equal(status_unconfined(skip_files), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_that_were_named_are_read),
		cmocka_unit_test(other_calls_are_not_permitted),
		cmocka_unit_test(unknown_calls_are_missing),
		cmocka_unit_test(workers_pipes_and_memory_stay),
		cmocka_unit_test(a_process_that_is_made_later_can_abort),
		cmocka_unit_test(no_file_left_is_an_error),
		cmocka_unit_test(a_layer_that_fails_is_known),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
