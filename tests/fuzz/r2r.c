/*
 * A PE image with precompiled code, and behind "\n%%\n" the assemblies that it refers to; one
 * that is not there is the image itself, or absent when the size is odd: ranges must ascend,
 * and every name must be made in both spellings.  Bytes that begin with "BSJB" are tables
 * alone, "sig" begins a signature, "map" an event with native and IL offsets.
 */
#include <stdint.h>
#include <stdlib.h>

#include "image/dotnet/r2r_lines.h"
#include "image/dotnet/r2r_name.h"
#include "image/dotnet/sig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NAMES = 2000, LONGEST = 1 << 15, ASSEMBLIES = 4, STEPS = 1000 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

struct known {
	struct metadata md[ASSEMBLIES];
	size_t n;
	struct metadata *other; /* for those that are not there; NULL: they are absent */
};

/* An assembly that is asked for. */
static struct metadata *find(void *ctx, struct str name, const unsigned char *mvid)
{
	struct known *k = ctx;

	must(!name.n || name.p);
	for (size_t i = 0; i < k->n; i++)
		if (str_eq(k->md[i].name, name) &&
		    (!mvid || (k->md[i].mvid && !memcmp(mvid, k->md[i].mvid, 16))))
			return &k->md[i];
	return name.n ? k->other : NULL;
}

/* Reads the assemblies behind the image, of which *bytes is the first part. */
static void read_others(struct known *k, struct str *bytes, struct arena *a)
{
	struct str mark = STR("\n%%\n"), rest = *bytes;
	size_t at = str_search(rest, mark);

	*bytes = str_head(rest, at);
	while (at < rest.n && k->n < ASSEMBLIES - 1) {
		struct pe *pe = arena_new(a, struct pe, 1);

		rest = str_from(rest, at + mark.n);
		at = str_search(rest, mark);
		if (pe_read(pe, str_head(rest, at)) &&
		    metadata_read(&k->md[k->n],
		                  pe_bytes(pe, pe->metadata.rva, pe->metadata.size), a))
			k->n++;
	}
}

static void check_map(const struct il_map *map, uint64_t off)
{
	int32_t il;

	if (il_map_find(map, off, &il))
		must(map->n && map->entry[0].native <= off &&
		     (il >= 0 || il == IL_PROLOG));
}

static void check_lines(const struct r2r *r, size_t i, struct arena *a)
{
	struct r2r_range code = r2r_range(r, i);
	struct il_map map = r2r_lines_map(r, i, a);
	uint64_t off = r2r_lines_offset(r, i, code.end - 1);

	must(off >= code.end - 1 - code.begin);
	check_map(&map, off);
}

/* They ascend, are found by each of their ends, and all have names. */
static void check_ranges(struct r2r *r)
{
	struct arena names = { 0 };
	uint32_t end = 0;

	for (size_t i = 0; i < r2r_count(r); i++) {
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
		check_lines(r, i, &names);
		arena_release(&names);
	}
	must(r2r_lacking(r) <= 2 * NAMES && r2r_unread(r) <= UINT32_MAX);
	r2r_is_composite(r);
}

/* Types until one cannot be read; each takes at least a byte. */
static void read_signature(struct str bytes)
{
	struct cursor c = cur_over(bytes, false);
	uint64_t steps = STEPS;
	size_t left = cur_left(&c);

	while (sig_skip_type(&c, &steps, 0)) {
		must(cur_left(&c) < left && steps < STEPS);
		left = cur_left(&c);
	}
}

/* Each type is found by its name, and its methods are its own. */
static void read_tables(struct str bytes)
{
	struct arena a = { 0 };
	struct metadata md;
	uint32_t first, end;

	if (!metadata_read(&md, bytes, &a)) {
		arena_release(&a);
		return;
	}
	for (uint32_t i = 1; i <= md.table[MD_TYPEDEF].n && i < NAMES; i++) {
		struct str name = metadata_string(&md, MD_TYPEDEF, i, TYPE_NAME);
		struct str ns = metadata_string(&md, MD_TYPEDEF, i, TYPE_NAMESPACE);
		uint32_t row =
		        metadata_find_type(&md, ns, name, metadata_enclosing(&md, i));

		must(row <= i);
		metadata_methods(&md, i, &first, &end);
		must(first <= end && end <= md.table[MD_METHODDEF].n + 1);
	}
	for (uint32_t i = 1; i <= md.table[MD_METHODDEF].n && i < NAMES; i++) {
		must(metadata_owner(&md, i) <= md.table[MD_TYPEDEF].n);
		metadata_blob(&md, MD_METHODDEF, i, METHODDEF_SIGNATURE);
	}
	for (uint32_t i = 1; i <= md.table[MD_EXPORTEDTYPE].n && i < NAMES; i++)
		must(metadata_find_export(
		             &md,
		             metadata_string(&md, MD_EXPORTEDTYPE, i, EXPORTED_NAMESPACE),
		             metadata_string(&md, MD_EXPORTEDTYPE, i, EXPORTED_NAME)) <=
		     i);
	arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct arena a = { 0 };
	struct known *known = arena_new(&a, struct known, 1);
	struct metadata md;
	struct pe pe;
	struct r2r *r = NULL;
	unsigned char signature[16];

	if (str_starts(bytes, STR("BSJB")))
		read_tables(bytes);
	if (str_starts(bytes, STR("sig")))
		read_signature(str_from(bytes, 3));
	if (str_starts(bytes, STR("map"))) {
		struct str table = str_from(bytes, 3);
		struct il_map map = il_map_of_event(str_head(table, table.n / 2),
		                                    str_from(table, table.n / 2), &a);

		for (size_t i = 1; i < map.n; i++)
			must(map.entry[i].native >= map.entry[i - 1].native);
		check_map(&map, size);
	}
	read_others(known, &bytes, &a);
	if (pe_read(&pe, bytes)) {
		must(r2r_owner(&pe).n < size && pe.map_name.n < size);
		pe_file_version(&pe);
		for (size_t i = 0; i < pe.nsections; i++)
			must(pe.section[i].raw_size <= pe.section[i].whole_size);
		r2r_is_fragile(&pe);
		if (metadata_read(&md, pe_bytes(&pe, pe.metadata.rva, pe.metadata.size),
		                  &a) &&
		    size % 2 == 0)
			known->other = &md;
		r = r2r_open(&pe, STR("x.dll"), &a, find, known);
	}
	if (r)
		must(r2r_target(r).arch <= 4 && r2r_target(r).os <= PE_SUNOS);
	if (r && r2r_signature(r, signature) && pe.has_signature)
		must(!memcmp(signature, pe.signature, sizeof(signature)));
	if (r)
		check_ranges(r);
	arena_release(&a);
	return 0;
}
