/* file - reads and maps open files, and detects changes.  Private to source/. */
#ifndef SOURCE_FILE_H
#define SOURCE_FILE_H

#include <sys/types.h>

#include "base/str.h"

struct stat;

/* Like read and pread, but repeat after signals, and wait if a pipe returns EAGAIN. */
ssize_t file_read(int fd, void *p, size_t n);
ssize_t file_read_at(int fd, void *p, size_t n, uint64_t at);

/*
 * Opens a regular file that is not empty.  For other files, and for files in /proc and /sys,
 * returns -1 with errno 0, without opening them.
 */
int file_open_plain(const char *path);

/* Maps n > 0 bytes of fd at any offset.  Returns a NULL string with errno set after an error. */
struct str file_map(int fd, uint64_t at, uint64_t n);
void file_unmap(struct str map);

/*
 * Identifies a file of this machine and its last change.  All fields are 0 if they are unknown.
 */
struct file_stamp {
	uint64_t dev, ino, size, mtime_ns, ctime_ns;
};

/*
 * Sets the stamp of the file or directory that is open as fd.  Returns false for other kinds of
 * files.  Also returns false if the file changed so recently that another change might have the
 * same time.
 */
bool file_stamp(int fd, struct file_stamp *out);
void file_stamp_of(const struct stat *sb, struct file_stamp *out);

#endif
