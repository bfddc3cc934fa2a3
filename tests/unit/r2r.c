/* ReadyToRun images of every kind, beside the maps that crossgen2 wrote of them. */
#include "image/dotnet/r2r_name.h"

#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"
#include "ranges.h"
#include "label/label.h"

#define R2R "fixtures/r2r/"

enum {
	ASSEMBLIES = 3,
	LONGER = 1, /* map lines may cover data behind the code (arm64) */
};

static struct arena run;

/* The inputs of the compiler: what other images' names may need. */
static const char *const names[ASSEMBLIES] = { "calc10", "oddnames", "oddext" };
static struct metadata assembly[ASSEMBLIES];
static bool absent;                  /* nothing is found */
static const unsigned char *claimed; /* the MVID that calc10 says it has; or NULL */

static int leave(void **state)
{
	(void)state;
	absent = false;
	claimed = NULL;
	arena_release(&run);
	return 0;
}

static struct metadata *find(void *ctx, struct str name, const unsigned char *mvid)
{
	(void)ctx;
	(void)mvid;
	for (int i = 0; i < ASSEMBLIES && !absent; i++) {
		struct pe pe;
		struct str path;

		if (!str_eq(name, str_of(names[i])))
			continue;
		path = arena_fmt(&run, R2R "il/%s.dll", names[i]);
		assert_true(pe_read(&pe, file_bytes(&run, path.p)));
		assert_true(metadata_read(
		        &assembly[i], pe_bytes(&pe, pe.metadata.rva, pe.metadata.size),
		        &run));
		if (claimed)
			assembly[i].mvid = claimed;
		return &assembly[i];
	}
	return NULL;
}

static struct r2r *image_of(struct str bytes)
{
	struct pe *pe = arena_new(&run, struct pe, 1);

	return pe_read(pe, bytes) ? r2r_open(pe, STR("oddnames.dll"), &run, find, NULL)
	                          : NULL;
}

static struct r2r *image(const char *path)
{
	struct r2r *r = image_of(file_bytes(&run, path));

	assert_non_null(r);
	return r;
}

static const char *label(struct str name)
{
	const struct label_opts opts = { 0 };
	struct label_name n = { .func = name,
		                .module = STR("/app/x.dll"),
		                .addr = 0x1000 };

	return arena_str(&run, label_frame(&run, &n, &opts)).p;
}

static void spelled(struct r2r *r, size_t i, enum r2r_spelling how, struct str want)
{
	struct str have = r2r_name(r, i, &run, how);

	if (!str_eq(have, want))
		fail_msg("\n" PRSTR "\n" PRSTR, STRARG(have), STRARG(want));
}

/* Every line of the map is there; what is there besides are cold parts and thunks. */
static void agree(const char *path, const char *map, int flags)
{
	struct r2r *r = image(path);
	struct str text = file_bytes(&run, map), line;
	size_t lines = 0, extra = 0, i;

	while ((line = str_cut(&text, '\n')).n) {
		struct str from = line, start, length;
		uint64_t rva, size;

		start = str_cut(&from, ' ');
		length = str_cut(&from, ' ');
		assert_true(str_is_hex(start, &rva));
		assert_true(str_is_hex(length, &size));
		if (rva >= 0xffffff00)
			continue;
		lines++;
		if (!r2r_find(r, rva, &i))
			fail_msg("missing: " PRSTR, STRARG(line));
		assert_int_equal(r2r_range(r, i).begin, rva);
		if (flags & LONGER)
			assert_within(r2r_range(r, i).end, rva + 1, rva + size);
		else
			assert_int_equal(r2r_range(r, i).end, rva + size);
		spelled(r, i, R2R_AS_MAP, from);
		assert_string_equal(label(r2r_name(r, i, &run, R2R_AS_JIT)), label(from));
	}
	for (i = 0; i < r2r_count(r); i++)
		extra += r2r_range(r, i).cold || r2r_range(r, i).thunk;
	assert_true(lines > 20);
	assert_int_equal(r2r_count(r), lines + extra);
	assert_int_equal(r2r_unread(r), 0);
	assert_int_equal(r2r_lacking(r), 0);
}

