#include "collect/rights.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	GROUPS_MOST = 65536, /* NGROUPS_MAX of the kernel */
	/* a user id above the usual ids and above the ranges of containers */
	FREE_UID = 2000000000,
	FREE_UIDS = 100000000,
};

/* Removes a number and the blanks before it from the start of *s. */
static bool take_id(struct str *s, uint32_t *out)
{
	uint64_t n;

	while (s->n && (*s->p == '\t' || *s->p == ' '))
		*s = str_from(*s, 1);
	if (!str_take_dec(s, &n) || n > UINT32_MAX)
		return false;
	*out = (uint32_t)n;
	return true;
}

static bool take_ids(struct str line, uint32_t *out)
{
	for (size_t i = 0; i < RIGHTS_IDS; i++)
		if (!take_id(&line, &out[i]))
			return false;
	return !line.n;
}

static bool take_groups(struct str line, struct rights *r, struct arena *a)
{
	size_t cap = 0;
	uint32_t id;

	r->group = NULL;
	r->ngroups = 0;
	while (take_id(&line, &id) && r->ngroups < GROUPS_MOST) {
		*arena_push(a, r->group, r->ngroups, cap) = id;
	}
	return !str_trim(line).n;
}

bool rights_read(struct rights *r, struct str status, struct arena *a)
{
	bool user = false, group = false, groups = false;

	*r = (struct rights){ 0 };
	while (status.n) {
		struct str line = str_cut(&status, '\n');

		if (str_starts(line, STR("Uid:")))
			user = take_ids(str_from(line, 4), r->uid);
		else if (str_starts(line, STR("Gid:")))
			group = take_ids(str_from(line, 4), r->gid);
		else if (str_starts(line, STR("Groups:")))
			groups = take_groups(str_from(line, 7), r, a);
	}
	return user && group && groups;
}

bool rights_equal(const struct rights *a, const struct rights *b)
{
	return memcmp(a->uid, b->uid, sizeof(a->uid)) == 0 &&
	       memcmp(a->gid, b->gid, sizeof(a->gid)) == 0 && a->ngroups == b->ngroups &&
	       (!a->ngroups ||
	        memcmp(a->group, b->group, a->ngroups * sizeof(*a->group)) == 0);
}

static bool has_group(const struct rights *r, gid_t group)
{
	for (size_t i = 0; i < r->ngroups; i++)
		if (r->group[i] == group)
			return true;
	return r->gid[1] == group;
}

/*
 * Returns true if this process may keep its groups.  Without CAP_SETGID it cannot drop them, so
 * the recorded process must have all of them.
 */
static bool has_own_groups(const struct rights *r)
{
	gid_t own[1024];
	int n = getgroups(sizeof(own) / sizeof(*own), own);

	for (int i = 0; i < n; i++)
		if (!has_group(r, own[i]))
			return false;
	return n >= 0;
}

/*
 * Uses the system call, because the C library would also change other threads.  This process has
 * only one thread.
 */
static int drop_capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return (int)syscall(SYS_capset, &head, none);
}

/* Returns the id of a user that has no processes. */
static uid_t free_uid(void)
{
	return FREE_UID + (uid_t)getpid() % FREE_UIDS;
}

/*
 * Sets the users of the child.  The effective user determines file access.  The real and the
 * saved user determine who can send signals.  If the recorded process has only one user, the
 * child's real and saved user are an unused id, so that the process cannot stop the child.
 */
static int take_users(const struct rights *r)
{
	bool one = true;

	for (size_t i = 1; i < RIGHTS_IDS; i++)
		one &= r->uid[i] == r->uid[0];
	if (one && setresuid(free_uid(), r->uid[0], free_uid()) == 0)
		return 0;
	return setresuid(r->uid[0], r->uid[1], r->uid[2]);
}

/*
 * A user can trace the user's own processes, except for processes with a capability that the
 * tracer lacks.  Therefore this process keeps its capabilities while it changes the user, and
 * drops them only after PR_SET_DUMPABLE has made tracing impossible.
 */
int rights_take(const struct rights *r)
{
	if (prctl(PR_SET_KEEPCAPS, 1) < 0)
		return -1;
	if (setgroups(r->ngroups, r->group) < 0 && (errno != EPERM || !has_own_groups(r)))
		return -1;
	if (setresgid(r->gid[0], r->gid[1], r->gid[2]) < 0 || take_users(r) < 0)
		return -1;
	if (prctl(PR_SET_DUMPABLE, 0) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return drop_capabilities();
}

bool rights_differ(const struct rights *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (r->uid[k] == r->uid[i] && r->gid[k] == r->gid[i])
			return false;
	return true;
}

bool rights_use(const struct rights *r, size_t i)
{
	(void)setfsgid(r->gid[i]);
	(void)setfsuid(r->uid[i]);
	(void)prctl(PR_SET_DUMPABLE, 0);
	/* These functions return the previous id instead of an error. */
	return setfsgid(r->gid[i]) == (int)r->gid[i] &&
	       setfsuid(r->uid[i]) == (int)r->uid[i];
}

int rights_drop(void)
{
	uid_t id = free_uid();

	if (geteuid() == 0) {
		/* Containers may refuse the next two calls, so their errors are ignored. */
		(void)unshare(CLONE_NEWNET);
		(void)unshare(CLONE_NEWIPC);
		if (setgroups(0, NULL) < 0 || setresgid(id, id, id) < 0 ||
		    setresuid(id, id, id) < 0)
			return -1;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return drop_capabilities();
}
