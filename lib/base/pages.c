#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ
enum { MADV_POPULATE_READ = 22, MADV_POPULATE_WRITE = 23 }; /* since Linux 5.14 */
#endif

static void advise(const void *p, size_t n, int how)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)p;
	uintptr_t begin = (at + page - 1) / page * page, end = (at + n) / page * page;

	if (begin < end)
		(void)madvise((void *)begin, end - begin, how);
}

void pages_write(void *p, size_t n)
{
	advise(p, n, MADV_POPULATE_WRITE);
}

void pages_read(const void *p, size_t n)
{
	advise(p, n, MADV_POPULATE_READ);
}

void pages_large(void *p, size_t n)
{
	advise(p, n, MADV_HUGEPAGE);
}

void pages_drop(const void *p, size_t n)
{
	advise(p, n, MADV_DONTNEED);
}
