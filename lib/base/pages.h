/* pages - maps pages of memory before their first use. */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stddef.h>

/*
 * Map the whole pages of n bytes at p in one system call, because a page fault for each page takes
 * longer.  They have no effect if the system does not support this.  pages_write is for memory that
 * is written, pages_read for a mapped file.
 */
void pages_write(void *p, size_t n);
void pages_read(const void *p, size_t n);

#endif
