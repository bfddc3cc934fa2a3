#include "image/host.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/out.h"
#include "image/host_roots.h"
#include "image/path_build_id.h"
#include "source/file.h"

enum {
	HOST_MAX = 16384,    /* maximum number of opened files */
	VDSO_MAX = 64 << 10, /* limit of a vdso in bytes.  Most have two pages */
	NOTES_MAX = 64 << 10,
	HEAD_BYTES = 64, /* length of an ELF header */
	/* bytes at the start of kallsyms.  They contain the per-CPU symbols and _text */
	KERNEL_START = 1 << 20,
	KALLSYMS_MAX = 256 << 20, /* limit of kallsyms in bytes.  Most have 10 to 30 MB */
	KALLSYMS_ROOM = 16 << 20, /* memory reserved before the first read */
};

static enum source_look only_elf(struct str name, struct str head)
{
	(void)name;
	return elf_bid(head) ? LOOK_WHOLE : LOOK_NOTHING;
}

void host_use(struct locator *l, enum host_policy policy, const struct source_opts *o)
{
	l->host = policy;
	if (policy == HOST_NEVER)
		return;
	l->host_opts = *o;
	l->host_opts.look = only_elf;
	l->host_opts.is_profile = false;
	l->host_opts.plain = true;
	/* Reserves memory for all items, because they must not move later. */
	arena_fit(l->run, l->item, l->n + HOST_MAX, l->cap);
}

/* Returns the vdso of this process, an ELF file in memory that ends with section headers. */
static struct str own_vdso(void)
{
	uintptr_t at = getauxval(AT_SYSINFO_EHDR);
	Elf64_Ehdr eh;
	size_t n;

	if (!at)
		return (struct str){ 0 };
	memcpy(&eh, (const void *)at, sizeof(eh)); // NOLINT(performance-no-int-to-ptr)
	n = eh.e_shoff + (size_t)eh.e_shnum * eh.e_shentsize;
	if (eh.e_ident[EI_CLASS] != ELFCLASS64 || n > VDSO_MAX)
		return (struct str){ 0 };
	return (struct str){ (const char *)at, n }; // NOLINT(performance-no-int-to-ptr)
}

/* Returns NULL if the vdso of this machine cannot be read. */
static struct item *add_vdso(struct locator *l, struct str path)
{
	struct elf *elf = arena_new(l->run, struct elf, 1);
	struct item *it = &l->item[l->n];

	if (l->nhost == HOST_MAX || !elf_read(elf, own_vdso(), l->run))
		return NULL;
	l->nhost++;
	*it = (struct item){
		.kind = ITEM_ELF, .name = path, .local = true, .opened = true, .elf = elf
	};
	l->n++;
	return it;
}

/*
 * Returns true if the user may not read the file, or if the file has vanished.  Such errors occur
 * in most runs, so they are not reported.
 */
static bool is_refusal(int error)
{
	return error == EACCES || error == EPERM || error == ENOENT;
}

/*
 * Stores the path for the report: the first path whose error is not a refusal, or else the first
 * path.
 */
static void note_unread(struct locator *l, const char *path, int error)
{
	if (l->nunread++ && (!is_refusal(l->unread_error) || is_refusal(error)))
		return;
	l->unread_error = error;
	l->unread = arena_str(l->run, str_of(path));
}

static struct source *open_file(struct locator *l, const char *path, const char *opened,
                                enum source_look (*look)(struct str, struct str))
{
	struct source_opts opts = l->host_opts;
	struct source *s;

	opts.look = look;
	opts.opened = opened;
	if (l->nhost == HOST_MAX)
		return NULL;
	s = source_open(path, &opts);
	if (!s) {
		if (errno)
			note_unread(l, path, errno);
		return NULL;
	}
	*arena_push(l->run, l->opened, l->nopened, l->opened_cap) = s;
	l->nhost++;
	return s;
}

struct item *host_add(struct locator *l, struct str path, const char *opened,
                      enum source_look (*look)(struct str, struct str))
{
	str_id id = intern(l->names, path);
	uint32_t *at = table_at(&l->host_tried, l->run, id, 0);
	struct source *s;

	if (*at)
		return *at > 1 ? &l->item[*at - 2] : NULL;
	*at = 1;
	s = open_file(l, intern_str(l->names, id).p, opened, look);
	if (!s || look(s->name, source_head(s, 0)) == LOOK_NOTHING)
		return NULL;
	locate_add(l, s, false, SIZE_MAX);
	l->item[l->n - 1].local = true;
	*at = (uint32_t)l->n + 1;
	return &l->item[l->n - 1];
}