static void every_line_of_the_compilers_map_is_read_back(void **state)
{
	(void)state;
	agree(R2R "x64/calc10.dll", R2R "x64/calc10.ni.r2rmap", 0);
	agree(R2R "x64/oddnames.dll", R2R "x64/oddnames.ni.r2rmap", 0);
	agree(R2R "win-x64/oddnames.dll", R2R "win-x64/oddnames.ni.r2rmap", 0);
	agree(R2R "hotcold/oddnames.dll", R2R "hotcold/oddnames.ni.r2rmap", 0);
	agree(R2R "arm64/calc10.dll", R2R "arm64/calc10.ni.r2rmap", LONGER);
	agree(R2R "arm64/oddnames.dll", R2R "arm64/oddnames.ni.r2rmap", LONGER);
}

static void other_assemblies_are_asked_for(void **state)
{
	(void)state;
	agree(R2R "composite/two.r2r.dll", R2R "composite/two.r2r.ni.r2rmap", 0);
	agree(R2R "inputbubble/oddext.dll", R2R "inputbubble/oddext.ni.r2rmap", 0);
	agree(R2R "crossmod/oddext.dll", R2R "crossmod/oddext.ni.r2rmap", 0);
	assert_true(r2r_is_composite(image(R2R "composite/two.r2r.dll")));
}

static void names_are_spelled_as_the_runtime_does(void **state)
{
	static const char *const of[] = { "x64", "hotcold" };
	const struct str tier = STR("[PreJIT]");
	size_t lines, i;

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		struct r2r *r = image(arena_fmt(&run, R2R "%s/oddnames.dll", of[k]).p);
		struct str text, line;

		text = file_bytes(&run,
		                  arena_fmt(&run, R2R "%s/oddnames.prejit.txt", of[k]).p);
		for (lines = 0; (line = str_cut(&text, '\n')).n; lines++) {
			struct str start = str_cut(&line, ' '), cold;
			struct str size = str_cut(&line, ' ');
			uint64_t rva, n;

			assert_true(str_is_hex(start, &rva));
			assert_true(str_is_hex(size, &n));
			assert_true(r2r_find(r, rva, &i));
			assert_int_equal(r2r_range(r, i).end, rva + n);
			/* The runtime writes NAME[PreJIT]NAME[PreJit-cold]. */
			if (r2r_range(r, i).cold)
				cold = str_from(line, str_search(line, tier) + tier.n);
			else
				cold = str_head(line, line.n - tier.n);
			spelled(r, i, R2R_AS_JIT, cold);
		}
		assert_int_equal(lines, k ? 56 : 52);
	}
}

static void cold_parts_are_those_of_the_compilers_list(void **state)
{
	struct r2r *r = image(R2R "hotcold/oddnames.dll");
	struct str text = file_bytes(&run, R2R "hotcold/oddnames.cold.csv"), line;
	size_t lines = 0, i;

	(void)state;
	str_cut(&text, '\n');
	while ((line = str_cut(&text, '\n')).n) {
		struct str start = str_cut(&line, ','), size = str_cut(&line, ',');
		uint64_t rva, n;

		assert_true(str_is_hex(start, &rva));
		assert_true(str_is_dec(size, &n));
		assert_true(r2r_find(r, rva, &i));
		assert_true(r2r_range(r, i).cold);
		assert_int_equal(r2r_range(r, i).begin, rva);
		assert_int_equal(r2r_range(r, i).end - rva, n);
		lines++;
	}
	assert_int_equal(lines, 5);
}

