/*
 * DWARF as the cache has it, whose checksums are passed over, in front of an ELF file:
 * what it says of an address must lie inside, and end; what was read of it can be
 * written.  What is read of the file alone is written and read, too.
 */
#include <stdint.h>
#include <stdlib.h>

#include "image/dwarf/dwarf_cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PLACES = 8, LOOKUPS = 256, STEP = 16 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void touch(struct str s)
{
	volatile char c;

	if (s.n)
		c = s.p[0], c = s.p[s.n - 1];
	(void)c;
}

static void look_up(struct dwarf *d, uint64_t va)
{
	struct dwarf_place at[PLACES];
	size_t n = dwarf_find(d, va, at, PLACES);

	must(n <= PLACES);
	for (size_t i = 0; i < n; i++) {
		touch(at[i].func);
		touch(at[i].file);
	}
}

static void look_up_all(struct dwarf *d)
{
	for (uint64_t i = 0; i < LOOKUPS; i++)
		look_up(d, i * STEP);
	look_up(d, UINT64_MAX);
}

static void keep(struct str file, const struct cache *cache, struct arena *a)
{
	struct dwarf *d = dwarf_open(file, a), *again;
	struct str entry, front;

	if (!d)
		return;
	look_up_all(d);
	entry = dwarf_cache_write(d, cache, &front, a);
	again = dwarf_cache_read(NULL, entry, front, file, a);
	must(again != NULL);
	look_up_all(again);
	dwarf_close(again);
	dwarf_close(d);
}

/* Two bytes say how long the entry is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct cache cache = { .dir = -1 };
	struct str all = { (const char *)data, size }, entry, front;
	size_t n = size < 2 ? 0 : (size_t)(data[0] | data[1] << 8);
	struct arena a = { 0 };
	struct dwarf *d;

	entry = str_head(str_from(all, 2), n);
	d = dwarf_cache_read(NULL, entry, str_from(entry, CACHE_HEAD),
	                     str_from(all, 2 + n), &a);
	if (d) {
		look_up_all(d);
		entry = dwarf_cache_write(d, &cache, &front, &a);
		must(dwarf_cache_read(NULL, entry, front, STR(""), &a) != NULL);
	}
	dwarf_close(d);
	keep(str_from(all, 2 + n), &cache, &a);
	arena_release(&a);
	return 0;
}
