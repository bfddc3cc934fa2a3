/*
 * Reads directories one after another, from a list.  Each element has the index of its parent, to
 * detect cycles of symbolic links.  Real directories cannot form a cycle.
 */
#include "source/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/index.h"
#include "source/members.h"

enum { ENTRY_MAX = 1000000 };

struct place {
	/* path relative to the top directory, with a final NUL.  Empty for the top */
	struct str name;
	size_t parent; /* index of the parent directory.  The top is its own parent */
	dev_t dev;     /* set when the directory is read */
	ino_t ino;
};

struct walk {
	struct source *s;
	struct arena *run;
	char *real; /* path of the top without links, or NULL if unknown */
	struct place *places;
	size_t n, cap, member_cap;
	size_t entries;    /* number of entries so far */
	struct str unread; /* first directory or link that is unreadable */
	size_t nunread;
	int error; /* errno for `unread` */
};

/* Joins a directory and a name.  The result has a final NUL. */
static struct str join(struct walk *w, struct str dir, const char *name)
{
	size_t n = strlen(name);
	char *p;

	if (!dir.n)
		return arena_str(w->run, (struct str){ name, n });
	p = arena_new(w->run, char, dir.n + n + 2);
	memcpy(p, dir.p, dir.n);
	p[dir.n] = '/';
	memcpy(p + dir.n + 1, name, n);
	return (struct str){ p, dir.n + 1 + n };
}

static void unreadable(struct walk *w, struct str name)
{
	if (w->nunread++)
		return;
	w->unread = name;
	w->error = errno;
}

/*
 * Returns true if the target of a link, after all links are followed, is in the top directory.
 */
static bool stays_inside(struct walk *w, struct str name)
{
	char *path = NULL, *real = NULL;
	bool inside = false;
	size_t n;

	if (!w->real || asprintf(&path, "%s/%s", w->real, name.p) < 0)
		return false;
	real = realpath(path, NULL);
	if (!real && (errno == ENOMEM || errno == EIO))
		unreadable(w, name);
	n = strlen(w->real);
	if (real && strncmp(real, w->real, n) == 0)
		inside = real[n] == '/' || !real[n] || w->real[n - 1] == '/';
	free(path);
	free(real);
	return inside;
}

static bool leads_in_circle(const struct walk *w, size_t from, const struct stat *sb)
{
	for (size_t i = from;; i = w->places[i].parent) {
		if (w->places[i].dev == sb->st_dev && w->places[i].ino == sb->st_ino)
			return true;
		if (w->places[i].parent == i)
			return false;
	}
}

static void add_place(struct walk *w, struct str name, size_t parent)
{
	*arena_push(w->run, w->places, w->n, w->cap) =
	        (struct place){ .name = name, .parent = parent };
}

static void add_member(struct walk *w, struct str name)
{
	struct member m = { .name = name };

	members_add(w->s, &w->member_cap, &m);
}

static void report_unreadable(const struct walk *w)
{
	const struct source *s = w->s;

	if (w->nunread)
		diag_unread(s->state->opts.diag, PRSTR "/" PRSTR ": %s%s",
		            STRARG(s->name), STRARG(w->unread), strerror(w->error),
		            w->nunread > 1
		                    ? arena_fmt(w->run, "; %zu more there cannot be read",
		                                w->nunread - 1)
		                              .p
		                    : "");
}

/*
 * Follows a link.  Returns false if it leads out of the top directory, or to a missing file.
 */
static bool follow(struct walk *w, struct str name, int dir, const char *entry,
                   struct stat *sb)
{
	bool leads = fstatat(dir, entry, sb, 0) == 0;

	index_watch_link(w->s, name, leads ? sb : NULL);
	return leads && stays_inside(w, name);
}

/*
 * Adds an entry of the directory that is open as `dir`.  Most file systems provide the type of an
 * entry, which avoids a stat.
 */
static void add_entry(struct walk *w, size_t from, int dir, const struct dirent *entry)
{
	struct str name = join(w, w->places[from].name, entry->d_name);
	struct stat sb;
	bool link;

	if (entry->d_type == DT_DIR) {
		add_place(w, name, from);
		return;
	}
	if (entry->d_type == DT_REG) {
		add_member(w, name);
		return;
	}
	if (fstatat(dir, entry->d_name, &sb, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno != ENOENT)
			unreadable(w, name);
		return;
	}
	link = S_ISLNK(sb.st_mode);
	if (link && !follow(w, name, dir, entry->d_name, &sb))
		return;
	if (S_ISREG(sb.st_mode))
		add_member(w, name);
	else if (S_ISDIR(sb.st_mode) && !(link && leads_in_circle(w, from, &sb)))
		add_place(w, name, from);
}

static DIR *open_place(struct walk *w, struct place *at)
{
	int fd = openat(w->s->state->fd, at->name.n ? at->name.p : ".",
	                O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = NULL;
	struct stat sb;
	int error;

	if (fd >= 0 && fstat(fd, &sb) == 0) {
		at->dev = sb.st_dev;
		at->ino = sb.st_ino;
		index_watch_directory(w->s, at->name, fd);
		dir = fdopendir(fd);
	}
	if (dir || fd < 0)
		return dir;
	error = errno;
	close(fd);
	errno = error;
	return NULL;
}

/* Returns -1 with errno set if the directory is unreadable. */
static int read_place(struct walk *w, size_t at)
{
	DIR *dir = open_place(w, &w->places[at]);
	struct dirent *d;

	if (!dir)
		return -1;
	for (errno = 0; w->entries < ENTRY_MAX && (d = readdir(dir)); errno = 0) {
		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		w->entries++;
		add_entry(w, at, dirfd(dir), d);
	}
	if (errno)
		unreadable(w, w->places[at].name);
	closedir(dir);
	return 0;
}

int directory_list(struct source *s, const char *path)
{
	struct walk w = { .s = s, .run = s->state->opts.run };
	struct diag *diag = s->state->opts.diag;
	unsigned long said = diag->damaged + diag->warned;
	int ret = -1;

	if (index_load(s))
		return 0;
	s->kind = SOURCE_DIR;
	w.real = realpath(path ? path : "/proc/self/fd/0", NULL);
	if (!w.real && errno == ENOMEM)
		return -1;
	add_place(&w, STR(""), 0);
	if (read_place(&w, 0) < 0)
		goto out;
	for (size_t i = 1; i < w.n && w.entries < ENTRY_MAX; i++)
		if (read_place(&w, i) < 0)
			unreadable(&w, w.places[i].name);
	report_unreadable(&w);
	if (w.entries >= ENTRY_MAX)
		diag_warn(diag, PRSTR ": more than %d files; the rest is left out",
		          STRARG(s->name), ENTRY_MAX);
	members_sort(s);
	index_recall(s);
	s->state->learned = true;
	/*
	 * If a problem was reported, the listing is not stored, so that the next run
	 * reports the problem, too.
	 */
	s->state->unsure |= said != diag->damaged + diag->warned;
	ret = 0;
out:
	free(w.real);
	return ret;
}

int directory_open(struct source *s, struct member *m)
{
	/*
	 * The file may have been replaced by a fifo.  O_NONBLOCK avoids waiting for a
	 * writer.
	 */
	int fd = openat(s->state->fd, m->name.p,
	                O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat sb;

	if (fd < 0)
		return -1;
	if (fstat(fd, &sb) < 0 || !S_ISREG(sb.st_mode)) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	/* While a member is mapped, its size must not change. */
	if (!m->map.p)
		m->size = (uint64_t)sb.st_size;
	return fd;
}
