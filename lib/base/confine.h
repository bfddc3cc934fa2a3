/*
 * confine - a process permanently gives up the rights that it does not need, and so do its later
 * children.
 *
 * 	confine_begin, confine_path for all files to read or write, confine_end
 *
 * Landlock denies access to other files (EACCES).  It also denies access to the root directory
 * and the maps of earlier processes, as for ptrace.  If the process makes a system call that no
 * filter uses, to run a program, to open a socket or to access the memory of another process,
 * seccomp sends SIGSYS, which ends the process unless it is handled.  So a refusal is never
 * silent.  Means that the kernel lacks are left out.
 *
 * Sanitizers start programs and trace processes: with CONFINE_OFF this module has no effect.
 */
#ifndef BASE_CONFINE_H
#define BASE_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

enum confine_use {
	CONFINE_LOOK,  /* files are read, directories are not listed */
	CONFINE_READ,  /* files and directories below are read */
	CONFINE_WRITE, /* an existing file is written, but not created */
	CONFINE_PLACE, /* open files get names in the directory, in place of others */
	CONFINE_FILES, /* files in the directory are made, written, read and removed */
	CONFINE_TREE,  /* and directories */
};

struct confine {
	int ruleset;      /* -1: Landlock is left out */
	uint64_t handled; /* rights that are denied unless a rule gives them */
	int error;        /* errno of the failure, or 0 */
};

void confine_begin(struct confine *c);

/* Leaves Landlock out. */
void confine_no_files(struct confine *c);

/* A path that is not there is passed over. */
void confine_path(struct confine *c, const char *path, enum confine_use use);

void confine_fd(struct confine *c, int fd, enum confine_use use);

/* Returns -1 with errno if memory or files ran out.  The process must then exit. */
int confine_end(struct confine *c);

/*
 * Returns the name of a refused system call, or NULL for others.  Handlers of signals may call
 * it.
 */
const char *confine_call(int number);

/* Returns the means that this kernel gives confine_end, such as "Landlock 7, seccomp". */
struct str confine_means(struct arena *a);

#endif