struct host_file host_file_of(const struct locator *l, const struct mapping *m)
{
	struct str path = intern_str(l->names, m->path);
	int root = host_roots_find(l->roots, m->pid);

	if (root < 0 || !str_starts(path, STR("/")))
		return (struct host_file){ path, path };
	return (struct host_file){
		arena_fmt(l->run, "/proc/%d/root" PRSTR, m->pid, STRARG(path)),
		arena_fmt(l->run, "/proc/self/fd/%d" PRSTR, root, STRARG(path)),
	};
}

bool host_has(const struct locator *l, const struct mapping *m)
{
	struct str path = intern_str(l->names, m->path);
	struct stat sb;

	if (l->host == HOST_NEVER)
		return false;
	if (str_starts(path, STR("/")))
		return !stat(host_file_of(l, m).opened.p, &sb) && S_ISREG(sb.st_mode);
	return str_eq(path, STR("[vdso]"));
}

struct item *host_find_mapped(struct locator *l, const struct mapping *m)
{
	const struct host_file f = host_file_of(l, m);

	if (l->host == HOST_NEVER || !str_starts(f.name, STR("/")))
		return host_find(l, f.name);
	return host_add(l, f.name, f.opened.p, only_elf);
}

struct item *host_find(struct locator *l, struct str path)
{
	uint32_t *at;
	struct item *it;

	if (l->host == HOST_NEVER || !path.n)
		return NULL;
	if (path.p[0] == '/')
		return host_add(l, path, NULL, only_elf);
	if (!str_eq(path, STR("[vdso]")))
		return NULL;
	at = table_at(&l->host_tried, l->run, intern(l->names, path), 0);
	if (*at)
		return *at > 1 ? &l->item[*at - 2] : NULL;
	it = add_vdso(l, STR("[vdso]"));
	*at = it ? (uint32_t)l->n + 1 : 1;
	return it;
}

static enum source_look only_kallsyms(struct str name, struct str head)
{
	(void)name;
	return kallsyms_bid(head) ? LOOK_WHOLE : LOOK_NOTHING;
}

/*
 * Reads at most `most` bytes.  If `last` is not empty, stops soon after `last`, because the kernel
 * is slow to generate these files.
 */
static struct str read_pseudo_file(const char *path, size_t most, struct str last,
                                   struct arena *a)
{
	size_t n = 0, cap = most < KALLSYMS_ROOM ? most : KALLSYMS_ROOM;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = 1;
	char *buf;

	if (fd < 0)
		return (struct str){ 0 };
	buf = arena_new(a, char, cap);
	while (got > 0 && n < most &&
	       !(last.n && str_has((struct str){ buf, n }, last))) {
		arena_fit(a, buf, n + 1, cap);
		got = read(fd, buf + n, cap - n);
		n += got > 0 ? (size_t)got : 0;
	}
	close(fd);
	arena_trim(a, buf, n, cap);
	return got < 0 ? (struct str){ 0 } : (struct str){ buf, n };
}

struct str host_read_pseudo(const char *path, struct arena *a)
{
	return read_pseudo_file(path, NOTES_MAX, STR(""), a);
}

struct str host_kernel_id(struct locator *l)
{
	return elf_note_id(host_read_pseudo("/sys/kernel/notes", l->run), false);
}

/*
 * Adds the kallsyms that perf copied during the recording.  The copy is valid after a reboot,
 * too.
 */
static struct item *add_perf_kallsyms(struct locator *l, struct str id)
{
	const char *home = getenv("HOME");
	char hex[2 * PATH_BUILD_ID_MAX];
	size_t n = out_bytes_at(hex, id);

	if (!home)
		return NULL;
	return host_add(l,
	                arena_fmt(l->run, "%s/.debug/[kernel.kallsyms]/%.*s/kallsyms",
	                          home, (int)n, hex),
	                NULL, only_kallsyms);
}

static struct item *read_running_kallsyms(struct locator *l)
{
	struct str bytes =
	        read_pseudo_file("/proc/kallsyms", KALLSYMS_MAX, STR(""), l->run);
	struct kallsyms *ks = arena_new(l->run, struct kallsyms, 1);
	struct item *it = l->item ? &l->item[l->n] : NULL;

