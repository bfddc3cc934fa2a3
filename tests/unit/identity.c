/* Kinds and ids of files: PDBs that are made here, and real images. */
#include "image/identity.h"

#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"
#include "image/dotnet/pdb.h"

static struct arena run;

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

static struct identity of_file(const char *path)
{
	return identity_of(str_of(path), file_bytes(&run, path), &run);
}

static void assert_identity(struct identity got, const char *kind, const char *id)
{
	assert_string_equal(got.kind, kind);
	assert_true(str_eq(got.id, str_of(id)));
}

static void fixtures_have_their_ids(void **state)
{
	(void)state;
	assert_identity(of_file("fixtures/r2r/x64/calc10.dll"), "pe", "f59780ed55000");
	assert_identity(of_file("fixtures/r2r/x64/calc10.ni.r2rmap"), "r2rmap",
	                "2dce9b11f6c3d92c01d1132ccb88c53c");
	assert_identity(of_file("fixtures/README.md"), "other", "");
	assert_string_equal(of_file("fixtures/pdb/small.pdb").kind, "pdb");
	assert_int_equal(of_file("fixtures/pdb/small.pdb").id.n, 32);
}

/* Blocks of 64 bytes: the header, the directory's map, two blocks of the directory, a stream. */
enum { BLOCK = 64, BLOCKS = 5, FIRST_BLOCKS = 14 };

static void put_word(char *file, size_t at, uint32_t value)
{
	value = htole32(value);
	memcpy(file + at, &value, sizeof(value));
}

/* The number of the stream's block follows those of a first stream, in the second block. */
static struct str made_pdb(void)
{
	static const char magic[] = "Microsoft C/C++ MSF 7.00\r\n\x1a"
	                            "DS\0\0";
	char *file = arena_new(&run, char, (size_t)BLOCK *BLOCKS);

	memcpy(file, magic, sizeof(magic));
	put_word(file, 32, BLOCK);
	put_word(file, 52, 1);
	put_word(file, BLOCK, 2);
	put_word(file, BLOCK + 4, 3);
	put_word(file, (size_t)2 * BLOCK, 2);
	put_word(file, (size_t)2 * BLOCK + 4, FIRST_BLOCKS * BLOCK);
	put_word(file, (size_t)2 * BLOCK + 8, 28);
	put_word(file, (size_t)3 * BLOCK + 12 + (size_t)4 * FIRST_BLOCKS - BLOCK, 4);
	for (int i = 0; i < 16; i++)
		file[4 * BLOCK + 12 + i] = (char)(0xa0 + i);
	return (struct str){ file, (size_t)BLOCK * BLOCKS };
}

static void pdb_of_windows(void **state)
{
	struct str file = made_pdb();
	unsigned char guid[PDB_GUID_BYTES];

	(void)state;
	assert_identity(identity_of(STR("a.pdb"), file, &run), "pdb",
	                "a3a2a1a0a5a4a7a6a8a9aaabacadaeaf");
	for (size_t n = 0; n + BLOCK - 28 < file.n; n++)
		assert_false(pdb_signature(str_head(file, n), guid));
}

static void damaged_pdbs_have_no_signature(void **state)
{
	/* Where a word is changed: block size, place of the map, number of streams, first size. */
	static const size_t places[] = { 32, 52, (size_t)2 * BLOCK,
		                         (size_t)2 * BLOCK + 4 };
	unsigned char guid[PDB_GUID_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct str file = made_pdb();

		put_word((char *)file.p, places[i], 0xfffffffe);
		assert_false(pdb_signature(file, guid));
		put_word((char *)file.p, places[i], places[i] == 52 ? 9 : 0);
		if (places[i] != (size_t)2 * BLOCK + 4)
			assert_false(pdb_signature(file, guid));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixtures_have_their_ids),
		cmocka_unit_test(pdb_of_windows),
		cmocka_unit_test(damaged_pdbs_have_no_signature),
	};

	return cmocka_run_group_tests(tests, NULL, leave);
}
