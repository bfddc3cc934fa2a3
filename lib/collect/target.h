/*
 * target - a process from which data is collected, identified by descriptors.
 *
 * /proc/PID is opened once, and all data is read through this descriptor.  Therefore a later
 * process with this pid is never read.  The root directory is also kept open, so that files are
 * accessible after the process has ended.
 */
#ifndef COLLECT_TARGET_H
#define COLLECT_TARGET_H

#include "collect/opener.h"

/*
 * The root directory and the mount namespace of a process, which determine the files at its
 * paths.
 */
struct target_place {
	dev_t root_dev, mounts_dev;
	ino_t root, mounts; /* 0 if unknown */
};

struct target {
	int32_t pid;
	int proc; /* O_PATH descriptor of /proc/PID */
	/* O_PATH descriptor of the process's root directory.  -1 before the first target_save */
	int root;
	struct target_place place;
	bool cut; /* maps is incomplete */
	/* pid in the process's own namespace, or -1 if the kernel is too old */
	int32_t own;
	struct rights rights;
	/* contents of status, maps and environ.  `variables` is empty if environ is unreadable */
	struct str status, maps, variables;
	struct opener opener; /* opens the files of the process */
};

/* Returns -1 if the process does not exist. */
int target_open(struct target *t, int32_t pid);

/*
 * Reads the current state of the process, using the temporary file `work`.  After an error, keeps
 * the previous state and returns -1.  errno is ESRCH if the process has ended, and EPERM if this
 * program lacks the capabilities to take the rights of the process.
 */
int target_save(struct target *t, int work, struct arena *a);

/* Returns the place of this process. */
struct target_place target_own_place(void);

/* Returns true if both places are known and equal. */
bool target_same_place(const struct target_place *a, const struct target_place *b);

/*
 * Returns the start time of the process in clock ticks since boot (field 22 of /proc/PID/stat),
 * or 0 if the process has ended.
 */
uint64_t target_began(const struct target *t, struct arena *a);

/* Returns true if the process has a handler for the signal. */
bool target_catches(const struct target *t, int signal, struct arena *a);

/*
 * Returns the arguments of the process, each with a final NUL.  Returns an empty string if they
 * are unreadable.
 */
struct str target_arguments(struct target *t, int work, struct arena *a);

/* Returns a descriptor of /proc/PID, which identifies the process, or -1 with errno set. */
int target_process(const struct target *t);

/*
 * Returns an O_PATH descriptor of the file that is mapped from start to end, or -1 with errno
 * set.
 */
int target_mapped(const struct target *t, uint64_t start, uint64_t end);

/* Returns a descriptor of the process's memory, or -1 with errno set. */
int target_memory(const struct target *t);

void target_close(struct target *t);

#endif