static void thunks_are_said_as_such(void **state)
{
	struct r2r *r = image(R2R "x64/oddnames.dll");
	size_t i;

	(void)state;
	assert_true(r2r_find(r, 0x14ab8, &i));
	assert_true(r2r_range(r, i).thunk);
	spelled(r, i, R2R_AS_JIT, STR("[oddnames!thunk]"));
	assert_false(r2r_find(r, 0x14ab8 + 0x71, &i));
	assert_false(r2r_find(r, 0x1152f, &i)); /* before the first method */
	assert_false(r2r_find(r, UINT64_MAX, &i));
}

/* Image, and its map, whose first line holds the signature. */
static void signature_can_be_made_anew(void **state)
{
	static const char *const of[] = { "x64/calc10", "arm64/oddnames",
		                          "win-x64/oddnames", "composite/two.r2r" };

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct str map =
		        file_bytes(&run, arena_fmt(&run, R2R "%s.ni.r2rmap", of[i]).p);
		struct pe *pe = arena_new(&run, struct pe, 1);
		unsigned char noted[16], made[16];
		struct perfmap pm;
		struct r2r *r;

		assert_true(pe_read(
		        pe, file_bytes(&run, arena_fmt(&run, R2R "%s.dll", of[i]).p)));
		r = r2r_open(pe, STR("x.dll"), &run, find, NULL);
		assert_non_null(r);
		assert_true(pe->has_signature && r2r_signature(r, noted));
		perfmap_read(&pm, STR("x.ni.r2rmap"), map, &run);
		assert_memory_equal(noted, pm.signature, 16);
		pe->has_signature = false;
		memset(made, 0, sizeof(made));
		assert_true(r2r_signature(r, made));
		assert_memory_equal(made, noted, 16);
	}
}

static void without_the_other_assembly_the_bounds_stay(void **state)
{
	struct r2r *r, *full;
	size_t i;

	(void)state;
	full = image(R2R "composite/two.r2r.dll");
	absent = true;
	r = image(R2R "composite/two.r2r.dll");
	assert_int_equal(r2r_count(r), r2r_count(full));
	for (i = 0; i < r2r_count(r); i++)
		assert_int_equal(r2r_range(r, i).begin, r2r_range(full, i).begin);
	assert_true(r2r_find(r, 0x11d00, &i));
	spelled(r, i, R2R_AS_JIT, STR("[calc10] 06000005"));
	assert_int_equal(r2r_lacking(r), 1);
}

static void assembly_of_another_mvid_is_not_believed(void **state)
{
	static const unsigned char other[16] = "another version";
	struct r2r *r = image(R2R "composite/two.r2r.dll");
	size_t i;

	(void)state;
	claimed = other;
	assert_true(r2r_find(r, 0x11d00, &i));
	spelled(r, i, R2R_AS_MAP, STR("[calc10] 06000005"));
	claimed = NULL;
	r = image(R2R "composite/two.r2r.dll");
	spelled(r, i, R2R_AS_MAP,
	        STR("System.Int32 Calc.Program::CountPrimes(System.Int32)"));
}

static struct str owner_of(const char *path)
{
	struct pe *pe = arena_new(&run, struct pe, 1);

	assert_true(pe_read(pe, file_bytes(&run, arena_fmt(&run, R2R "%s", path).p)));
	return r2r_owner(pe);
}

static void il_alone_has_no_code(void **state)
{
	(void)state;
	assert_null(image_of(file_bytes(&run, R2R "il/oddnames.dll")));
	/* A component's code is in the composite, which it names. */
	assert_null(image_of(file_bytes(&run, R2R "composite/calc10.dll")));
	assert_true(str_eq(owner_of("composite/calc10.dll"), STR("two.r2r.dll")));
	assert_false(owner_of("composite/two.r2r.dll").n || owner_of("il/calc10.dll").n);
}

