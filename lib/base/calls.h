/*
 * calls - the system calls that a confined filter may make, as a program for seccomp.
 *
 * A table lists the calls and their numbers on x86-64, arm64 and s390x.  The program for a
 * processor allows the calls in the table.  A call that is newer than the table fails with
 * ENOSYS, so that the C library tries an older call.  Other calls fail with EPERM.  clone3 and
 * openat2 also fail with ENOSYS, because a seccomp program cannot read their flags.
 */
#ifndef BASE_CALLS_H
#define BASE_CALLS_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum calls_cpu { CALLS_X86_64, CALLS_ARM64, CALLS_S390X, CALLS_CPUS };

/* A condition for the arguments of a call. */
enum calls_check {
	CALLS_ANY,
	/* the call opens a file for reading, without creating or truncating it */
	CALLS_OPEN,
	CALLS_OPENAT, /* like CALLS_OPEN, for openat */
	CALLS_FCNTL,  /* commands that affect only the descriptor, and locks */
	CALLS_IOCTL,  /* queries of a terminal or pipe */
	CALLS_PRCTL,  /* sets a name, or the signal at the parent's death */
	CALLS_CLONE,  /* new processes and threads, without new namespaces */
	CALLS_OWN, /* the target is this process, or any process if limits->scoped is set */
	CALLS_OWN_OR_0, /* the target is this process, by its pid or by 0 */
	CALLS_CHANNEL,  /* the descriptor is limits->channel */
	CALLS_UNKNOWN,  /* the call always fails with ENOSYS */
};

struct calls_call {
	const char *name;
	int number[CALLS_CPUS]; /* -1 if the processor lacks the call */
	enum calls_check check;
};

enum {
	CALLS_NEWEST = 469, /* the newest call of Linux 6.18 */
	CALLS_MOST = 1024,  /* maximum number of instructions in a program */
};

/* The table of calls.  In the last row, the name is NULL. */
extern const struct calls_call calls_table[];

struct calls_limits {
	uint32_t pid; /* pid of this process */
	int channel;  /* socket to the keeper (base/keeper.h), or -1 */
	/* Landlock blocks signals to other processes.  Set by confine_end */
	bool scoped;
};

/*
 * Writes the program to f, which has room for CALLS_MOST instructions.  Returns the
 * number of instructions.
 */
size_t calls_program(enum calls_cpu cpu, const struct calls_limits *limits,
                     struct sock_filter *f);

#endif
