/*
 * host_roots - opens the root directories of processes in containers.  A path may refer to
 * different files inside and outside of a container.
 *
 * A process that has confined itself (base/confine.h) can no longer follow /proc/PID/root.
 * Therefore the directories are opened before the confinement.  Each pair of mount namespace and
 * root directory is opened once, with O_PATH.
 */
#ifndef IMAGE_HOST_ROOTS_H
#define IMAGE_HOST_ROOTS_H

#include <sys/types.h>

#include "base/arena.h"

struct host_root {
	int32_t pid;
	int fd;   /* root directory.  All processes that see the same files share it */
	ino_t ns; /* inode of the mount namespace */
	dev_t dev;
	ino_t ino; /* inode of the root directory */
};

struct host_roots {
	struct host_root *root; /* sorted by pid */
	size_t n, cap;
};

/*
 * Opens the roots of all processes that this user may read.  They stay open until the program
 * ends.  Returns -1 with errno set if there is too little memory, or if too many files are open.
 */
int host_roots_open(struct host_roots *r, struct arena *a);

/*
 * Returns a descriptor of the root directory of process `pid`.  Returns -1 if the process sees
 * the same files as this process, or if the directory is unknown or unreadable.
 */
int host_roots_find(const struct host_roots *r, int32_t pid);

#endif