/* Where the image lists a section: type, rva, size. */
static char *section_entry(struct str image, uint32_t type)
{
	char *p = memmem(image.p, image.n, "RTR", 4);
	uint32_t n, have;

	assert_non_null(p);
	memcpy(&n, p + 12, 4);
	n = le32toh(n);
	for (p += 16; n-- > 0; p += 12) {
		memcpy(&have, p, 4);
		if (le32toh(have) == type)
			return p;
	}
	fail();
	return NULL;
}

/* A table of methods that is said to be longer than the file is not walked. */
static void rows_beyond_the_file_are_not_asked_for(void **state)
{
	static const unsigned char rows[] = { 0x0f, 0, 0, 0, 0x80 };
	struct str bytes = file_bytes(&run, R2R "x64/calc10.dll");
	char *entry = section_entry(bytes, 103);
	struct r2r *r = image(R2R "x64/calc10.dll");
	size_t all = r2r_count(r);
	uint64_t off;
	uint32_t rva;
	struct pe pe;

	(void)state;
	memcpy(&rva, entry + 4, 4);
	memset(entry + 8, 0xff, 4);
	assert_true(pe_read(&pe, bytes));
	assert_true(pe_file_off(&pe, le32toh(rva), &off));
	memcpy((char *)(uintptr_t)bytes.p + off, rows, sizeof(rows));
	r = image_of(bytes);
	assert_non_null(r);
	assert_true(r2r_count(r) < all);
	assert_int_equal(r2r_unread(r), 1);
}

/* Ranges ascend, and names are made. */
static void holds_together(struct str bytes)
{
	struct r2r *r = image_of(bytes);
	uint32_t end = 0;

	for (size_t i = 0; r && i < r2r_count(r); i++) {
		struct r2r_range code = r2r_range(r, i);

		assert_true(code.begin >= end && code.end > code.begin);
		end = code.end;
		assert_true(r2r_name(r, i, &run, R2R_AS_JIT).n != 0);
		assert_true(r2r_name(r, i, &run, R2R_AS_MAP).n != 0);
	}
	arena_release(&run);
}

static void every_flipped_byte_is_survived(void **state)
{
	struct str bytes = file_bytes(&run, R2R "inputbubble/oddext.dll");
	char *p = arena_new(&run, char, bytes.n);
	struct arena keep = run;

	(void)state;
	memcpy(p, bytes.p, bytes.n);
	run = (struct arena){ 0 };
	for (size_t at = 0; at < bytes.n; at++) {
		p[at] = (char)~bytes.p[at];
		holds_together((struct str){ p, bytes.n });
		p[at] = bytes.p[at];
	}
	run = keep;
}

static void every_cut_is_survived(void **state)
{
	struct str bytes = file_bytes(&run, R2R "inputbubble/oddext.dll");
	struct arena keep = run;

	(void)state;
	run = (struct arena){ 0 };
	for (size_t n = 0; n <= bytes.n; n++)
		holds_together(str_head(bytes, n));
	run = keep;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(every_line_of_the_compilers_map_is_read_back,
		                          leave),
		cmocka_unit_test_teardown(other_assemblies_are_asked_for, leave),
		cmocka_unit_test_teardown(names_are_spelled_as_the_runtime_does, leave),
		cmocka_unit_test_teardown(cold_parts_are_those_of_the_compilers_list,
		                          leave),
		cmocka_unit_test_teardown(thunks_are_said_as_such, leave),
		cmocka_unit_test_teardown(signature_can_be_made_anew, leave),
		cmocka_unit_test_teardown(without_the_other_assembly_the_bounds_stay,
		                          leave),
		cmocka_unit_test_teardown(assembly_of_another_mvid_is_not_believed,
		                          leave),
		cmocka_unit_test_teardown(il_alone_has_no_code, leave),
		cmocka_unit_test_teardown(rows_beyond_the_file_are_not_asked_for, leave),
		cmocka_unit_test_teardown(every_flipped_byte_is_survived, leave),
		cmocka_unit_test_teardown(every_cut_is_survived, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
