/*
 * confine - a process gives up the rights that it does not need, for good, and with it those
 * that it makes later.
 *
 *	confine_begin, confine_path for each file that may still be read, confine_end
 *
 * Landlock denies all other files (EACCES), and with them the root directories, maps and
 * descriptors of processes outside.  seccomp denies all system calls that are not in
 * base/calls.h: EPERM, or ENOSYS for calls that are newer than the list.
 *
 * A layer that the kernel lacks is left out.  If the kernel has a layer and its use fails, the
 * layer is left out too, and confine_layer.error holds the reason.
 *
 * A process may signal only itself, and from Linux 6.12 also the others that are confined with it.
 * On older kernels a process that a confined one has made cannot signal even itself, so raise()
 * fails there, and abort() ends by a trap.
 *
 * Sanitizers start programs and trace processes: with CONFINE_OFF all rights stay.
 */
#ifndef BASE_CONFINE_H
#define BASE_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/calls.h"
#include "base/str.h"

enum confine_use {
	CONFINE_LOOK,  /* files are read, directories are not listed */
	CONFINE_READ,  /* files and directories below are read */
	CONFINE_WRITE, /* an existing file is written */
};

struct confine_layer {
	const char *name;
	bool in_force;
	bool lacking; /* the kernel, or this build, does not have it */
	int error;    /* errno of the failed use, or 0 */
};

struct confine {
	struct confine_layer landlock, seccomp;
	int ruleset;      /* -1: Landlock is left out */
	uint64_t handled; /* rights that are denied if no rule gives them */
	bool scopes;      /* Landlock refuses signals to processes outside */
	int shortage;     /* errno if memory or files ran out, or 0 */
};

void confine_begin(struct confine *c);

/* Leaves Landlock out. */
void confine_no_files(struct confine *c);

/* A path that does not exist is ignored. */
void confine_path(struct confine *c, const char *path, enum confine_use use);

void confine_fd(struct confine *c, int fd, enum confine_use use);

/* Returns -1 with errno set if memory or files ran out.  Then the process must end. */
int confine_end(struct confine *c, const struct calls_limits *limits);

/* Names the layers of this kernel: "Landlock 7, seccomp", or "nothing". */
struct str confine_means(struct arena *a);

#endif
