/*
 * A PE image with precompiled code, as composite component and referrer of itself:
 * ranges must ascend, and every name must be made in both spellings.
 */
#include <stdint.h>
#include <stdlib.h>

#include "image/dotnet/r2r_name.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NAMES = 2000, LONGEST = 1 << 15 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* Every assembly that is asked for is the image itself. */
static struct metadata *find(void *ctx, struct str name, const unsigned char *mvid)
{
	(void)mvid;
	return name.n ? ctx : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 }, names = { 0 };
	struct metadata md;
	struct pe pe;
	struct r2r *r = NULL;
	unsigned char signature[16];
	uint32_t end = 0;
	bool has;

	if (pe_read(&pe, (struct str){ (const char *)data, size })) {
		must(r2r_owner(&pe).n < size && pe.map_name.n < size);
		pe_file_version(&pe);
		for (size_t i = 0; i < pe.nsections; i++)
			must(pe.section[i].raw_size <= pe.section[i].whole_size);
		has = metadata_read(&md, pe_bytes(&pe, pe.metadata.rva, pe.metadata.size),
		                    &a);
		r = r2r_open(&pe, STR("x.dll"), &a, find, has ? &md : NULL);
	}
	if (r)
		must(r2r_target(r).arch <= 4 && r2r_target(r).os <= PE_SUNOS);
	if (r && r2r_signature(r, signature) && pe.has_signature)
		must(!memcmp(signature, pe.signature, sizeof(signature)));
	for (size_t i = 0; r && i < r2r_count(r); i++) {
		struct r2r_range code = r2r_range(r, i);
		size_t found;

		must(code.begin >= end && code.end > code.begin);
		must(r2r_find(r, code.begin, &found) && found == i);
		must(r2r_find(r, code.end - 1, &found) && found == i);
		end = code.end;
		if (i >= NAMES)
			continue;
		for (int how = R2R_AS_JIT; how <= R2R_AS_MAP; how++) {
			struct str s = r2r_name(r, i, &names, (enum r2r_spelling)how);

			must(s.n && s.n <= LONGEST);
		}
		arena_release(&names);
	}
	arena_release(&a);
	return 0;
}
