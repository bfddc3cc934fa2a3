/*
 * confine.c - a library for LD_PRELOAD, as an input that has taken a filter over.  The first statvfs
 * of the program, when it opens its input, does PLANT to FILE.  With WORKERS each worker does that when
 * it begins.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/calls.h"
#include "base/keeper.h"

/*
 * Makes each system call in a process of its own, with arguments that mean no file, process or memory,
 * and prints those that were not refused: "number errno".
 */
static int try_numbers(int most)
{
	for (int i = 0; i <= most; i++) {
		int status = 0;
		pid_t pid = fork();

		if (pid == 0) {
			_exit(syscall(i, -1L, -1L, -1L, -1L, -1L, -1L) < 0 ? errno : 0);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			return -1;
		status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
		if (status != (i <= CALLS_NEWEST ? EPERM : ENOSYS))
			fprintf(stderr, "passes %d %d\n", i, status);
	}
	return 0;
}

/* The connection to the keeper that this process has. */
static struct keeper connection(void)
{
	struct keeper k = { 3, memfd_create("lock", 0) };
	struct stat sb;

	while (k.fd < 256 && (fstat(k.fd, &sb) < 0 || !S_ISSOCK(sb.st_mode)))
		k.fd++;
	return k;
}

/* Asks the keeper for something by a message with this path and these numbers. */
static int ask(enum keeper_kind kind, const char *path, uint64_t a, uint64_t b)
{
	struct keeper k = connection();
	struct keeper_message m = { .kind = kind, .number = { a, b, 1 } };
	int fd, ret;

	strncpy(m.path, path, sizeof(m.path) - 1);
	ret = keeper_ask(&k, &m, -1, &fd);
	close(k.lock);
	return ret < 0 ? -1 : fd < 0 ? 0 : fd;
}

/* Kinds and ids that the keeper does not know: the output has id 0. */
static int ask_nonsense(void)
{
	static const uint64_t ids[] = { 1, 4095, 4096, 1ul << 31, 1ul << 32, UINT64_MAX };
	int refused = 0, asked = 0;

	for (int kind = KEEPER_DONE; kind < KEEPER_WAIT + 3; kind++)
		for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
			if (kind == KEEPER_SPOOL || kind == KEEPER_BEGIN ||
			    kind == KEEPER_DIRECTORY)
				continue;
			asked++;
			refused += ask((enum keeper_kind)kind, "../x", ids[i], 1) < 0;
		}
	errno = EACCES;
	return refused == asked ? -1 : 0;
}

/* Asks for more files and directories than the keeper makes. */
static int ask_much(void)
{
	static const int kinds[] = { KEEPER_SPOOL, KEEPER_BEGIN, KEEPER_DIRECTORY };
	int last = 0;

	for (int i = 0; i < 3; i++)
		for (int n = 0; n < 5000; n++) {
			last = ask((enum keeper_kind)kinds[i], "", 0, 0);
			if (last > 0)
				close(last);
		}
	return last;
}

/*
 * Does something with the entry FILE of the cache.  "load" loads it.  "store" stores 64 bytes, the
 * head without contents.  "replace" loads the entry and stores another, and "forget" also removes
 * the entry in between.  FILE is the name of the entry, 18 characters, and the second half of the
 * checksum in its head: u-0123456789abcdef:0123456789abcdef.
 */
static int use_entry(const char *what, const char *file)
{
	const uint64_t a = strtoull(file + 2, NULL, 16),
	               b = strtoull(file + 19, NULL, 16);
	struct keeper_message m = { .kind = KEEPER_LOAD, .number = { *file, a, b } };
	struct keeper k = connection();
	int fd = -1;

	if (*what != 's' && keeper_ask(&k, &m, -1, &fd) < 0)
		return -1;
	if (*what == 'l')
		return 0;
	m = (struct keeper_message){ .kind = KEEPER_FORGET, .number = { *file, a, b } };
	if (*what == 'f' && keeper_ask(&k, &m, -1, NULL) < 0)
		return -1;
	m = (struct keeper_message){ .kind = KEEPER_BEGIN };
	if (keeper_ask(&k, &m, -1, &fd) < 0)
		return -1;
	m = (struct keeper_message){ .kind = KEEPER_STORE,
		                     .number = { m.number[0], *file, a, b, 64, 0, 0 } };
	return keeper_ask(&k, &m, -1, NULL);
}

