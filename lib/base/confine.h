/*
 * confine - a process gives up the rights that it does not need.  It cannot get them
 * back, and processes that it creates later do not have them either.
 *
 *	confine_begin, confine_path for each file that may still be read, confine_end
 *
 * Landlock denies access to all other files (EACCES), and to the root directories, maps
 * and descriptors of processes outside.  seccomp denies all system calls that are not in
 * base/calls.h: EPERM, or ENOSYS for calls that are newer than the list.
 *
 * If the kernel does not have a layer, the layer is not used.  If it has the layer and
 * using it fails, the layer is not used either, and confine_layer.error is the reason.
 *
 * A process may signal only itself, and from Linux 6.12 also the processes that are
 * confined with it.  On older kernels, a child of a confined process cannot signal even
 * itself.  There raise() fails, and abort() ends by a trap.
 *
 * Sanitizers start programs and trace processes.  With CONFINE_OFF all rights stay.
 */
#ifndef BASE_CONFINE_H
#define BASE_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/calls.h"
#include "base/str.h"

enum confine_use {
	CONFINE_LOOK,  /* read files, but do not list directories */
	CONFINE_READ,  /* read files, and all files and directories below */
	CONFINE_WRITE, /* write an existing file */
};

struct confine_layer {
	const char *name;
	bool in_force;
	bool lacking; /* the kernel, or this build, does not have the layer */
	int error;    /* errno if using the layer failed, or 0 */
};

struct confine {
	struct confine_layer landlock, seccomp;
	int ruleset;      /* -1 if Landlock is not used */
	uint64_t handled; /* rights that are denied unless a rule allows them */
	bool scopes;      /* Landlock denies signals to processes outside */
	int shortage;     /* errno if memory or descriptors ran out, or 0 */
};

void confine_begin(struct confine *c);

/* Leaves Landlock out. */
void confine_no_files(struct confine *c);

/* Allows the use of a path.  Ignores a path that does not exist. */
void confine_path(struct confine *c, const char *path, enum confine_use use);

void confine_fd(struct confine *c, int fd, enum confine_use use);

/*
 * Returns -1 with errno set if memory or descriptors ran out.  Then the process must end.
 */
int confine_end(struct confine *c, const struct calls_limits *limits);

/* Returns the names of the layers of this kernel: "Landlock 7, seccomp", or "nothing". */
struct str confine_means(struct arena *a);

#endif
