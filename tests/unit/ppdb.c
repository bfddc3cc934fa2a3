/* Portable PDBs of a service with lines of every kind (fixtures/lines), and hand-made parts. */
#include "image/source/ppdb.h"

#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"
#include "image/dotnet/il_map.h"
#include "image/dotnet/r2r_lines.h"
#include "image/dotnet/r2r_name.h"
#include "image/source/source_link.h"
#include "image/source/source_path.h"
#include "source/decompress.h"

static struct arena run;

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

static struct ppdb *pdb(const char *path)
{
	struct ppdb *p = arena_new(&run, struct ppdb, 1);

	assert_true(ppdb_read(p, file_bytes(&run, path)));
	return p;
}

/* The only point of a program of one line. */
static void a_small_program_has_one_point(void **state)
{
	struct ppdb *p = pdb("fixtures/pdb/small.pdb");
	struct ppdb_point point;
	struct ppdb_walk w;

	(void)state;
	assert_int_equal(p->id[0], 0xac);
	assert_int_equal(p->id[PPDB_ID - 1], 0xd8);
	ppdb_begin(p, 1, &w);
	assert_true(ppdb_next(&w, &point));
	assert_int_equal(point.il, 0);
	assert_int_equal(point.line, 1);
	assert_int_equal(point.end_column, 29);
	assert_true(
	        str_eq(ppdb_path(p, point.document, &run), STR("/srv/app/Program.cs")));
	assert_false(ppdb_next(&w, &point));
	assert_false(ppdb_find(p, 2, 0, &point)); /* a constructor of the compiler */
	assert_false(ppdb_find(p, 0, 0, &point) || ppdb_find(p, 99, 0, &point));
	assert_int_equal(ppdb_text(p, 1, &run).n, 0);
	assert_int_equal(ppdb_source_link(p).n, 0);
}

/* The row of the method with that name; the first one. */
static uint32_t method(const char *image, const char *name)
{
	struct metadata *md = arena_new(&run, struct metadata, 1);
	struct pe *pe = arena_new(&run, struct pe, 1);

	assert_true(pe_read(pe, file_bytes(&run, image)));
	assert_true(metadata_read(md, pe_bytes(pe, pe->metadata.rva, pe->metadata.size),
	                          &run));
	for (uint32_t i = 1; i <= md->table[MD_METHODDEF].n; i++)
		if (str_eq(metadata_string(md, MD_METHODDEF, i, METHODDEF_NAME),
		           str_of(name)))
			return i;
	fail();
	return 0;
}

/* Code of a state machine begins with hidden points, whose line is the first visible one. */
static void hidden_points_have_the_line_of_another(void **state)
{
	struct ppdb *p = pdb("fixtures/lines/shop.pdb");
	uint32_t row = method("fixtures/lines/shop.dll", "MoveNext");
	struct ppdb_point first, found;
	struct ppdb_walk w;

	(void)state;
	ppdb_begin(p, row, &w);
	assert_true(ppdb_next(&w, &first) && first.hidden && !first.il);
	while (first.hidden)
		assert_true(ppdb_next(&w, &first));
	assert_true(ppdb_find(p, row, 0, &found));
	assert_int_equal(found.il, first.il);
	assert_int_equal(found.line, first.line);
}

/* "#line" names another file. */
static void a_method_can_be_of_another_file(void **state)
{
	struct ppdb *p = pdb("fixtures/lines/desk.pdb");
	struct ppdb_point point;

	(void)state;
	assert_true(ppdb_find(p, method("fixtures/lines/desk.dll", "Made"), 0, &point));
	assert_true(str_ends(ppdb_path(p, point.document, &run), STR("/made.inc")));
	assert_int_equal(point.line, 503);
}

static void texts_are_packed_or_not(void **state)
{
	struct ppdb *p = pdb("fixtures/lines/desk.pdb");
	struct str source = file_bytes(&run, "fixtures/lines/desk/Work.cs");
	bool found = false;

	(void)state;
	for (uint32_t i = 1; i <= p->md.table[MD_DOCUMENT].n; i++)
		if (str_ends(ppdb_path(p, i, &run), STR("/Work.cs")))
			found |= str_eq(ppdb_text(p, i, &run), source);
	assert_true(found);
	assert_int_equal(ppdb_text(p, 0, &run).n, 0);
}

/* A recorded path does not leave the directory, and only whole parts are replaced. */
static void a_mapped_path_stays_inside(void **state)
{
	static const char *const pairs[][2] = {
		{ "/build/a.c", "/src/a.c" },
		{ "/build/x/../a.c", "/src/x/../a.c" },
		{ "/build/../a.c", "" },
		{ "/build/x/../../a.c", "" },
		{ "/build/..", "" },
		{ "/build.old/a.c", "" },
		{ "/build", "/src" },
		{ "/tree/a.c", "/new/a.c" },
		{ "C:\\app\\x\\a.cs", "/win/x/a.cs" },
		{ "C:\\app\\..\\a.cs", "" },
	};
	struct source_paths paths = { 0 };

	(void)state;
	assert_true(source_path_add(&paths, "/build=/src", &run));
	assert_true(source_path_add(&paths, "/tree/=/new", &run));
	assert_true(source_path_add(&paths, "C:\\app=/win", &run));
	assert_false(source_path_add(&paths, "/build", &run));
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		assert_true(str_eq(source_path_map(&paths, str_of(pairs[i][0]), &run),
		                   str_of(pairs[i][1])));
	assert_int_equal(source_path_map(&paths, STR("/build/a\0/../.."), &run).n, 0);
}

