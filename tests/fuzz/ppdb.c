/*
 * A portable PDB: the points of a method must be in order, the point of each offset must be
 * one of them, and texts and paths must end.  Bytes that begin with "{" are the JSON text of
 * source addresses; the first line end ends it, and a path follows.
 */
#include <stdint.h>
#include <stdlib.h>

#include "image/source/ppdb.h"
#include "image/source/source_link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { METHODS = 2000, DOCUMENTS = 100 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* Each point takes at least three bytes. */
static void read_points(const struct ppdb *p, uint32_t method, size_t size)
{
	struct ppdb_walk w;
	struct ppdb_point point, found;
	uint32_t before = 0, il;
	size_t n = 0;
	bool any = false;

	ppdb_begin(p, method, &w);
	while (ppdb_next(&w, &point)) {
		must(!n || point.il != before);
		must(++n <= size / 3);
		must(!point.hidden || (!point.line && !point.end_line));
		any |= !point.hidden;
		before = point.il;
	}
	for (il = 0; il < 4; il++)
		must(ppdb_find(p, method, il, &found) == any);
	must(ppdb_find(p, method, UINT32_MAX, &found) == any);
	must(!any || !found.hidden);
}

static void read_documents(const struct ppdb *p, struct arena *a)
{
	for (uint32_t i = 0; i <= p->md.table[MD_DOCUMENT].n && i < DOCUMENTS; i++) {
		struct str path = ppdb_path(p, i, a), text = ppdb_text(p, i, a);

		must(path.n <= 4096 && text.n <= 16 << 20);
		source_link_find(ppdb_source_link(p), path, a);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size }, rest = bytes, json, address;
	struct arena a = { 0 };
	struct ppdb p;

	if (str_starts(bytes, STR("{"))) {
		json = str_cut(&rest, '\n');
		address = source_link_find(json, rest, &a);
		must(!address.n || str_starts(address, STR("http")));
	}
	if (ppdb_read(&p, bytes)) {
		for (uint32_t i = 0; i <= p.md.table[MD_METHODDEBUG].n && i < METHODS;
		     i++)
			read_points(&p, i + 1, size);
		read_documents(&p, &a);
	}
	arena_release(&a);
	return 0;
}
