/*
 * calls - the system calls that a confined filter may make, as a program for seccomp.
 *
 * A table lists the calls and their numbers on x86-64, arm64 and s390x.  The program for
 * a processor allows the listed calls.  For numbers that are newer than the table it
 * returns ENOSYS, so that the C library tries an older call.  For all others it returns
 * EPERM.  clone3 and openat2 also return ENOSYS, because a program of seccomp cannot read
 * their flags.
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
	CALLS_OPEN,   /* opens a file for reading, without creating or truncating it */
	CALLS_OPENAT, /* the same */
	CALLS_FCNTL,  /* uses commands that affect only the descriptor, and locks */
	CALLS_IOCTL,  /* queries a terminal or a pipe */
	CALLS_PRCTL,  /* sets a name, or the signal at the end of the parent */
	CALLS_CLONE,  /* creates processes and threads, without namespaces */
	CALLS_OWN, /* affects the process itself, or any process if signals are scoped */
	CALLS_OWN_OR_0, /* affects the process itself, by its pid or by 0 */
	CALLS_CHANNEL,  /* one descriptor */
	CALLS_UNKNOWN,  /* never: ENOSYS */
};

struct calls_call {
	const char *name;
	int number[CALLS_CPUS]; /* -1 if the processor does not have the call */
	enum calls_check check;
};

enum {
	CALLS_NEWEST = 469, /* of Linux 6.18 */
	CALLS_MOST = 1024,  /* instructions of a program */
};

/* The table of calls.  The name of its last row is NULL. */
extern const struct calls_call calls_table[];

struct calls_limits {
	uint32_t pid; /* of the process itself */
	int channel;  /* descriptor for messages to the keeper, or -1 */
	bool scoped;  /* Landlock denies signals to other processes; set by confine_end */
};

/*
 * Writes the program to f, which has room for CALLS_MOST instructions.  Returns their
 * number.
 */
size_t calls_program(enum calls_cpu cpu, const struct calls_limits *limits,
                     struct sock_filter *f);

#endif
