/* A single-file program: entries lie in the file, and unpack to their size or not. */
#include <stdint.h>
#include <stdlib.h>

#include "image/dotnet/bundle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { UNPACKED = 64, HEAD = 100 }; /* entries; bytes */

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

	bundle_bid(bytes, size);
	if (bundle_read(&b, bytes, &a)) {
		must(b.n && b.n <= size);
		for (size_t i = 0; i < b.n; i++) {
			const struct bundle_entry *e = &b.entry[i];
			struct str got = { 0 }, head = { 0 };
			const struct bundle_entry *at = bundle_at(&b, e->file_off);

			must(e->file_off <= size && e->path.n <= size);
			if (i < UNPACKED)
				got = bundle_bytes(&b, e, &unpacked);
			must(got.n == 0 || got.n == e->size);
			if (i < UNPACKED)
				head = bundle_head(&b, e, HEAD, &unpacked);
			must(head.n == 0 || head.n == HEAD || head.n == e->size);
			must(!got.n || !head.n || !memcmp(got.p, head.p, head.n));
			must(e->packed || !e->size || at);
			must(!at || e->file_off - at->file_off < at->size);
			must(bundle_find(&b, e->path) != NULL);
			arena_release(&unpacked);
		}
	}
	arena_release(&a);
	return 0;
}
