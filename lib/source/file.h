/* file - reads and maps open files, and detects changes.  Private to source/. */
#ifndef SOURCE_FILE_H
#define SOURCE_FILE_H

#include <sys/types.h>

#include "base/str.h"

struct stat;

/* Like read and pread, but handle signals, and wait if a pipe returns EAGAIN. */
ssize_t file_read(int fd, void *p, size_t n);
ssize_t file_read_at(int fd, void *p, size_t n, uint64_t at);

/*
 * Opens a regular file that has bytes.  Other files, and files in /proc or /sys, are never
 * opened.  Returns -1, with errno 0 if path is not such a file.
 */
int file_open_plain(const char *path);

/* Maps n > 0 bytes of fd.  `at` need not be at a page.  p is NULL, with errno set, on failure. */
struct str file_map(int fd, uint64_t at, uint64_t n);
void file_unmap(struct str map);

/*
 * Releases the memory of whole pages.  Bytes of a file are read from it again, other bytes are 0.
 */
void file_give_back(struct str bytes);

/* Identifies an unchanged file of this machine.  All 0: unknown. */
struct file_stamp {
	uint64_t dev, ino, size, mtime_ns, ctime_ns;
};

/*
 * The stamp of the file or directory open in fd.  Returns false if it is neither, or was changed
 * so recently that another change might not show in its times.
 */
bool file_stamp(int fd, struct file_stamp *out);
void file_stamp_of(const struct stat *sb, struct file_stamp *out);

#endif
