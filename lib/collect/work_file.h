/* work_file - unnamed files in TMPDIR or /tmp, for collected data until it is packed. */
#ifndef COLLECT_WORK_FILE_H
#define COLLECT_WORK_FILE_H

#include "base/arena.h"

/* Returns a descriptor that is closed on exec, or -1 with errno. */
int work_file_open(void);

/*
 * Returns the whole file, from its beginning on.  Returns an empty string if the file cannot be
 * read, or has more than `most` bytes.
 */
struct str work_file_bytes(int fd, uint64_t most, struct arena *a);

/*
 * Copies a stream, or a file of the kernel that reports no size, up to its end.  Returns
 * -1 and sets errno on failure.
 */
int work_file_copy(int from, int to);

/* Returns true if all bytes that can be read are ASCII. */
bool work_file_is_ascii(int fd);

#endif
