/*
 * file - reads and maps open files, and tells whether they have changed; private to
 * source/.
 */
#ifndef SOURCE_FILE_H
#define SOURCE_FILE_H

#include <sys/types.h>

#include "base/str.h"

struct stat;

/* As read and pread, but a signal and a pipe that says EAGAIN are waited for. */
ssize_t file_read(int fd, void *p, size_t n);
ssize_t file_read_at(int fd, void *p, size_t n, uint64_t at);

/*
 * Opens a regular file that has bytes.  Anything else is looked at and never opened, nor
 * is what lies in /proc or /sys.  -1: errno is 0 when path is no such file.
 */
int file_open_plain(const char *path);

/* n > 0 bytes of fd, mapped; `at` need not be on a page.  p is NULL: errno says why. */
struct str file_map(int fd, uint64_t at, uint64_t n);
void file_unmap(struct str map);

/* Takes the memory of whole pages: what is of a file is read from it again, other bytes are 0. */
void file_give_back(struct str bytes);

/* Identifies an unchanged file of this machine; all 0: unknown. */
struct file_stamp {
	uint64_t dev, ino, size, mtime_ns, ctime_ns;
};

/*
 * The stamp of the file or directory open in fd.  False: it is neither, or was changed so
 * recently that another change might not show in its times.
 */
bool file_stamp(int fd, struct file_stamp *out);
void file_stamp_of(const struct stat *sb, struct file_stamp *out);

#endif
