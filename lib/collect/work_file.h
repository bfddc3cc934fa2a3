/* work_file - temporary files without names, in TMPDIR or /tmp, for data before it is packed. */
#ifndef COLLECT_WORK_FILE_H
#define COLLECT_WORK_FILE_H

#include "base/arena.h"

/* Returns a descriptor that exec closes, or -1 with errno set. */
int work_file_open(void);

/*
 * Returns the whole file.  Returns an empty string if it is unreadable or has more than `most`
 * bytes.
 */
struct str work_file_bytes(int fd, uint64_t most, struct arena *a);

/*
 * Copies a stream, or a kernel file without a size, up to the end.  Returns -1 with errno set
 * after an error.
 */
int work_file_copy(int from, int to);

/* Returns true if all readable bytes are ASCII. */
bool work_file_is_ascii(int fd);

#endif
