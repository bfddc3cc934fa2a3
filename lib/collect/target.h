/*
 * target - a process that is collected, held by descriptors.
 *
 * /proc/PID is opened once and everything is read through it, so if the process ends and another
 * gets its pid, nothing of that one is read.  The root directory is held as well, so the files are
 * still found after the end of the process.
 */
#ifndef COLLECT_TARGET_H
#define COLLECT_TARGET_H

#include "collect/opener.h"

/* Where the paths of a process lead: its root directory and its mount namespace. */
struct target_place {
	dev_t root_dev, mounts_dev;
	ino_t root, mounts; /* 0: unknown */
};

struct target {
	int32_t pid;
	int proc; /* O_PATH of /proc/PID */
	int root; /* O_PATH of its root directory; -1 before the first target_save */
	struct target_place place;
	bool cut;    /* maps has only a part of the mappings */
	int32_t own; /* its pid in its own namespace; -1: the kernel is too old */
	struct rights rights;
	struct str status, maps,
	        variables;    /* of /proc/PID; variables: empty if not readable */
	struct opener opener; /* for its files */
};

/* -1: there is no such process. */
int target_open(struct target *t, int32_t pid);

/*
 * Reads what the process is now; work is a file for that.  -1: it has ended or may not be read, and
 * what was saved before stays.  errno is ESRCH, or says why; EPERM: the capabilities for its rights are
 * missing.
 */
int target_save(struct target *t, int work, struct arena *a);

/* The place of this process. */
struct target_place target_own_place(void);

/* False if one of them is unknown. */
bool target_same_place(const struct target_place *a, const struct target_place *b);

/*
 * When the process began, in clock ticks since boot (field 22 of /proc/PID/stat).  0: it has ended.
 */
uint64_t target_began(const struct target *t, struct arena *a);

/* True if the process handles the signal now. */
bool target_catches(const struct target *t, int signal, struct arena *a);

/* The arguments of the process, a NUL after each; empty if they cannot be read. */
struct str target_arguments(struct target *t, int work, struct arena *a);

/* The directory /proc/PID, open for calls that take a process by it.  -1: errno. */
int target_process(const struct target *t);

/* An O_PATH descriptor of the file that is mapped there.  -1: errno. */
int target_mapped(const struct target *t, uint64_t start, uint64_t end);

/* Its memory, to be read at addresses.  -1: errno. */
int target_memory(const struct target *t);

void target_close(struct target *t);

#endif
