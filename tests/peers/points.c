/*
 * points PDB...    prints the id and each sequence point of portable PDBs, as tests/peers/points.cs.
 * points IMAGE.dll prints the IL maps of a ReadyToRun image, one in each line: the row of the method
 *                  (0 if another assembly defines it), begin and end of its code, then
 *                  NATIVE:IL for each entry.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "image/dotnet/pe.h"
#include "image/dotnet/r2r_lines.h"
#include "image/dotnet/r2r_name.h"
#include "image/source/ppdb.h"
#include "source/source.h"

static void print_points(const struct ppdb *p)
{
	struct arena a = { 0 };

	for (int i = 0; i < PPDB_ID; i++)
		printf("%02x", p->id[i]);
	printf("\n");
	for (uint32_t method = 1; method <= p->md.table[MD_METHODDEBUG].n; method++) {
		struct ppdb_point point;
		struct ppdb_walk w;

		ppdb_begin(p, method, &w);
		while (ppdb_next(&w, &point)) {
			struct str path = ppdb_path(p, point.document, &a);

			printf("%u %u ", method, point.il);
			if (point.hidden)
				printf("hidden\n");
			else
				printf("%u %u %u %u " PRSTR "\n", point.line,
				       point.column, point.end_line, point.end_column,
				       STRARG(path));
		}
		arena_release(&a);
	}
}

static struct metadata *find(void *ctx, struct str name, const unsigned char *mvid)
{
	(void)ctx, (void)name, (void)mvid;
	return NULL;
}

static int print_map(const struct pe *pe)
{
	struct arena a = { 0 };
	struct r2r *r = r2r_open(pe, STR("image.dll"), &a, find, NULL);

	for (size_t i = 0; r && i < r2r_count(r); i++) {
		struct r2r_range code = r2r_range(r, i);
		struct il_map map = r2r_lines_map(r, i, &a);
		struct r2r_definition method;

		if (code.cold || !map.n)
			continue;
		if (!r2r_name_definition(r, i, &method) || !method.own)
			method.row = 0;
		printf("%u %x %x", method.row, code.begin, code.end);
		for (size_t k = 0; k < map.n; k++)
			printf(" %u:%d", map.entry[k].native, map.entry[k].il);
		printf("\n");
	}
	arena_release(&a);
	return r ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct arena run = { 0 };
	struct diag diag = { .prog = "points" };
	struct source_opts opts = { .plain = true, .run = &run, .diag = &diag };
	int bad = 0;

	for (int i = 1; i < argc; i++) {
		struct source *s = source_open(argv[i], &opts);
		struct str bytes = s ? source_map(s, 0) : (struct str){ 0 };
		struct ppdb p;
		struct pe pe;

		if (ppdb_read(&p, bytes))
			print_points(&p);
		else if (pe_read(&pe, bytes))
			bad |= print_map(&pe);
		else
			bad = fprintf(stderr, "%s: neither a PDB nor an image\n",
			              argv[i]);
		source_close(s);
	}
	arena_release(&run);
	return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