	if (l->nhost == HOST_MAX || !it)
		return NULL;
	l->nhost++;
	*it = (struct item){ .kind = ITEM_KALLSYMS,
		             .name = STR("/proc/kallsyms"),
		             .local = true,
		             .opened = true };
	if (kallsyms_read(ks, bytes, l->run))
		it->kallsyms = ks;
	l->n++;
	return it;
}

static struct item *running_kallsyms(struct locator *l)
{
	if (!l->running_tried)
		l->running = read_running_kallsyms(l);
	l->running_tried = true;
	return l->running;
}

void host_kernel_place(struct locator *l, bool whole, struct kallsyms *out)
{
	arena_scope(scratch);
	const struct item *it;

	*out = (struct kallsyms){ 0 };
	if (whole) {
		it = running_kallsyms(l);
		if (it && it->kallsyms)
			*out = *it->kallsyms;
		return;
	}
	kallsyms_read(out,
	              read_pseudo_file("/proc/kallsyms", KERNEL_START, STR(" _text\n"),
	                               &scratch),
	              &scratch);
	out->symbols = (struct symtab){ 0 };
}

struct item *host_kallsyms(struct locator *l, struct str id)
{
	struct item *it;

	if (l->host == HOST_NEVER || id.n > PATH_BUILD_ID_MAX)
		return NULL;
	if (!id.n)
		return l->recorded_here ? running_kallsyms(l) : NULL;
	if (l->kallsyms_tried)
		return elf_same_id(l->kallsyms_id, id) ? l->kallsyms : NULL;
	l->kallsyms_tried = true;
	l->kallsyms_id = arena_str(l->run, id);
	it = add_perf_kallsyms(l, id);
	if (it)
		it->local = true;
	else if (elf_same_id(host_kernel_id(l), id))
		it = running_kallsyms(l);
	l->kallsyms = it;
	return it;
}

/*
 * Returns true if stat returns the same device and inode numbers that perf records.  On overlayfs
 * and btrfs the numbers differ.
 */
static bool has_own_numbers(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type != OVERLAYFS_SUPER_MAGIC &&
	       fs.f_type != BTRFS_SUPER_MAGIC;
}

/*
 * Returns true if the inode was reused for another file after the recording.  handle: the present
 * file, opened with O_PATH.
 */
static bool was_made_anew(int handle, const struct mapped_file *was)
{
	char link[32];
	unsigned int generation = 0;
	bool anew;
	int fd;

	if (!was->ino_gen)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", handle);
	fd = open(link, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	anew = fd >= 0 && !ioctl(fd, FS_IOC_GETVERSION, &generation) && generation &&
	       generation != was->ino_gen;

	if (fd >= 0)
		close(fd);
	return anew;
}

/*
 * Returns true if the file has the device and inode of the mapped file.  fd was opened with
 * O_PATH.
 */
static bool is_that_file(int fd, const struct stat *sb, const struct mapped_file *was)
{
	return sb->st_ino == was->ino && sb->st_dev == makedev(was->maj, was->min) &&
	       !was_made_anew(fd, was);
}

static bool has_inode(int fd, const struct mapped_file *was)
{
	return was->ino && has_own_numbers(fd);
}

/* Returns true if an error of open or stat means that the file does not exist. */
static bool is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR;
}

/*
 * Returns true if the ctime changed only because perf record linked the file into ~/.debug.  Sets
 * *why if the cause of the change is uncertain.
 */
static bool was_linked_by_perf(const struct locator *l, struct str path,
                               const struct stat *sb, const char **why)
{
	const char *home = getenv("HOME");
	struct str kept = arena_fmt(l->run, "%s/.debug%s", home ? home : "", path.p);
	bool found = false, hidden = false;
	const struct dirent *id;
	struct stat link;
	DIR *ids;

	if (sb->st_nlink < 2 || clock_ns(sb->st_mtim) >= l->began_ns)
		return false;
	ids = opendir(kept.p);
	if (!ids)
		hidden = !is_absent(errno);
	while (ids && !found && (id = readdir(ids)) != NULL) {
		if (stat(arena_fmt(l->run, "%s/%s/elf", kept.p, id->d_name).p, &link))
			hidden = hidden || !is_absent(errno);
		else
			found = link.st_ino == sb->st_ino && link.st_dev == sb->st_dev;
	}
	if (ids)
		closedir(ids);
	if (hidden && !found)
		*why = "it was changed, or linked by perf record, after the recording "
		       "began, and ~/.debug cannot be read to find out";
	return found;
}

