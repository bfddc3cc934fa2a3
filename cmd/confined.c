#include "confined.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/spool.h"

enum { TEXT_BYTES = 512 }; /* a text has no zero in that many bytes */

/* Name of this program, for the handler of SIGSYS, which is given no other data. */
static const char *program;

static void put(const char *s)
{
	(void)!write(STDERR_FILENO, s, strlen(s));
}

/*
 * Prints the name of the call.  The default action ends the process when the handler returns.
 */
static void on_refused(int signal, siginfo_t *info, void *context)
{
	const char *call = confine_call(info->si_syscall);

	(void)context;
	put(program);
	put(": ended: it called ");
	put(call ? call : "what is refused");
	put(", which no filter does: an input may have misled it\n");
	sigaction(signal, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	raise(signal);
}

void confined_output(struct cmd *c, struct confine *to, const char *path)
{
	struct str dir = { path, str_rfind(str_of(path), '/') };
	int fd = out_reserve(path);
	struct stat sb;

	dir = dir.n == strlen(path) ? STR(".") : str_head(str_of(path), dir.n + 1);
	if (stat(path, &sb) == 0 && !S_ISREG(sb.st_mode))
		confine_path(to, path, CONFINE_WRITE);
	else
		confine_path(to, arena_str(&c->run, dir).p,
		             fd < 0 ? CONFINE_FILES : CONFINE_PLACE);
	if (fd >= 0) {
		c->reserved[c->nreserved].path = path;
		c->reserved[c->nreserved++].fd = fd;
	}
}

/* Allows writing to the output, the cache and the directory of temporary files. */
static void allow_writing(struct cmd *c, struct confine *to)
{
	if (cmd_mirrors(c))
		confine_path(to, c->output, CONFINE_TREE);
	else if (c->output)
		confined_output(c, to, c->output);
	if (cache_is_open(&c->cache))
		confine_fd(to, c->cache.dir, CONFINE_FILES);
	confine_path(to, spool_directory(), CONFINE_TREE);
	confine_path(to, "/dev/null", CONFINE_WRITE);
}

/* Allows the operands.  Those of pflame may be NAME=FILE. */
static void allow_named(const struct cmd *c, struct confine *to)
{
	for (size_t i = 0; i < c->ninputs; i++) {
		const char *input = c->inputs[i];
		const char *equals = input ? strchr(input, '=') : NULL;

		if (input)
			confine_path(to, input, CONFINE_READ);
		else
			confine_fd(to, STDIN_FILENO, CONFINE_READ);
		if (equals && !c->tool->names_frames)
			confine_path(to, equals + 1, CONFINE_READ);
	}
	for (size_t i = 0; i < c->nsources; i++)
		confine_path(to, c->sources[i], CONFINE_READ);
	for (size_t i = 0; i < c->npids; i++)
		if (c->pids[i].map)
			confine_path(to, c->pids[i].map, CONFINE_READ);
}

/* Allows the files that libraries read, and those that describe this process. */
static void allow_system(struct confine *to)
{
	static const char *const trees[] = { "/usr/share/zoneinfo", "/usr/share/locale",
		                             "/usr/lib/locale", LIB_DIR "/gconv" };
	static const char *const files[] = { "/proc", "/dev/null", "/etc/localtime",
		                             "/etc/ld.so.cache", CTF_PLUGIN };

	for (size_t i = 0; i < sizeof(trees) / sizeof(*trees); i++)
		confine_path(to, trees[i], CONFINE_READ);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		confine_path(to, files[i], CONFINE_LOOK);
}

/* Allows all of this machine except its devices. */
static void allow_machine(const struct cmd *c, struct confine *to)
{
	DIR *root = opendir("/");
	const struct dirent *d;

	while (root && (d = readdir(root)) != NULL) {
		int fd = *d->d_name == '.' || d->d_type == DT_LNK ||
		                         strcmp(d->d_name, "dev") == 0
		                 ? -1
		                 : openat(dirfd(root), d->d_name, O_PATH | O_CLOEXEC);

		if (fd < 0)
			continue;
		confine_fd(to, fd, CONFINE_READ);
		close(fd);
	}
	if (root)
		closedir(root);
	else
		to->error = errno;
	confine_path(to, "/dev/null", CONFINE_LOOK);
	confine_path(to, "/dev/shm", CONFINE_READ);
	for (size_t i = 0; i < c->roots.n; i++)
		confine_fd(to, c->roots.root[i].fd, CONFINE_READ);
}

/* Returns true if -p names a process, which Landlock would not let the filter read. */
static bool names_process(const struct cmd *c)
{
	static const char prefix[] = "/proc/";
	bool names = false;

	for (size_t i = 0; i < c->ninputs + c->nsources; i++) {
		const char *path =
		        i < c->ninputs ? c->inputs[i] : c->sources[i - c->ninputs];

		names |= path && strncmp(path, prefix, sizeof(prefix) - 1) == 0 &&
		         str_is_digit(path[sizeof(prefix) - 1]);
	}
	return names;
}

/*
 * Returns true if path is text.  Text uses no files of this machine, unless an option asks for
 * it.
 */
static bool is_text(const char *path)
{
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
	char head[TEXT_BYTES];
	struct stat sb;
	ssize_t n = -1;

	if (fd >= 0 && fstat(fd, &sb) == 0 && S_ISREG(sb.st_mode))
		n = read(fd, head, sizeof(head));
	if (fd >= 0)
		close(fd);
	return !path || (n > 0 && !memchr(head, '\0', (size_t)n));
}

/*
 * Returns true if the profile may have been recorded on this machine, in a running container.
 */
static bool may_want_roots(const struct cmd *c)
{
	bool text = true;

	for (size_t i = 0; i < c->ninputs; i++)
		text &= is_text(c->inputs[i]);
	return c->tool->names_frames && !c->no_host && !text;
}

int confined_enter(struct cmd *c, void *ctx)
{
	struct sigaction act = { .sa_sigaction = on_refused, .sa_flags = SA_SIGINFO };
	struct confine k;

	if (may_want_roots(c))
		host_roots_open(&c->roots, &c->run);
	confine_begin(&k);
	allow_writing(c, &k);
	allow_named(c, &k);
	if (c->no_host || !c->tool->names_frames)
		allow_system(&k);
	else
		allow_machine(c, &k);
	if (c->tool->allow)
		c->tool->allow(ctx, c, &k);
	if (names_process(c))
		confine_no_files(&k);
	program = c->tool->name;
	sigaction(SIGSYS, &act, NULL);
	if (confine_end(&k) == 0)
		return 0;
	return diag_fatal(&c->diag, "files and calls cannot be confined: %s",
	                  strerror(errno));
}
