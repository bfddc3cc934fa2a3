/*
 * An entry of the cache: what is believed lies inside it.  The checksums are those of
 * the format, so most inputs end at them; the corpus has whole entries.
 */
#include <stdint.h>
#include <stdlib.h>

#include "source/keep.h"
#include "source/state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct arena a = { 0 };
	struct source_state state = { .fd = -1, .opts = { .run = &a } };
	struct source s = { .state = &state };
	struct keep_key key = { 1, 2, 3, 4, 5, 6 };

	if (keep_read(&s, bytes, &key))
		for (size_t i = 0; i < s.n; i++) {
			const struct member *m = &s.members[i];

			must(m->off <= size && m->size <= size - m->off && m->name.n);
		}
	else
		must(!s.n);
	arena_release(&a);
	return 0;
}
