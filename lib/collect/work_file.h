/*
 * work_file - files without a name, in TMPDIR or /tmp, for what is collected until it is packed.
 */
#ifndef COLLECT_WORK_FILE_H
#define COLLECT_WORK_FILE_H

#include "base/arena.h"

/* Closed when a program is run.  -1: errno. */
int work_file_open(void);

/* All of a file, from its beginning on; empty if it cannot be read, or is larger than most. */
struct str work_file_bytes(int fd, uint64_t most, struct arena *a);

/* What is left of a stream, or a file of the kernel that states no size.  -1: errno. */
int work_file_copy(int from, int to);

#endif
