/*
 * rights - gives a child of the collector the user and the groups of a recorded process.
 *
 * The rights are read from /proc/PID/status (proc_pid_status(5)).  The capabilities in that file
 * are ignored, because they may be valid only in a user namespace.  The child has no
 * capabilities.
 */
#ifndef COLLECT_RIGHTS_H
#define COLLECT_RIGHTS_H

#include <sys/types.h>

#include "base/arena.h"

enum { RIGHTS_IDS = 4 }; /* real, effective and saved id, and the id for file access */

struct rights {
	uid_t uid[RIGHTS_IDS];
	gid_t gid[RIGHTS_IDS];
	gid_t *group; /* supplementary groups, in the arena passed to rights_read */
	size_t ngroups;
};

/* Returns false if status lacks a user, a group, or the list of groups. */
bool rights_read(struct rights *r, struct str status, struct arena *a);

bool rights_equal(const struct rights *a, const struct rights *b);

/*
 * Permanently sets the user and groups of this process, and drops all capabilities.  The process
 * can then not be traced.  After an error, returns -1 with errno set, and the process must exit.
 */
int rights_take(const struct rights *r);

/*
 * Uses the i-th user and group for file access.  A file must be accessible with each pair of user
 * and group.  For example, if a user has started a program that belongs to root, only files that
 * both may read are read.
 */
bool rights_use(const struct rights *r, size_t i);

/* Returns true if the i-th pair of user and group is different from all earlier pairs. */
bool rights_differ(const struct rights *r, size_t i);

/*
 * Drops the rights before a program parses malicious files.  If this process runs as root, it
 * gets a user that owns no file and no other process, and loses all capabilities and the network.
 * Otherwise it keeps its user, but can gain no rights.  After an error, returns -1 with errno
 * set, and the process must exit.
 */
int rights_drop(void);

#endif
