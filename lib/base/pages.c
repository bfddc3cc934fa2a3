#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ
enum { MADV_POPULATE_READ = 22, MADV_POPULATE_WRITE = 23 }; /* since Linux 5.14 */
#endif

static void map_pages(const void *p, size_t n, int how)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)p;
	uintptr_t begin = (at + page - 1) / page * page, end = (at + n) / page * page;

	if (begin < end)
		(void)madvise((void *)begin, end - begin, how);
}

void pages_write(void *p, size_t n)
{
	map_pages(p, n, MADV_POPULATE_WRITE);
}

void pages_read(const void *p, size_t n)
{
	map_pages(p, n, MADV_POPULATE_READ);
}
