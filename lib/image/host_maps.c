#include "image/host_maps.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/host.h"
#include "reader/procmaps.h"

static enum source_look only_maps(struct str name, struct str head)
{
	(void)name;
	return jitdump_bid(head) || perfmap_bid(head) ? LOOK_WHOLE : LOOK_NOTHING;
}

/* perf makes the same demand: who may write the file may name the code. */
static bool has_good_owner(const struct stat *sb, int32_t pid)
{
	char process[32];
	struct stat owner;

	if (!sb->st_uid || sb->st_uid == geteuid())
		return true;
	snprintf(process, sizeof(process), "/proc/%d", pid);
	return !stat(process, &owner) && owner.st_uid == sb->st_uid;
}

/* Symbolic links are not followed: anyone can make one in /tmp. */
static bool look_at(const char *path, struct stat *out)
{
	int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	bool regular = fd >= 0 && !fstat(fd, out) && S_ISREG(out->st_mode);

	if (fd >= 0)
		close(fd);
	return regular;
}

static void add_file(struct locator *l, struct str path, int32_t pid, struct diag *diag)
{
	struct stat sb;

	if (!look_at(path.p, &sb))
		return;
	if (has_good_owner(&sb, pid))
		host_add(l, path, only_maps);
	else
		diag_note(diag,
		          PRSTR ": not used: it is neither yours, nor root's, nor of the "
		                "process's user (-m would use it)",
		          STRARG(path));
}

/* "perf-PID.map" and "jit-PID.dump" below a root directory */
static void add_below(struct locator *l, const char *root, int32_t named, int32_t pid,
                      struct diag *diag)
{
	add_file(l, arena_fmt(l->run, "%s/tmp/perf-%d.map", root, named), pid, diag);
	add_file(l, arena_fmt(l->run, "%s/tmp/jit-%d.dump", root, named), pid, diag);
}

static int32_t read_nspid(struct locator *l, int32_t pid)
{
	struct str path = arena_fmt(l->run, "/proc/%d/status", pid);
	int32_t same, nspid;

	return procmaps_read_status(host_read_pseudo(path.p, l->run), &same, &nspid)
	               ? nspid
	               : -1;
}

static bool sees_our_tmp(struct locator *l, const char *root)
{
	struct stat own, its;

	return !stat("/tmp", &own) && !stat(arena_fmt(l->run, "%s/tmp", root).p, &its) &&
	       own.st_dev == its.st_dev && own.st_ino == its.st_ino;
}

void host_maps_add(struct locator *l, int32_t pid, int32_t *nspid, struct diag *diag)
{
	struct str root;

	*nspid = -1;
	if (!l->recorded_here || pid < 0)
		return;
	add_below(l, "", pid, pid, diag);
	*nspid = read_nspid(l, pid);
	root = arena_fmt(l->run, "/proc/%d/root", pid);
	if (*nspid >= 0 && (*nspid != pid || !sees_our_tmp(l, root.p)))
		add_below(l, root.p, *nspid, pid, diag);
}

void host_maps_add_mapped(struct locator *l, const struct mapping *m, struct diag *diag)
{
	struct str path = intern_str(l->names, m->path);

	if (l->recorded_here && jitdump_pid(path) >= 0 && host_is_mapped(l, path, m))
		add_file(l, path, m->pid, diag);
}
