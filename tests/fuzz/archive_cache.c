/*
 * The front of an archive's entry in the cache: what is believed lies inside the entry.
 * Its checksum is passed over here, as only who can read the key can make it.
 */
#include <stdint.h>
#include <stdlib.h>

#include "source/archive_cache.h"
#include "source/source_private.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct cache cache = { .dir = -1, .max = 1 };
	struct str bytes = { (const char *)data, size }, front;
	struct arena a = { 0 };
	struct source_state state = { .fd = -1, .opts = { .run = &a, .cache = &cache } };
	struct source s = { .state = &state };
	struct cache_name name = { 'u', { 0, 0 } };

	cache_check(&cache, bytes, &name, &front);
	if (archive_cache_read(&s, bytes, bytes))
		for (size_t i = 0; i < s.n; i++) {
			const struct member *m = &s.members[i];

			must(m->kept->apart ||
			     (m->off <= size && m->size <= size - m->off));
			must(m->name.n);
		}
	else
		must(!s.n);
	arena_release(&a);
	return 0;
}