/* Orders the entry of the functions of the file that is open as fd, or the entry of a source. */
static int order(const char *file)
{
	const int fd = open(file, O_RDONLY), list = memfd_create("list", 0);
	struct keeper_message m = { .kind = KEEPER_GIVE, .path = "x" };
	struct keeper k = connection();
	struct stat sb;

	if (fd < 0 || fstat(fd, &sb) < 0 || write(list, "nonsense", 8) != 8)
		return -1;
	if (S_ISREG(sb.st_mode)) {
		if (keeper_ask(&k, &m, fd, NULL) < 0)
			return -1;
		m = (struct keeper_message){ .kind = KEEPER_MAKE,
			                     .number = { 't', 0, 1, m.number[0] + 1 } };
	} else {
		m = (struct keeper_message){ .kind = KEEPER_MAKE, .number = { 'i' } };
		strncpy(m.path, file, sizeof(m.path) - 1);
	}
	return keeper_ask(&k, &m, list, NULL);
}

static int plant(const char *what, const char *file)
{
	if (strcmp(what, "read") == 0)
		return open(file, O_RDONLY);
	if (strcmp(what, "write") == 0)
		return open(file, O_WRONLY | O_CREAT, 0600);
	if (strcmp(what, "remove") == 0)
		return unlink(file);
	if (strcmp(what, "parent") == 0)
		return open("/proc/1/environ", O_RDONLY);
	if (strcmp(what, "execve") == 0)
		return execl("/bin/touch", "touch", file, (char *)NULL);
	if (strcmp(what, "socket") == 0)
		return socket(AF_INET, SOCK_STREAM, 0);
	if (strcmp(what, "ptrace") == 0)
		return (int)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	if (strcmp(what, "signal") == 0)
		return kill(*file == 'p' ? getppid() : atoi(file), SIGKILL);
	if (strcmp(what, "ask") == 0)
		return ask(KEEPER_OPEN, file, 0, 0);
	if (strcmp(what, "nonsense") == 0)
		return ask_nonsense();
	if (strcmp(what, "replace") == 0 || strcmp(what, "forget") == 0 ||
	    strcmp(what, "store") == 0 || strcmp(what, "load") == 0)
		return use_entry(what, file);
	if (strcmp(what, "order") == 0)
		return order(file);
	if (strcmp(what, "much") == 0)
		return ask_much();
	if (strcmp(what, "numbers") == 0)
		return try_numbers(atoi(file));
	return 0;
}

static void try(void)
{
	const char *what = getenv("PLANT"), *file = getenv("FILE");
	static int done;

	if (what && file && !done++)
		fprintf(stderr, "planted %s: %s\n", what,
		        plant(what, file) < 0 ? strerror(errno) : "done");
}

int statvfs(const char *path, struct statvfs *fs)
{
	int (*real)(const char *, struct statvfs *) =
	        (int (*)(const char *, struct statvfs *))dlsym(RTLD_NEXT, "statvfs");

	if (!getenv("WORKERS"))
		try();
	return real(path, fs);
}

/* A worker asks for a signal when its parent dies. */
int prctl(int option, ...)
{
	va_list ap;
	static int asked;
	long a[4];

	va_start(ap, option);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	/* The filter itself asks first, before it is confined. */
	if (option == PR_SET_PDEATHSIG && getenv("WORKERS") && asked++)
		try();
	return (int)syscall(SYS_prctl, option, a[0], a[1], a[2], a[3]);
}