/* Returns true if the file was changed at or after `since_ns`, except by perf record. */
static bool has_changed(const struct locator *l, struct str path, const struct stat *sb,
                        uint64_t since_ns, const char **why)
{
	return clock_ns(sb->st_ctim) >= since_ns && !was_linked_by_perf(l, path, sb, why);
}

static enum host_likeness compare(const struct locator *l, struct str path, int fd,
                                  const struct mapped_file *was, const char **why)
{
	struct stat sb;

	*why = "it is not a regular file";
	if (fstat(fd, &sb) || !S_ISREG(sb.st_mode))
		return HOST_OTHER;
	*why = l->elsewhere;
	if (!l->recorded_here)
		return HOST_OTHER;
	*why = "another file was at its path when the profile was recorded";
	if (has_inode(fd, was) && !is_that_file(fd, &sb, was))
		return HOST_OTHER;
	*why = "it was changed after the recording began";
	if (has_changed(l, path, &sb, l->began_ns, why))
		return HOST_OTHER;
	*why = "its inode cannot be compared";
	if (!has_inode(fd, was))
		return HOST_UNSURE;
	*why = "it may have been changed after the recording began";
	return has_changed(l, path, &sb, l->surely_ns, why) ? HOST_UNSURE : HOST_SAME;
}

enum host_likeness host_compare(const struct locator *l, const struct mapping *m,
                                const char **why)
{
	struct str path = intern_str(l->names, m->path);
	int fd = open(host_file_of(l, m).opened.p, O_PATH | O_CLOEXEC);
	enum host_likeness like = HOST_OTHER;

	*why = fd < 0 ? "it cannot be opened" : NULL;
	if (fd >= 0) {
		like = compare(l, path, fd, &m->on_disk, why);
		close(fd);
	}
	return like;
}

bool host_is_mapped(const struct locator *l, const struct mapping *m)
{
	int fd = open(host_file_of(l, m).opened.p, O_PATH | O_CLOEXEC);
	struct stat sb;
	bool same = fd >= 0 && !fstat(fd, &sb) && S_ISREG(sb.st_mode) &&
	            has_inode(fd, &m->on_disk) && is_that_file(fd, &sb, &m->on_disk);

	if (fd >= 0)
		close(fd);
	return same;
}

static bool reads_as_bundle(struct locator *l, const char *path)
{
	int fd = file_open_plain(path);
	char head[HEAD_BYTES];
	struct stat sb;
	ssize_t n = fd >= 0 && !fstat(fd, &sb) ? pread(fd, head, sizeof(head), 0) : -1;

	/* If the file is not regular, n and errno are 0.  An example is "[vdso]". */
	if (n < 0 && errno)
		note_unread(l, path, errno);
	if (fd >= 0)
		close(fd);
	return n > 0 && bundle_bid((struct str){ head, (size_t)n }, (uint64_t)sb.st_size);
}

bool host_is_bundle(struct locator *l, const struct mapping *m)
{
	const struct host_file f = host_file_of(l, m);
	uint32_t *at = table_at(&l->host_bundle, l->run, intern(l->names, f.name), 0);

	if (!*at)
		*at = host_has(l, m) && reads_as_bundle(l, f.opened.p) ? 2 : 1;
	return *at == 2;
}

struct item *host_mention(struct locator *l, const struct host_file *f)
{
	struct stat sb;
	uint32_t *at;

	if (l->host == HOST_NEVER || !str_starts(f->name, STR("/")))
		return NULL;
	at = table_at(&l->host_tried, l->run, intern(l->names, f->name), 1);
	if (*at)
		return *at > 1 ? &l->item[*at - 2] : NULL;
	*at = 1;
	if (l->nhost == HOST_MAX || stat(f->opened.p, &sb) || !S_ISREG(sb.st_mode))
		return NULL;
	l->nhost++;
	l->item[l->n++] = (struct item){ .name = f->name, .local = true, .opened = true };
	*at = (uint32_t)l->n + 1;
	return &l->item[l->n - 1];
}

void host_report(const struct locator *l, struct diag *diag)
{
	if (l->nunread && !is_refusal(l->unread_error))
		diag_unread(diag, PRSTR ": a file of this machine, cannot be read: %s",
		            STRARG(l->unread), strerror(l->unread_error));
	else if (l->nunread == 1)
		diag_note(diag, PRSTR ": a file of this machine, cannot be read: %s",
		          STRARG(l->unread), strerror(l->unread_error));
	else if (l->nunread)
		diag_note(diag, "%zu files of this machine cannot be read; " PRSTR ": %s",
		          l->nunread, STRARG(l->unread), strerror(l->unread_error));
}
