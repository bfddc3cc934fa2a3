/*
 * rights - the user and the groups of a recorded process, for a child of the collector.
 *
 * They are read from /proc/PID/status (proc_pid_status(5)).  The capabilities in that file are
 * ignored, because they may be valid in a user namespace only: a child has no capability.
 */
#ifndef COLLECT_RIGHTS_H
#define COLLECT_RIGHTS_H

#include <sys/types.h>

#include "base/arena.h"

enum { RIGHTS_IDS = 4 }; /* the real, effective and saved id, and the id for files */

struct rights {
	uid_t uid[RIGHTS_IDS];
	gid_t gid[RIGHTS_IDS];
	gid_t *group; /* supplementary groups, in the arena of rights_read */
	size_t ngroups;
};

/* Returns false if status lacks a user, a group or the list of groups. */
bool rights_read(struct rights *r, struct str status, struct arena *a);

bool rights_equal(const struct rights *a, const struct rights *b);

/*
 * Permanently gives this process the user and the groups, and no capability.  It cannot be
 * traced.  Returns -1 and sets errno on failure.  The process must then exit.
 */
int rights_take(const struct rights *r);

/*
 * Makes the i-th user and group the ones that decide about files.  The walk along a path and the
 * opening of a file must succeed with each of them: a program that belongs to root but was
 * started by a user reads only files that both may read.
 */
bool rights_use(const struct rights *r, size_t i);

/* Returns true if the i-th pair of user and group differs from all earlier pairs. */
bool rights_differ(const struct rights *r, size_t i);

/*
 * Drops the rights of a program that parses hostile files.  A process of root gets a user that
 * owns no file and no other process, no capability, and no network.  Another user keeps its
 * rights, but cannot gain any.  Returns -1 and sets errno on failure.  The process must then
 * exit.
 */
int rights_drop(void);

#endif
