#include "image/host_maps.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "image/host.h"
#include "image/host_roots.h"
#include "reader/procmaps.h"

static enum source_look only_maps(struct str name, struct str head)
{
	(void)name;
	return jitdump_bid(head) || perfmap_bid(head) ? LOOK_WHOLE : LOOK_NOTHING;
}

/* Returns true if uid is the user who called sudo. */
static bool is_caller(uid_t uid)
{
	const char *caller = getenv("SUDO_UID");
	uint64_t id;

	return caller && geteuid() == 0 && str_is_dec(str_of(caller), &id) && id == uid;
}

/* Returns true if the file was created during the recording. */
static bool was_made_meanwhile(const struct locator *l, const char *path)
{
	struct statx at;
	uint64_t made;

	if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &at) ||
	    !(at.stx_mask & STATX_BTIME))
		return false;
	made = (uint64_t)at.stx_btime.tv_sec * CLOCK_SECOND_NS + at.stx_btime.tv_nsec;
	return l->recorded_here && made >= l->surely_ns && made <= l->ended_ns;
}

/*
 * Returns true if the owner of the file is trusted to name code of the process.  If the process
 * has ended, its user is unknown.  The file is then trusted if it was created during the
 * recording.  It has not been replaced since, because only its owner can replace it in /tmp.
 */
static bool has_good_owner(const struct locator *l, const struct stat *sb,
                           const char *path, int32_t pid)
{
	char process[32];
	struct stat owner;

	if (!sb->st_uid || sb->st_uid == geteuid() || is_caller(sb->st_uid))
		return true;
	snprintf(process, sizeof(process), "/proc/%d", pid);
	if (!stat(process, &owner))
		return owner.st_uid == sb->st_uid;
	return was_made_meanwhile(l, path);
}

/*
 * Returns false if the file is not regular.  Does not follow symbolic links, because any user can
 * make them in /tmp.
 */
static bool look_at(const char *path, struct stat *out)
{
	int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	bool regular = fd >= 0 && !fstat(fd, out) && S_ISREG(out->st_mode);

	if (fd >= 0)
		close(fd);
	return regular;
}

/*
 * Adds a map or jitdump.  opened: the path to open.  It differs from `path` for a process in a
 * container.
 */
static void add_file(struct locator *l, struct str path, struct str opened, int32_t pid,
                     struct diag *diag)
{
	struct stat sb;

	if (!look_at(opened.p, &sb))
		return;
	if (has_good_owner(l, &sb, opened.p, pid))
		host_add(l, path, opened.p, only_maps);
	else
		diag_note(diag,
		          PRSTR ": not used: it belongs neither to you, nor to root, nor "
		                "to the user of the process (-m would use it)",
		          STRARG(path));
}

/* Adds /tmp/perf-PID.map and /tmp/jit-PID.dump.  named: the pid in the names. */
static void add_own(struct locator *l, int32_t named, int32_t pid, struct diag *diag)
{
	struct str map = arena_fmt(l->run, "/tmp/perf-%d.map", named);
	struct str dump = arena_fmt(l->run, "/tmp/jit-%d.dump", named);

	add_file(l, map, map, pid, diag);
	add_file(l, dump, dump, pid, diag);
}

/*
 * Adds the same files as add_own, but from /tmp of a container.  root: descriptor of the root
 * directory of the container.
 */
static void add_below(struct locator *l, int root, int32_t named, int32_t pid,
                      struct diag *diag)
{
	struct arena *a = l->run;

	add_file(l, arena_fmt(a, "/proc/%d/root/tmp/perf-%d.map", pid, named),
	         arena_fmt(a, "/proc/self/fd/%d/tmp/perf-%d.map", root, named), pid,
	         diag);
	add_file(l, arena_fmt(a, "/proc/%d/root/tmp/jit-%d.dump", pid, named),
	         arena_fmt(a, "/proc/self/fd/%d/tmp/jit-%d.dump", root, named), pid,
	         diag);
}

static int32_t read_nspid(struct locator *l, int32_t pid)
{
	struct str path = arena_fmt(l->run, "/proc/%d/status", pid);
	int32_t same, nspid;

	return procmaps_read_status(host_read_pseudo(path.p, l->run), &same, &nspid)
	               ? nspid
	               : -1;
}

bool host_maps_refuse(struct locator *l, int32_t pid, struct diag *diag)
{
	struct str map = arena_fmt(l->run, "/tmp/perf-%d.map", pid);
	struct stat sb;

	if (pid < 0 || l->host == HOST_NEVER)
		return true;
	if (l->recorded_here || l->host == HOST_TRUSTED)
		return false;
	if (look_at(map.p, &sb))
		diag_note(diag, PRSTR ": not used: %s (-m would use it)", STRARG(map),
		          l->elsewhere);
	return true;
}

void host_maps_add(struct locator *l, int32_t pid, int32_t *nspid, struct diag *diag)
{
	int root = host_roots_find(l->roots, pid);

	*nspid = -1;
	if (host_maps_refuse(l, pid, diag))
		return;
	add_own(l, pid, pid, diag);
	*nspid = read_nspid(l, pid);
	if (*nspid >= 0 && root >= 0)
		add_below(l, root, *nspid, pid, diag);
	else if (*nspid >= 0 && *nspid != pid)
		add_own(l, *nspid, pid, diag);
}

void host_maps_add_mapped(struct locator *l, const struct mapping *m, struct diag *diag)
{
	struct str path = intern_str(l->names, m->path);

	if (l->recorded_here && jitdump_pid(path) >= 0 && host_is_mapped(l, m))
		add_file(l, path, path, m->pid, diag);
}
