/* ReadyToRun images: real ones, and hand-assembled calls. */
#include "image/dotnet/pe.h"

#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"

static const char *const images[] = { "fixtures/r2r/x64/calc10.dll",
	                              "fixtures/r2r/arm64/calc10.dll",
	                              "fixtures/r2r/il/calc10.dll",
	                              "fixtures/r2r/x64-v0/calc10.dll" };

enum { X64 = 0x8664, ARM64 = 0xaa64, IMAGES = 4 };

static struct arena run;

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

static struct pe image(const char *path)
{
	struct pe pe;

	assert_true(pe_read(&pe, file_bytes(&run, path)));
	return pe;
}

static void image_is_told_apart_from_its_map(void **state)
{
	unsigned char mvid[MVID_BYTES];
	struct perfmap pm;
	struct pe pe = image("fixtures/r2r/x64/calc10.dll");

	(void)state;
	assert_true(perfmap_guid(STR("5f7b0e73-dba3-4ffa-b11c-963c82a375d6"), mvid));
	for (int i = 0; i < IMAGES; i++) {
		struct pe each = image(images[i]);

		assert_true(each.has_mvid);
		assert_memory_equal(each.mvid, mvid, MVID_BYTES);
	}
	perfmap_read(&pm, STR("calc10.ni.r2rmap"),
	             file_bytes(&run, "fixtures/r2r/x64/calc10.ni.r2rmap"), &run);
	assert_true(pm.has_signature && pe.has_signature);
	assert_memory_equal(pm.signature, pe.signature, 16);
	pe = image("fixtures/r2r/arm64/calc10.dll");
	assert_memory_not_equal(pm.signature, pe.signature, 16);
	assert_false(image("fixtures/r2r/il/calc10.dll").has_signature);
}

static void machine_is_without_the_tag_of_the_system(void **state)
{
	(void)state;
	assert_int_equal(image("fixtures/r2r/x64/calc10.dll").machine, X64);
	assert_int_equal(image("fixtures/r2r/arm64/calc10.dll").machine, ARM64);
	assert_true(pe_knows_calls(&(struct pe){ .machine = X64 }));
	assert_false(pe_knows_calls(&(struct pe){ .machine = 0x14c }));
}

static void rva_and_file_offset_are_each_others_inverse(void **state)
{
	(void)state;
	for (int i = 0; i < IMAGES; i++) {
		struct pe pe = image(images[i]);
		size_t mapped = 0;

		for (uint64_t off = 0; off < pe.bytes.n; off++) {
			uint64_t rva, back;

			if (!pe_rva(&pe, off, &rva))
				continue;
			assert_true(pe_file_off(&pe, rva, &back));
			assert_int_equal(back, off);
			mapped++;
		}
		assert_true(mapped > pe.bytes.n / 2 && mapped < pe.bytes.n);
	}
}

static void code_is_mapped_by_pages(void **state)
{
	struct pe pe = image("fixtures/r2r/x64/calc10.dll");
	size_t found = 0;

	(void)state;
	for (size_t i = 0; i < pe.nsections; i++) {
		const struct pe_section *s = &pe.section[i];
		uint64_t first = s->file_off & ~4095ull;
		uint64_t length = pe_mapped_length(&pe, 0, first);

		if (!s->executable)
			continue;
		found++;
		assert_int_equal(length % 4096, 0);
		assert_true(length >= s->virtual_size);
		assert_true(length < s->virtual_size + 2 * 4096);
	}
	assert_true(found > 0);
	assert_int_equal(pe_mapped_length(&pe, 0, 1), 0);
}

/*
 * Microsoft.Extensions.FileProviders.Physical.dll 10.0.12 in a single-file program,
 * where images begin in the middle of pages: what perf recorded of it.
 */
static void the_end_of_a_section_is_mapped_though_unused(void **state)
{
	struct pe pe = {
		.section = { { .rva = 0x10200,
		               .virtual_size = 0xd24c,
		               .file_off = 0x200,
		               .raw_size = 0xd400,
		               .executable = true } },
		.nsections = 1,
	};

	(void)state;
	assert_int_equal(pe_mapped_length(&pe, 0x5c06b40, 0x5c06000), 0xf000);
	assert_int_equal(pe_mapped_length(&pe, 0, 0), 0xe000);
}

/* Where a method of the real map calls, the next instruction follows a call. */
static void real_code_has_calls(void **state)
{
	static const char *const map[] = { "fixtures/r2r/x64/calc10.ni.r2rmap",
		                           "fixtures/r2r/arm64/calc10.ni.r2rmap" };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct pe pe = image(images[i]);
		size_t calls = 0, begins = 0;
		struct perfmap pm;

		perfmap_read(&pm, STR("calc10.ni.r2rmap"), file_bytes(&run, map[i]),
		             &run);
		assert_true(pm.symbols.n > 10);
		for (size_t k = 0; k < pm.symbols.n; k++) {
			const struct symbol *s = &pm.symbols.sym[k];
			uint64_t off, step = i ? 4 : 1;

			assert_true(pe_file_off(&pe, s->start, &off));
			begins += pe_follows_call(&pe, off);
			for (uint64_t at = step; at < s->end - s->start; at += step)
				calls += pe_follows_call(&pe, off + at);
		}
		assert_true(calls >= pm.symbols.n / 2);
		assert_true(begins < pm.symbols.n / 2);
	}
}

