/* pages - advises the kernel about the whole pages of n bytes at p. */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stddef.h>

/*
 * Map the pages in one system call, because a page fault for each page takes longer.  They have no
 * effect if the system does not support this.  pages_write is for memory that is written,
 * pages_read for a mapped file.
 */
void pages_write(void *p, size_t n);
void pages_read(const void *p, size_t n);

/* Uses large pages if the system supports them. */
void pages_large(void *p, size_t n);

/* Releases the memory.  Bytes that were mapped from a file stay readable.  Other bytes become 0. */
void pages_drop(const void *p, size_t n);

#endif
