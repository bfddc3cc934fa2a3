#include "collect/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/work_file.h"
#include "reader/procmaps.h"

enum { TRIES = 5, STATUS_MOST = 1 << 20, MAPS_MOST = 64 << 20, VARIABLES_MOST = 8 << 20 };

int target_open(struct target *t, int32_t pid)
{
	char path[32];

	*t = (struct target){ .pid = pid, .root = -1, .own = -1 };
	snprintf(path, sizeof(path), "/proc/%d", pid);
	t->proc = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return t->proc < 0 ? -1 : 0;
}

/* Reads status or stat.  The process cannot delay the read, so no child is needed. */
static struct str read_text(const struct target *t, const char *name, struct arena *a)
{
	int fd = openat(t->proc, name, O_RDONLY | O_CLOEXEC);
	char *text = fd < 0 ? NULL : arena_alloc(a, STATUS_MOST, 1);
	struct str s = { text, 0 };
	ssize_t n;

	while (text && s.n < STATUS_MOST &&
	       (n = read(fd, text + s.n, STATUS_MOST - s.n)) > 0)
		s.n += (size_t)n;
	if (fd >= 0)
		close(fd);
	return s;
}

static struct target_place read_place(int root, int proc, const char *mounts)
{
	struct target_place p = { 0 };
	struct stat st;

	if (fstat(root, &st) == 0) {
		p.root_dev = st.st_dev;
		p.root = st.st_ino;
	}
	if (fstatat(proc, mounts, &st, 0) == 0) {
		p.mounts_dev = st.st_dev;
		p.mounts = st.st_ino;
	}
	return p;
}

struct target_place target_own_place(void)
{
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct target_place p = read_place(root, AT_FDCWD, "/proc/self/ns/mnt");

	if (root >= 0)
		close(root);
	return p;
}

bool target_same_place(const struct target_place *a, const struct target_place *b)
{
	return a->root && a->mounts && a->root == b->root && a->root_dev == b->root_dev &&
	       a->mounts == b->mounts && a->mounts_dev == b->mounts_dev;
}

/*
 * Reads mappings or variables in a child, because the read may block until the process is ready.
 * The rights were checked when the file was opened.  Returns 1 if the text is truncated, or -1
 * with errno set.
 */
static int read_by_child(struct target *t, const char *name, uint64_t most, int work,
                         struct arena *a, struct str *out)
{
	const struct opener_request what = { .verb = OPENER_AS_IS, .limit = most };
	int fd = openat(t->proc, name, O_RDONLY | O_CLOEXEC);
	struct opener_file file;

	if (fd < 0)
		return -1;
	file = opener_take(&t->opener, &what, fd, work);
	close(fd);
	if (file.end == OPENER_TAKEN || file.end == OPENER_GREW) {
		*out = work_file_bytes(work, most, a);
		return file.end == OPENER_GREW;
	}
	errno = file.end == OPENER_NO_RIGHTS ? EPERM
	        : file.error                 ? file.error
	                                     : ETIMEDOUT;
	return -1;
}

/*
 * Reads root, maps and environ.  If there are no mappings, the process is a zombie, and errno is
 * ESRCH.
 */
static int read_all(struct target *now, int work, struct arena *a)
{
	int got;

	now->root = openat(now->proc, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (now->root < 0)
		return -1;
	now->opener = (struct opener){ .rights = &now->rights, .root = now->root };
	got = read_by_child(now, "maps", MAPS_MOST, work, a, &now->maps);
	if (got >= 0 && !now->maps.n)
		errno = ESRCH;
	if (got < 0 || !now->maps.n)
		return -1;
	now->cut = got > 0;
	(void)read_by_child(now, "environ", VARIABLES_MOST, work, a, &now->variables);
	now->place = read_place(now->root, now->proc, "ns/mnt");
	return 0;
}

static void drop(struct target *now)
{
	opener_stop(&now->opener);
	if (now->root >= 0)
		close(now->root);
	now->root = -1;
}

/*
 * Compares the rights before and after the read.  If the process has executed another program,
 * its new rights must not be used for paths of the old program.
 */
static int read_once(struct target *now, int work, struct arena *a)
{
	struct rights after;
	int32_t pid;

	now->status = read_text(now, "status", a);
	if (!rights_read(&now->rights, now->status, a)) {
		errno = ESRCH;
		return -1;
	}
	if (!procmaps_read_status(now->status, &pid, &now->own))
		now->own = -1;
	if (read_all(now, work, a) < 0)
		return -1;
	if (!rights_read(&after, read_text(now, "status", a), a))
		errno = ESRCH;
	else if (rights_equal(&now->rights, &after))
		return 0;
	else
		errno = EAGAIN;
	return -1;
}

int target_save(struct target *t, int work, struct arena *a)
{
	for (int i = 0; i < TRIES; i++) {
		struct target now = { .pid = t->pid, .proc = t->proc, .root = -1 };
		int got = read_once(&now, work, a), error = errno;

		/*
		 * The opener uses the rights in `now`, so the child of the opener must
		 * end first.
		 */
		opener_stop(&now.opener);
		if (got == 0) {
			if (!now.variables.n)
				now.variables = t->variables;
			drop(t);
			*t = now;
			t->opener =
			        (struct opener){ .rights = &t->rights, .root = t->root };
			return 0;
		}
		drop(&now);
		errno = error;
		if (error != EAGAIN)
			break;
	}
	if (t->root >= 0)
		t->opener = (struct opener){ .rights = &t->rights, .root = t->root };
	return -1;
}

uint64_t target_began(const struct target *t, struct arena *a)
{
	enum { NAME_FIELDS = 2, BEGAN = 22 };
	struct str text = read_text(t, "stat", a);
	uint64_t began = 0;

	/*
	 * The program's name may contain blanks and parentheses, so it ends at the last
	 * parenthesis.
	 */
	text = str_from(text, str_rfind(text, ')') + 2);
	if (str_starts(text, STR("Z")) || str_starts(text, STR("X")))
		return 0;
	for (int field = NAME_FIELDS + 1; field < BEGAN; field++)
		str_cut(&text, ' ');
	return str_take_dec(&text, &began) ? began : 0;
}

bool target_catches(const struct target *t, int signal, struct arena *a)
{
	static const struct str head = STR("SigCgt:\t");
	struct str text = read_text(t, "status", a);
	uint64_t caught = 0;

	while (text.n) {
		struct str line = str_cut(&text, '\n');

		if (str_starts(line, head))
			(void)str_is_hex(str_from(line, head.n), &caught);
	}
	return caught >> (signal - 1) & 1;
}

struct str target_arguments(struct target *t, int work, struct arena *a)
{
	struct str arguments = { 0 };

	(void)read_by_child(t, "cmdline", VARIABLES_MOST, work, a, &arguments);
	return arguments;
}

int target_process(const struct target *t)
{
	return openat(t->proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int target_mapped(const struct target *t, uint64_t start, uint64_t end)
{
	char name[64];

	snprintf(name, sizeof(name), "map_files/%llx-%llx", (unsigned long long)start,
	         (unsigned long long)end);
	return openat(t->proc, name, O_PATH | O_CLOEXEC);
}

int target_memory(const struct target *t)
{
	return openat(t->proc, "mem", O_RDONLY | O_CLOEXEC);
}

void target_close(struct target *t)
{
	drop(t);
	if (t->proc >= 0)
		close(t->proc);
	t->proc = -1;
}
