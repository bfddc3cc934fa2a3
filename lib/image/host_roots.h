/*
 * host_roots - root directories of processes of this machine that see other files:
 * containers.
 *
 * A process that has confined itself (base/confine.h) can no longer follow
 * /proc/PID/root.  So the directories are opened earlier with O_PATH, once for each mount
 * namespace and root directory.
 */
#ifndef IMAGE_HOST_ROOTS_H
#define IMAGE_HOST_ROOTS_H

#include <sys/types.h>

#include "base/arena.h"

struct host_root {
	int32_t pid;
	int fd;   /* root directory, shared by all processes that see the same files */
	ino_t ns; /* its mount namespace */
	dev_t dev;
	ino_t ino; /* of the directory */
};

struct host_roots {
	struct host_root *root; /* by pid */
	size_t n, cap;
};

/*
 * Opens the roots of all processes that this user may read.  They stay open until the end.  Returns
 * -1 with errno set if memory or files ran out.
 */
int host_roots_open(struct host_roots *r, struct arena *a);

/*
 * Returns a descriptor of the root directory of process `pid`.  Returns -1 if the process
 * sees the same files as this one, is unknown, or may not be read.
 */
int host_roots_find(const struct host_roots *r, int32_t pid);

#endif
