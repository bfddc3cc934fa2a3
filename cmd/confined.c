#include "confined.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "source/archive.h"

enum {
	/* number of bytes that are searched for a NUL.  Text has no NUL */
	HEAD_BYTES = 512,
	PROC_ROOT = 1, /* inode of the root directory of every procfs */
};

/* Allows the files of the command line.  Operands of pflame may have the form NAME=FILE. */
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

/*
 * Allows the files that system libraries read, and the kernel's files about this process.
 */
static void allow_system(struct confine *to)
{
	static const char *const trees[] = { "/usr/share/zoneinfo", "/usr/share/locale",
		                             "/usr/lib/locale", LIB_DIR "/gconv" };
	static const char *const files[] = { "/proc/self", "/dev/null",
		                             "/etc/localtime" };

	for (size_t i = 0; i < sizeof(trees) / sizeof(*trees); i++)
		confine_path(to, trees[i], CONFINE_READ);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		confine_path(to, files[i], CONFINE_LOOK);
}

/* Allows all files of this machine, except devices. */
static void allow_machine(const struct cmd *c, struct confine *to)
{
	DIR *root = opendir("/");
	const struct dirent *d;

	while (root && (d = readdir(root)) != NULL) {
		char path[sizeof(d->d_name) + 1];

		if (*d->d_name == '.' || d->d_type == DT_LNK ||
		    strcmp(d->d_name, "dev") == 0)
			continue;
		snprintf(path, sizeof(path), "/%s", d->d_name);
		confine_path(to, path, CONFINE_READ);
	}
	if (root)
		closedir(root);
	else
		to->shortage = errno;
	confine_path(to, "/dev/null", CONFINE_LOOK);
	confine_path(to, "/dev/shm", CONFINE_READ);
	for (size_t i = 0; i < c->roots.n; i++)
		confine_fd(to, c->roots.root[i].fd, CONFINE_READ);
}

/*
 * Returns true if the path is in the directory of another process in a procfs.  The names of such
 * directories are numbers.
 */
static bool is_below_process(char *path, dev_t dev)
{
	struct stat root;

	for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		bool found;

		if (!str_is_digit(slash[1]) || atoi(slash + 1) == getpid())
			continue;
		*slash = '\0';
		found = stat(*path ? path : "/", &root) == 0 && root.st_dev == dev &&
		        root.st_ino == PROC_ROOT;
		*slash = '/';
		if (found)
			return true;
	}
	return false;
}

/*
 * Returns true if the path goes through a link of another process, such as /proc/PID/root.
 */
static bool is_through_process(const char *path)
{
	static const char *const own[] = { "/dev/", "/proc/self/", "/proc/thread-self/" };
	const struct open_how how = { .flags = O_PATH | O_CLOEXEC,
		                      .resolve = RESOLVE_NO_MAGICLINKS };
	long fd;

	if (STR_ANY(str_of(path), str_starts, own))
		return false;
	fd = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
	if (fd >= 0)
		close((int)fd);
	return fd < 0 && errno == ELOOP;
}

/*
 * Returns true if the file is in the directory of another process in /proc.  Landlock is then not
 * used, because it would deny access to this file.
 */
static bool is_of_process(const char *path)
{
	int fd = path ? open(path, O_PATH | O_CLOEXEC) : -1;
	char link[32], real[PATH_MAX];
	struct statfs fs;
	struct stat sb;
	ssize_t n = -1;

	if (fd < 0)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC && fstat(fd, &sb) == 0)
		n = readlink(link, real, sizeof(real) - 1);
	close(fd);
	if (n < 0)
		return is_through_process(path);
	real[n] = '\0';
	return is_below_process(real, sb.st_dev);
}

/*
 * Returns true if test() is true for the path of an input, or of a file in -m or -p.  The path of
 * standard input is NULL.
 */
static bool any_named(const struct cmd *c, bool (*test)(const char *path))
{
	bool found = false;

	for (size_t i = 0; i < c->ninputs; i++)
		found = found || test(c->inputs[i]);
	for (size_t i = 0; i < c->nsources; i++)
		found = found || test(c->sources[i]);
	for (size_t i = 0; i < c->npids; i++)
		found = found || (c->pids[i].map && test(c->pids[i].map));
	return found;
}

/* The first bytes of a file.  They are empty if the file is not regular. */
struct head {
	char bytes[HEAD_BYTES];
	size_t n;
};

static void read_head(const char *path, struct head *out)
{
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
	struct stat sb;
	ssize_t n = -1;

	if (fd >= 0 && fstat(fd, &sb) == 0 && S_ISREG(sb.st_mode))
		n = read(fd, out->bytes, sizeof(out->bytes));
	if (fd >= 0)
		close(fd);
	out->n = n > 0 ? (size_t)n : 0;
}

/*
 * Returns true if the file is text.  By default, frames of text are named without files of this
 * machine.
 */
