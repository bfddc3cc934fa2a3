/*
 * confine - removes rights that a process does not need.  The removal is permanent, and also
 * applies to processes that this process creates later.
 *
 * 	confine_begin, confine_path for each file that stays accessible, confine_end
 *
 * Landlock denies access to all other files (EACCES), and to root directories, maps and
 * descriptors of other processes.  seccomp denies all system calls that base/calls.h does not
 * allow (EPERM, or ENOSYS for calls that are newer than its table).
 *
 * If the kernel lacks one of these layers, the other layer is used alone.  If a layer fails,
 * confine_layer.error contains the reason.
 *
 * A process may signal itself and, since Linux 6.12, other processes that are confined with it.
 * On older kernels, a child of a confined process cannot even signal itself, so raise() fails,
 * and abort() ends with a trap.
 *
 * Sanitizers start programs and trace processes, so CONFINE_OFF keeps all rights.
 */
#ifndef BASE_CONFINE_H
#define BASE_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/calls.h"

enum confine_use {
	CONFINE_LOOK,  /* read files, but do not list directories */
	CONFINE_READ,  /* read files, also in all directories below the path */
	CONFINE_WRITE, /* write an existing file */
};

struct confine_layer {
	const char *name;
	bool in_force;
	bool lacking; /* the kernel or this build lacks the layer */
	int error;    /* errno of a failure of the layer, or 0 */
};

struct confine {
	struct confine_layer landlock, seccomp;
	int ruleset;      /* descriptor, or -1 if Landlock is unused */
	uint64_t handled; /* rights that are denied unless a rule grants them */
	bool scopes;      /* Landlock blocks signals to other processes */
	/* errno if there was too little memory or too few descriptors, or 0 */
	int shortage;
};

void confine_begin(struct confine *c);

/* Confines by seccomp alone, without Landlock.  Call it instead of confine_begin. */
void confine_no_files(struct confine *c);

/* Keeps a path accessible.  Ignores the path if it does not exist. */
void confine_path(struct confine *c, const char *path, enum confine_use use);

void confine_fd(struct confine *c, int fd, enum confine_use use);

/*
 * Returns -1 with errno set if there is too little memory or too few descriptors.  The process
 * must then end.
 */
int confine_end(struct confine *c, const struct calls_limits *limits);

/* Returns the layers that this kernel supports: "Landlock 7, seccomp", or "nothing". */
struct str confine_means(struct arena *a);

#endif
