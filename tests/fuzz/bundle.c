/* A single-file program: entries lie in the file, and unpack to their size or not. */
#include <stdint.h>
#include <stdlib.h>

#include "image/bundle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { UNPACKED = 64 }; /* entries */

static void must(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct str bytes = { (const char *)data, size };
	struct arena a = { 0 }, unpacked = { 0 };
	struct bundle b;

	if (bundle_read(&b, bytes, &a)) {
		must(b.n && b.n <= size);
		for (size_t i = 0; i < b.n; i++) {
			const struct bundle_entry *e = &b.entry[i];
			struct str got = { 0 };

			must(e->file_off <= size && e->path.n <= size);
			if (i < UNPACKED)
				got = bundle_bytes(&b, e, &unpacked);
			must(got.n == 0 || got.n == e->size);
			must(bundle_find(&b, e->path) != NULL);
			arena_release(&unpacked);
		}
	}
	arena_release(&a);
	return 0;
}