static bool is_text(const char *path)
{
	struct head head;

	read_head(path, &head);
	return !path || (head.n && !memchr(head.bytes, '\0', head.n));
}

/*
 * Returns false only for a regular file whose first bytes show that it is not an archive.
 */
static bool may_be_archive(const char *path)
{
	struct head head;

	read_head(path, &head);
	return !head.n || archive_likely((struct str){ head.bytes, head.n });
}

/* Returns true if a profile may come from a container that still runs on this machine. */
static bool may_want_roots(const struct cmd *c)
{
	bool text = true;

	for (size_t i = 0; i < c->ninputs; i++)
		text &= is_text(c->inputs[i]);
	return c->tool->names_frames && !c->no_host && !text;
}

/*
 * Opens an output that is not a regular file.  Opening a FIFO waits for a reader, so this happens
 * while signals can still end the program.  Returns -1 after a report.
 */
static int open_direct(struct cmd *c)
{
	struct stat sb;

	c->direct = -1;
	if (!c->output || cmd_mirrors(c) || stat(c->output, &sb) < 0 ||
	    S_ISREG(sb.st_mode))
		return 0;
	c->direct = open(c->output, O_WRONLY | O_CLOEXEC);
	return c->direct < 0 ? diag_fatal(&c->diag, "%s: %s", c->output, strerror(errno))
	                     : 0;
}

/*
 * Reports a layer (Landlock or seccomp) that is not active although the kernel supports it.
 * Returns -1 if --confine=must is given.
 */
static int judge(struct cmd *c, const struct confine_layer *layer, const char *skipped)
{
	const char *why = layer->error     ? strerror(layer->error)
	                  : layer->lacking ? "this kernel or build lacks it"
	                                   : skipped;

	if (layer->in_force)
		return 0;
	if (c->confining == CONFINING_MUST)
		return diag_fatal(&c->diag, "--confine=must: not confined by %s: %s",
		                  layer->name, why);
	if (!layer->lacking)
		diag_warn(&c->diag, "not confined by %s: %s", layer->name, why);
	return 0;
}

/*
 * Opens /proc/self and never closes the descriptor.  Landlock rules for /proc/self apply only
 * while its inode is in use.
 */
static void hold_own(void)
{
	(void)open("/proc/self", O_PATH | O_CLOEXEC | O_DIRECTORY);
}

int confined_enter(struct cmd *c, void *ctx)
{
	const struct calls_limits limits = { (uint32_t)getpid(), c->keeper.fd, false };
	bool other = any_named(c, is_of_process);
	struct confine k;

	if (open_direct(c) < 0)
		return -1;
	if (may_want_roots(c) && host_roots_open(&c->roots, &c->run) < 0)
		return diag_fatal(&c->diag, "files of containers cannot be opened: %s",
		                  strerror(errno));
	if (c->confining == CONFINING_OFF)
		return 0;
	hold_own();
	confine_begin(&k);
	allow_named(c, &k);
	if (c->no_host || !c->tool->names_frames) {
		/*
		 * libarchive is loaded now, because the confined process cannot read it.
		 */
		if (any_named(c, may_be_archive))
			(void)archive_load();
		allow_system(&k);
	} else {
		allow_machine(c, &k);
	}
	if (c->tool->allow)
		c->tool->allow(ctx, c, &k);
	if (other)
		confine_no_files(&k);
	if (confine_end(&k, &limits) < 0)
		return diag_fatal(&c->diag, "files and calls cannot be confined: %s",
		                  strerror(errno));
	if (judge(c, &k.landlock, "a file below /proc/PID was named") < 0)
		return -1;
	return judge(c, &k.seccomp, "");
}

void confined_worker(const struct ctf_order *order)
{
	const struct calls_limits limits = { (uint32_t)getpid(), -1, false };
	struct confine k;

	confine_begin(&k);
	confine_path(&k, order->job.directory, CONFINE_READ);
	/*
	 * libbabeltrace2 later loads its plugin for CTF.  The dynamic loader finds the
	 * libraries of this plugin in ld.so.cache.
	 */
	confine_path(&k, "/etc/ld.so.cache", CONFINE_LOOK);
	confine_path(&k, CTF_PLUGIN, CONFINE_LOOK);
	allow_system(&k);
	if (confine_end(&k, &limits) < 0)
		_exit(1);
}

void confined_maker(const struct order *order, int channel)
{
	const struct calls_limits limits = { (uint32_t)getpid(), channel, false };
	struct confine k;

	hold_own();
	if (order->path.n)
		(void)archive_load();
	confine_begin(&k);
	for (size_t i = 0; i < order->files; i++)
		if (order->fd[i] >= 0)
			confine_fd(&k, order->fd[i], CONFINE_READ);
	if (order->path.n)
		confine_path(&k, order->path.p, CONFINE_READ);
	allow_system(&k);
	if (confine_end(&k, &limits) < 0)
		_exit(1);
}
