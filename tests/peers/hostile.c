/*
 * hostile - what a recorded process may do to the program that collects its files.
 *
 *	hostile map FILE ...            maps the files as code, and waits
 *	hostile pages FILE N            maps N pages of it so that they are N mappings, and waits
 *	hostile swap SECONDS A B ...    exchanges the names A and B, and each further pair
 *	hostile roots A B FILE          maps FILE and changes its root directory to and fro
 *	hostile fuse DIR                mounts files there that never end, or whose bytes never come
 *	hostile stop SECONDS            stops all other processes of its user
 *	hostile watch SECONDS DIR       prints each name that is made in DIR
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096 };

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void map(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0 ||
	    mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		die(path);
	close(fd);
}

/* Every second page, so that the kernel cannot join them. */
static void map_pages(const char *path, long n)
{
	int fd = open(path, O_RDONLY);
	char *at = mmap(NULL, (size_t)n * 2 * PAGE, PROT_NONE,
	                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (fd < 0 || at == MAP_FAILED || munmap(at, (size_t)n * 2 * PAGE) < 0)
		die(path);
	for (long i = 0; i < n; i++)
		if (mmap(at + i * 2 * PAGE, PAGE, PROT_READ | PROT_EXEC,
		         MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED)
			die("mmap");
}

static void swap_for(const char *seconds, int n, char **names)
{
	time_t end = time(NULL) + atoi(seconds);

	while (time(NULL) < end)
		for (int i = 0; i + 1 < n; i += 2)
			if (renameat2(AT_FDCWD, names[i], AT_FDCWD, names[i + 1],
			              RENAME_EXCHANGE) < 0)
				die(names[i]);
}

static void change_roots(const char *a, const char *b, const char *file)
{
	int root[2] = { open(a, O_PATH | O_DIRECTORY), open(b, O_PATH | O_DIRECTORY) };

	map(file);
	for (unsigned i = 0;; i++)
		if (fchdir(root[i % 2]) < 0 || chroot(".") < 0)
			die("chroot");
}

static void reply(int fuse, const struct fuse_in_header *in, const void *body, size_t n,
                  int error)
{
	char bytes[PAGE];
	struct fuse_out_header head = { .len = (uint32_t)(sizeof(head) + n),
		                        .error = -error,
		                        .unique = in->unique };

	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + sizeof(head), body, n);
	if (write(fuse, bytes, head.len) < 0 && errno != ENOENT)
		die("fuse");
}

static void answer(int fuse, const struct fuse_in_header *in, const void *body, size_t n)
{
	reply(fuse, in, body, n, 0);
}

static struct fuse_attr attr_of(uint64_t node)
{
	return (struct fuse_attr){ .ino = node,
		                   .size = PAGE,
		                   .nlink = 1,
		                   .mode = node == FUSE_ROOT_ID ? S_IFDIR | 0755
		                                                : S_IFREG | 0644 };
}

enum { SILENT = 2, ENDLESS = 3 };

/*
 * Every name is a file of one page.  A read of NAME.debug is taken and never answered; other
 * files never end.
 */
static void serve(int fuse)
{
	static char request[1 << 20];
	static const char page[PAGE - sizeof(struct fuse_out_header)];
	const struct fuse_in_header *in = (const struct fuse_in_header *)request;

	while (read(fuse, request, sizeof(request)) > 0) {
		struct fuse_init_out init = { .major = FUSE_KERNEL_VERSION,
			                      .minor = 31,
			                      .max_write = PAGE };
		bool silent = strstr(request + sizeof(*in), ".debug") != NULL;
		uint64_t node = silent ? SILENT : ENDLESS;
		struct fuse_entry_out entry = { .nodeid = node, .attr = attr_of(node) };
		struct fuse_attr_out attr = { .attr = attr_of(in->nodeid) };
		struct fuse_open_out opened = { .open_flags = FOPEN_DIRECT_IO };

		if (in->opcode == FUSE_INIT)
			answer(fuse, in, &init, sizeof(init));
		else if (in->opcode == FUSE_LOOKUP)
			answer(fuse, in, &entry, sizeof(entry));
		else if (in->opcode == FUSE_GETATTR)
			answer(fuse, in, &attr, sizeof(attr));
		else if (in->opcode == FUSE_OPEN || in->opcode == FUSE_OPENDIR)
			answer(fuse, in, &opened, sizeof(opened));
		else if (in->opcode == FUSE_READ && in->nodeid == SILENT)
			puts("a read waits");
		else if (in->opcode == FUSE_READ)
			answer(fuse, in, page, sizeof(page));
		else if (in->opcode != FUSE_FORGET && in->opcode != FUSE_BATCH_FORGET &&
		         in->opcode != FUSE_INTERRUPT)
			reply(fuse, in, "", 0, ENOSYS);
		fflush(stdout);
	}
}

static void mount_fuse(const char *dir)
{
	int fuse = open("/dev/fuse", O_RDWR);
	char options[128];

	snprintf(options, sizeof(options),
	         "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", fuse);
	if (fuse < 0 || mount("hostile", dir, "fuse", MS_NOSUID | MS_NODEV, options) < 0)
		die(dir);
	serve(fuse);
}

static void stop_all(const char *seconds)
{
	time_t end = time(NULL) + atoi(seconds);

	while (time(NULL) < end) {
		kill(-1, SIGSTOP);
		usleep(1000);
	}
}

static void watch(const char *seconds, const char *dir)
{
	char events[PAGE] __attribute__((aligned(8)));
	int fd = inotify_init();
	ssize_t n;

	if (inotify_add_watch(fd, dir, IN_CREATE | IN_MOVED_TO) < 0)
		die(dir);
	puts("watching");
	fflush(stdout);
	alarm((unsigned)atoi(seconds));
	while ((n = read(fd, events, sizeof(events))) > 0)
		for (char *p = events; p < events + n;) {
			const struct inotify_event *e = (const struct inotify_event *)p;

			printf("made %s\n", e->len ? e->name : "");
			fflush(stdout);
			p += sizeof(*e) + e->len;
		}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "map"))
		for (int i = 2; i < argc; i++)
			map(argv[i]);
	else if (!strcmp(what, "pages") && argc == 4)
		map_pages(argv[2], atol(argv[3]));
	else if (!strcmp(what, "swap") && argc > 4)
		return swap_for(argv[2], argc - 3, argv + 3), 0;
	else if (!strcmp(what, "roots") && argc == 5)
		change_roots(argv[2], argv[3], argv[4]);
	else if (!strcmp(what, "fuse") && argc == 3)
		return mount_fuse(argv[2]), 0;
	else if (!strcmp(what, "stop") && argc == 3)
		return stop_all(argv[2]), 0;
	else if (!strcmp(what, "watch") && argc == 4)
		return watch(argv[2], argv[3]), 0;
	else
		return 2;
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}
