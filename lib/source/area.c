#include "source/area.h"

#include <sys/mman.h>
#include <unistd.h>

/* Large pages where there are such: a fault for each small one is as dear as a copy. */
bool area_open(struct area *a, size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
	               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	*a = (struct area){ 0 };
	if (p == MAP_FAILED)
		return false;
	(void)madvise(p, n, MADV_HUGEPAGE);
	*a = (struct area){ p, n };
	return true;
}

void area_close(struct area *a)
{
	if (a->p)
		munmap(a->p, a->n);
	*a = (struct area){ 0 };
}

void area_give_back(struct area *a, struct str bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), at, begin, end;

	if (!area_has(a, bytes.p))
		return;
	at = (size_t)(bytes.p - a->p);
	begin = (at + page - 1) / page * page;
	end = (at + bytes.n) / page * page;
	if (begin < end)
		(void)madvise(a->p + begin, end - begin, MADV_DONTNEED);
}
