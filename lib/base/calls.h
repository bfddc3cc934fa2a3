/*
 * calls - the system calls that a confined filter may make, as a program for seccomp.
 *
 * One table lists the calls and their numbers on x86-64, arm64 and s390x.  The program for a
 * processor allows the listed calls, returns ENOSYS for numbers that are newer than the table,
 * so that the C library tries an older call, and EPERM for all others.  clone3 and openat2 also
 * return ENOSYS, because a program of seccomp cannot read their flags.
 */
#ifndef BASE_CALLS_H
#define BASE_CALLS_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum calls_cpu { CALLS_X86_64, CALLS_ARM64, CALLS_S390X, CALLS_CPUS };

/* The arguments for which a call is allowed. */
enum calls_check {
	CALLS_ANY,
	CALLS_OPEN,     /* a file is opened for reading, and not made or cut off */
	CALLS_OPENAT,   /* the same */
	CALLS_FCNTL,    /* commands that affect only the descriptor, and locks */
	CALLS_IOCTL,    /* questions about a terminal or a pipe */
	CALLS_PRCTL,    /* names, and the signal at the end of the parent */
	CALLS_CLONE,    /* processes and threads, without namespaces */
	CALLS_OWN,      /* the process itself, or any if signals are scoped */
	CALLS_OWN_OR_0, /* the process itself, or 0 for the same */
	CALLS_CHANNEL,  /* one descriptor */
	CALLS_UNKNOWN,  /* never: ENOSYS */
};

struct calls_call {
	const char *name;
	int number[CALLS_CPUS]; /* -1: that processor does not have it */
	enum calls_check check;
};

enum {
	CALLS_NEWEST = 469, /* of Linux 6.18 */
	CALLS_MOST = 1024,  /* instructions of a program */
};

/* The table.  It ends with a name of NULL. */
extern const struct calls_call calls_table[];

struct calls_limits {
	uint32_t pid; /* of the process itself */
	int channel;  /* descriptor for messages to the keeper, or -1 */
	bool scoped;  /* Landlock refuses signals to others.  Set by confine_end */
};

/* Writes the program to f, of CALLS_MOST instructions, and returns their number. */
size_t calls_program(enum calls_cpu cpu, const struct calls_limits *limits,
                     struct sock_filter *f);

#endif