static bool x64(struct str code)
{
	struct pe pe = { .bytes = code, .machine = X64 };

	return pe_follows_call(&pe, code.n);
}

static bool arm64(uint32_t op)
{
	const uint32_t code = htole32(op);
	struct pe pe = { .bytes = { (const char *)&code, 4 }, .machine = ARM64 };

	return pe_follows_call(&pe, 4);
}

static void calls_of_x64_are_known(void **state)
{
	(void)state;
	assert_true(x64(STR("\xe8\x10\x20\x30\x40")));         /* call rel32 */
	assert_true(x64(STR("\xff\xd0")));                     /* call rax */
	assert_true(x64(STR("\x41\xff\xd3")));                 /* call r11 */
	assert_true(x64(STR("\xff\x10")));                     /* call [rax] */
	assert_true(x64(STR("\xff\x50\x18")));                 /* call [rax+24] */
	assert_true(x64(STR("\xff\x90\x18\x01\x00\x00")));     /* call [rax+280] */
	assert_true(x64(STR("\xff\x15\x10\x20\x30\x40")));     /* call [rip+x] */
	assert_true(x64(STR("\xff\x14\xc8")));                 /* call [rax+rcx*8] */
	assert_true(x64(STR("\xff\x54\xc8\x08")));             /* call [rax+rcx*8+8] */
	assert_true(x64(STR("\xff\x94\xc8\x08\x01\x00\x00"))); /* ... +264] */
	assert_true(x64(STR("\xff\x14\x25\x08\x01\x00\x00"))); /* call [264] */
	assert_false(x64(STR("\xff\xe0")));                    /* jmp rax */
	assert_false(x64(STR("\xff\x25\x10\x20\x30\x40")));    /* jmp [rip+x] */
	assert_false(x64(STR("\x90\x90\x90\x90\x90")));
	assert_false(x64(STR("\xc3")));
	assert_false(x64(STR("\x15\x10\x20\x30\x40")));
	assert_false(x64(STR("")));
}

static void calls_of_arm64_are_known(void **state)
{
	(void)state;
	assert_true(arm64(0x94000010));  /* bl */
	assert_true(arm64(0x97fffff0));  /* bl, backwards */
	assert_true(arm64(0xd63f0100));  /* blr x8 */
	assert_true(arm64(0xd73f0909));  /* blraa x8, x9 */
	assert_true(arm64(0xd63f091f));  /* blraaz x8 */
	assert_false(arm64(0x14000010)); /* b */
	assert_false(arm64(0xd61f0100)); /* br x8 */
	assert_false(arm64(0xd65f03c0)); /* ret */
}

static void address_outside_follows_no_call(void **state)
{
	struct pe pe = image("fixtures/r2r/x64/calc10.dll");
	uint64_t out;

	(void)state;
	assert_false(pe_follows_call(&pe, 0));
	assert_false(pe_follows_call(&pe, pe.bytes.n + 1));
	assert_false(pe_follows_call(&pe, UINT64_MAX));
	assert_false(pe_rva(&pe, UINT64_MAX, &out));
	assert_false(pe_file_off(&pe, UINT64_MAX, &out));
}

/* Each in an allocation of its own, so that a sanitizer sees what is read behind. */
static void image_may_end_at_any_byte(void **state)
{
	(void)state;
	for (int i = 0; i < IMAGES; i++) {
		struct str all = file_bytes(&run, images[i]);

		for (size_t n = 0; n < all.n; n += n < 4096 ? 1 : 61) {
			char *p = malloc(n ? n : 1);
			struct pe pe;

			assert_non_null(p);
			memcpy(p, all.p, n);
			if (pe_read(&pe, (struct str){ p, n }))
				assert_true(pe.nsections > 0);
			else
				assert_true(n < 1024);
			free(p);
		}
	}
}

#define test(name) cmocka_unit_test_teardown(name, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(image_is_told_apart_from_its_map),
		test(machine_is_without_the_tag_of_the_system),
		test(rva_and_file_offset_are_each_others_inverse),
		test(code_is_mapped_by_pages),
		test(the_end_of_a_section_is_mapped_though_unused),
		test(real_code_has_calls),
		test(calls_of_x64_are_known),
		test(calls_of_arm64_are_known),
		test(address_outside_follows_no_call),
		test(image_may_end_at_any_byte),
	};

	return cmocka_run_group_tests_name("pe", tests, NULL, NULL);
}