static void assembly_and_pdb_have_one_id(void **state)
{
	struct ppdb *p = pdb("fixtures/lines/shop.pdb"), embedded;
	struct pe pe;

	(void)state;
	assert_true(pe_read(&pe, file_bytes(&run, "fixtures/lines/shop.dll")));
	assert_memory_equal(pe.pdb_id, p->id, PPDB_ID);
	assert_true(str_ends(pe.pdb_path, STR("/shop.pdb")));
	assert_int_equal(pe.pdb_packed.n, 0);
	assert_true(pe_read(&pe, file_bytes(&run, "fixtures/lines/inside.dll")));
	assert_true(ppdb_read(
	        &embedded, decompress_deflate(pe.pdb_packed, pe.pdb_size, true, &run)));
	assert_memory_equal(pe.pdb_id, embedded.id, PPDB_ID);
}

static void the_longest_key_gives_the_address(void **state)
{
	static const char json[] =
	        "{\"documents\": { \"/srv/*\" : \"https://a.example/*?raw\",\n"
	        "\"C:\\\\src\\\\*\":\"https://b.example/*\", "
	        "\"/srv/app/*\":\"http://c.example/*\","
	        "\"/srv/\\u0061pp/one.cs\":\"https://d.example/1.cs\","
	        "\"/usr/*\":\"file:///etc/*\"}}";
	static const char *const pairs[][2] = {
		{ "/srv/x/y.cs", "https://a.example/x/y.cs?raw" },
		{ "C:\\src\\a\\b.cs", "https://b.example/a/b.cs" },
		{ "/srv/app/two.cs", "http://c.example/two.cs" },
		{ "/srv/app/one.cs", "https://d.example/1.cs" },
		{ "/usr/passwd", "" },
		{ "/home/x.cs", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		assert_true(
		        str_eq(source_link_find(str_of(json), str_of(pairs[i][0]), &run),
		               str_of(pairs[i][1])));
	assert_int_equal(
	        source_link_find(STR("{\"documents\":{\"/*\":\"https"), STR("/a"), &run)
	                .n,
	        0);
	assert_true(
	        str_eq(source_link_find(ppdb_source_link(pdb("fixtures/lines/shop.pdb")),
	                                STR("/srv/app/shop/Work.cs"), &run),
	               STR("https://example.org/shop/0123abcd/Work.cs")));
}

/*
 * The rule: the last entry at or before the offset; an epilog is of the return before it, and code
 * that the compiler added has no offset.
 */
static void native_offsets_have_il_offsets(void **state)
{
	/* as in an event: not sorted, and two entries at 8 */
	static const uint32_t il[] = { 0, (uint32_t)IL_PROLOG, 5,
		                       9, (uint32_t)IL_EPILOG, (uint32_t)IL_NONE };
	static const uint32_t native[] = { 4, 0, 8, 8, 12, 20 };
	static const int32_t want[] = {
		[0] = IL_PROLOG, [3] = IL_PROLOG, [4] = 0, [7] = 0,
		[8] = 9,         [11] = 9,        [12] = 9
	};
	static const int offsets[] = { 0, 3, 4, 7, 8, 11, 12 };
	struct il_map map = il_map_of_event(
	        (struct str){ (const char *)il, sizeof(il) },
	        (struct str){ (const char *)native, sizeof(native) }, &run);
	int32_t got;

	(void)state;
	assert_int_equal(map.n, 6);
	for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
		assert_true(il_map_find(&map, (uint64_t)offsets[i], &got));
		assert_int_equal(got, want[offsets[i]]);
	}
	assert_false(il_map_find(&map, 20, &got)); /* code that the compiler added */
	map.n = 0;
	assert_false(il_map_find(&map, 0, &got));
}

static struct metadata *absent(void *ctx, struct str name, const unsigned char *mvid)
{
	(void)ctx, (void)name, (void)mvid;
	return NULL;
}

/* Every method of a precompiled image has a map, which begins with its prolog. */
static void precompiled_code_has_il_offsets(void **state)
{
	static const char *const images[] = { "fixtures/lines/shop.dll",
		                              "fixtures/r2r/x64/calc10.dll",
		                              "fixtures/r2r/arm64/calc10.dll",
		                              "fixtures/r2r/hotcold/oddnames.dll",
		                              "fixtures/r2r/composite/two.r2r.dll" };

	(void)state;
	for (size_t k = 0; k < sizeof(images) / sizeof(*images); k++) {
		struct pe *pe = arena_new(&run, struct pe, 1);
		struct r2r *r;

		assert_true(pe_read(pe, file_bytes(&run, images[k])));
		r = r2r_open(pe, STR("x.dll"), &run, absent, NULL);
		assert_non_null(r);
		for (size_t i = 0; i < r2r_count(r); i++) {
			struct r2r_range code = r2r_range(r, i);
			struct il_map map = r2r_lines_map(r, i, &run);

			if (code.thunk)
				continue;
			assert_true(map.n && !map.entry[0].native);
			assert_int_equal(map.entry[0].il, IL_PROLOG);
			if (!code.cold)
				assert_int_equal(r2r_lines_offset(r, i, code.begin + 1),
				                 1);
			else
				assert_true(r2r_lines_offset(r, i, code.begin) > 0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_small_program_has_one_point, leave),
		cmocka_unit_test_teardown(hidden_points_have_the_line_of_another, leave),
		cmocka_unit_test_teardown(a_method_can_be_of_another_file, leave),
		cmocka_unit_test_teardown(texts_are_packed_or_not, leave),
		cmocka_unit_test_teardown(a_mapped_path_stays_inside, leave),
		cmocka_unit_test_teardown(assembly_and_pdb_have_one_id, leave),
		cmocka_unit_test_teardown(the_longest_key_gives_the_address, leave),
		cmocka_unit_test_teardown(native_offsets_have_il_offsets, leave),
		cmocka_unit_test_teardown(precompiled_code_has_il_offsets, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
