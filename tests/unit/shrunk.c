#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shrunk.h"

enum { PAGES = 3 };

static size_t page;

/* A file of PAGES pages of 'x', mapped from its second page on; path holds TMPDIR's length. */
static volatile char *map_file(char *path, size_t cap, int *fd)
{
	const char *dir = getenv("TMPDIR");
	char *p;

	page = (size_t)sysconf(_SC_PAGESIZE);
	snprintf(path, cap, "%s/shrunk-XXXXXX", dir ? dir : "/tmp");
	*fd = mkstemp(path);
	assert_true(*fd >= 0);
	for (size_t i = 0; i < PAGES * page; i++)
		assert_int_equal(write(*fd, "x", 1), 1);
	p = mmap(NULL, (PAGES - 1) * page, PROT_READ, MAP_PRIVATE, *fd, (off_t)page);
	assert_ptr_not_equal(p, MAP_FAILED);
	return p;
}

static sigjmp_buf back;
static void *said_at;

static void note_address(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	said_at = info->si_addr;
	siglongjmp(back, 1);
}

/* qemu-user turns the halves of the address around where the byte order is not its own. */
static bool signals_say_where(void)
{
	struct sigaction act = { .sa_sigaction = note_address, .sa_flags = SA_SIGINFO };
	char path[512];
	int fd;
	volatile char *p = map_file(path, sizeof(path), &fd);

	assert_int_equal(ftruncate(fd, 0), 0);
	sigaction(SIGBUS, &act, NULL);
	if (!sigsetjmp(back, 1))
		(void)p[5];
	close(fd);
	unlink(path);
	return said_at == (void *)(uintptr_t)(p + 5);
}

/* Runs shrunk_report with standard error in out. */
static void report(struct diag *d, char *out, size_t cap)
{
	FILE *f = tmpfile();
	int kept = dup(STDERR_FILENO);
	size_t n;

	assert_non_null(f);
	dup2(fileno(f), STDERR_FILENO);
	shrunk_report(d);
	dup2(kept, STDERR_FILENO);
	close(kept);
	rewind(f);
	n = fread(out, 1, cap - 1, f);
	out[n] = '\0';
	fclose(f);
}

/* The rest of the mapping reads as zeros, and file and place are said, once. */
static void test_zeros(void **state)
{
	struct diag d = { .prog = "psym", .limit = 10, .damaged = 99 };
	char path[512], said[1024], want[1024];
	int fd;
	volatile char *p = map_file(path, sizeof(path), &fd);

	(void)state;
	if (!signals_say_where())
		skip();
	shrunk_watch();
	assert_int_equal(p[0], 'x');
	assert_int_equal(ftruncate(fd, (off_t)(2 * page)), 0);
	assert_int_equal(p[page - 1], 'x');
	assert_int_equal(p[page + 5], 0);
	assert_int_equal(p[2 * page - 1], 0);
	report(&d, said, sizeof(said));
	snprintf(want, sizeof(want), "psym: %s:%zu: the file shrank while it was read\n",
	         path, 2 * page);
	assert_string_equal(said, want);
	assert_int_equal(d.damaged, 99);
	report(&d, said, sizeof(said));
	assert_string_equal(said, "");
	close(fd);
	unlink(path);
}

/* Without any other damage the run is damaged by it. */
static void test_counts(void **state)
{
	struct diag d = { .prog = "psym", .limit = 10 };
	char path[512], said[1024];
	int fd;
	volatile char *p = map_file(path, sizeof(path), &fd);

	(void)state;
	if (!signals_say_where())
		skip();
	shrunk_watch();
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(p[0], 0);
	report(&d, said, sizeof(said));
	assert_int_equal(d.damaged, 1);
	close(fd);
	unlink(path);
}

#ifndef WITH_ASAN /* it reads the maps of the process in the handler */
/* A confined worker cannot open its maps: here no descriptor is left for them. */
static void test_without_maps(void **state)
{
	struct diag d = { .prog = "psym", .input = "in", .limit = 10 };
	struct rlimit files, none;
	char path[512], said[1024];
	int fd;
	volatile char *p = map_file(path, sizeof(path), &fd);

	(void)state;
	if (!signals_say_where())
		skip();
	shrunk_watch();
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
	none = (struct rlimit){ 0, files.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	assert_int_equal(p[page + 5], 0);
	assert_int_equal(p[5], 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
	report(&d, said, sizeof(said));
	assert_string_equal(said, "psym: in: this input, or a file read for it, shrank "
	                          "while it was read\n");
	assert_int_equal(d.damaged, 1);
	close(fd);
	unlink(path);
}
#endif

/* A SIGBUS that no file's mapping explains ends the program, as without the handler. */
static void test_others(void **state)
{
	pid_t pid;
	int status;

	(void)state;
	shrunk_watch();
	pid = fork();
	if (pid == 0) {
		raise(SIGBUS);
		raise(SIGBUS);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGBUS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_zeros),
		cmocka_unit_test(test_counts),
#ifndef WITH_ASAN
		cmocka_unit_test(test_without_maps),
#endif
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
