/*
 * confine - a process gives up what it does not need, for good, and with it those that it
 * makes later.
 *
 *	confine_begin, confine_path for all that may still be read or written, confine_end
 *
 * Landlock denies other files (EACCES).  It also denies what ptrace would need of a process that
 * was there before: its root directory, its maps.  At a system call that no filter makes, a
 * program, a socket, another's memory, seccomp sends SIGSYS, which ends the process unless it
 * is handled: a refusal is never silent.  What the kernel lacks is left out.
 *
 * Sanitizers start programs and trace processes: with CONFINE_OFF nothing is given up.
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
	CONFINE_WRITE, /* a file that is there is written; not made */
	CONFINE_PLACE, /* open files get names in the directory, in place of others */
	CONFINE_FILES, /* files in the directory are made, written, read and removed */
	CONFINE_TREE,  /* and directories */
};

struct confine {
	int ruleset;      /* -1: Landlock is left out */
	uint64_t handled; /* rights that are denied where no rule gives them */
	int error;        /* errno of what failed; 0 */
};

void confine_begin(struct confine *c);

/* Leaves Landlock out. */
void confine_no_files(struct confine *c);

/* A path that is not there is passed over. */
void confine_path(struct confine *c, const char *path, enum confine_use use);

void confine_fd(struct confine *c, int fd, enum confine_use use);

/* -1: errno says why it failed, memory or files ran out; then nothing more may be done. */
int confine_end(struct confine *c);

/* Name of a system call that is refused; NULL: it is none.  A handler of signals may ask. */
const char *confine_call(int number);

/* Names the means that this kernel gives confine_end: "Landlock 7, seccomp", or "nothing". */
struct str confine_means(struct arena *a);

#endif
