/* Images copied to anonymous memory, by the code that a jitdump has of their methods. */
#include "bind/dotnet/match_copied.h"

#include "bind/binder.h"
#include "image/dotnet/assembly.h"
#include "jitgen.h"
#include "sessionmade.h"

enum { LENGTH = 0x100000, SHORTEST = 32, MOST = 10 };

static const uint64_t base = 0x7f0000400000;
static const char image[] = "fixtures/r2r/x64/oddnames.dll";

static struct jitgen g;
static uint64_t number;

static int enter(void **state)
{
	(void)state;
	session_made();
	g.n = 0;
	number = 0;
	jit_header(&g, PID, 0, 0);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	session_over();
	return 0;
}

/* The methods of the image. */
static struct r2r *methods(void)
{
	if (!session.locator.n) {
		add_file("oddnames.dll", file_bytes(&session.run, image));
		session.locator.item[0].kind = ITEM_PE;
	}
	return assembly_code(&session.locator, &session.locator.item[0]);
}

/* A method that the dump has, as it is in the image or with one byte changed. */
static void dump_method(size_t index, bool changed, const char *name)
{
	struct r2r_range code = r2r_range(methods(), index);
	struct str raw = pe_bytes(locate_pe(&session.locator, &session.locator.item[0]),
	                          code.begin, code.end - code.begin);

	jit_load(&g, PID, number, base + code.begin, (uint32_t)raw.n, number, name);
	number++;
	memcpy(g.bytes + g.n - raw.n, raw.p, raw.n);
	g.bytes[g.n - 1] ^= changed;
}

/* n methods of at least SHORTEST and at most 200 bytes; the last `changed` are others. */
static void dump_methods(size_t n, size_t changed)
{
	size_t all = r2r_count(methods()), done = 0;

	for (size_t i = 0; i < all && done < n; i++) {
		struct r2r_range code = r2r_range(methods(), i);
		uint32_t size = code.end - code.begin;

		if (code.thunk || code.cold || size < SHORTEST || size > 200)
			continue;
		dump_method(i, done >= n - changed,
		            "int32 [oddnames] C::M(int32)[PreJIT]");
		done++;
	}
	assert_int_equal(done, n);
}

static const struct bound_image *decided(void)
{
	struct event ev = { .kind = EV_MMAP,
		            .pid = PID,
		            .tid = PID,
		            .map = { .start = base,
		                     .len = LENGTH,
		                     .prot = 7,
		                     .path = STR("//anon"),
		                     .cpumode = MODE_USER } };
	struct item *dump = add_file("jit-7.dump", jit_bytes(&g));
	const struct mapping *m;

	process_apply(session.ps, &ev);
	m = process_find(session.ps, PID, base, MODE_USER);
	bind_force(session.binder, PID, dump);
	bind_decide(session.binder, session.ps, true);
	return bind_image(session.binder, m);
}

static void two_methods_with_its_code_show_an_image(void **state)
{
	const struct bound_image *im;

	(void)state;
	dump_methods(2, 0);
	im = decided();
	assert_non_null(im);
	assert_int_equal(im->base, base);
	assert_true(str_eq(im->image->name, STR("oddnames.dll")));
}

static void one_method_does_not(void **state)
{
	(void)state;
	dump_methods(1, 0);
	assert_null(decided());
}

static void second_method_must_have_its_code(void **state)
{
	(void)state;
	dump_methods(2, 1);
	assert_null(decided());
}

static void one_in_ten_may_differ(void **state)
{
	(void)state;
	dump_methods(MOST, 1);
	assert_non_null(decided());
}

static void two_in_ten_may_not(void **state)
{
	(void)state;
	dump_methods(MOST, 2);
	assert_null(decided());
}

static void code_compiled_at_run_time_is_not_of_an_image(void **state)
{
	(void)state;
	for (size_t i = 0, done = 0; done < 2; i++) {
		struct r2r_range code = r2r_range(methods(), i);

		if (code.thunk || code.end - code.begin < SHORTEST)
			continue;
		dump_method(i, false, "int32 [oddnames] C::M(int32)[Tier1]");
		done++;
	}
	assert_null(decided());
}

static void image_has_the_assembly_s_name(void **state)
{
	(void)state;
	dump_methods(2, 0);
	session.locator.item[0].name = STR("oddnames.dll");
	dump_method(0, true, "int32 [other] C::M(int32)[PreJIT]");
	assert_non_null(decided());
}

static void name_without_an_assembly_finds_nothing(void **state)
{
	static const char *const names[] = { "oddnames C::M()[PreJIT]",
		                             "int32 [oddnames C::M()PreJIT",
		                             "int32[oddnames] C::M()[PreJIT]" };

	(void)state;
	for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
		for (size_t i = 0, done = 0; done < 2; i++) {
			struct r2r_range code = r2r_range(methods(), i);

			if (code.thunk || code.end - code.begin < SHORTEST ||
			    code.end - code.begin > 200)
				continue;
			dump_method(i, false, names[k]);
			done++;
		}
	assert_null(decided());
}

/* Up to n methods of that many bytes. */
static size_t dump_methods_of(uint32_t size, size_t n)
{
	size_t all = r2r_count(methods()), done = 0;

	for (size_t i = 0; i < all && done < n; i++) {
		struct r2r_range code = r2r_range(methods(), i);

		if (code.thunk || code.cold || code.end - code.begin != size)
			continue;
		dump_method(i, false, "int32 [oddnames] C::M(int32)[PreJIT]");
		done++;
	}
	return done;
}

static void shorter_code_may_be_the_same_by_chance(void **state)
{
	(void)state;
	assert_int_equal(dump_methods_of(SHORTEST - 1, 6), 6);
	assert_null(decided());
}

static void code_of_32_bytes_is_not(void **state)
{
	(void)state;
	assert_int_equal(dump_methods_of(SHORTEST, 1), 1);
	assert_int_equal(dump_methods_of(SHORTEST + 1, 1), 1);
	assert_non_null(decided());
}

static void images_of_one_name_are_tried(void **state)
{
	(void)state;
	for (size_t n = 255; n <= 256; n++) {
		session_over();
		enter(NULL);
		methods();
		add_files(n, "oddnames.dll", STR("text"));
		dump_methods(2, 0);
		assert_int_equal(decided() != NULL, n < 256);
	}
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(two_methods_with_its_code_show_an_image),
		test(one_method_does_not),
		test(second_method_must_have_its_code),
		test(one_in_ten_may_differ),
		test(two_in_ten_may_not),
		test(code_compiled_at_run_time_is_not_of_an_image),
		test(image_has_the_assembly_s_name),
		test(name_without_an_assembly_finds_nothing),
		test(shorter_code_may_be_the_same_by_chance),
		test(code_of_32_bytes_is_not),
		test(images_of_one_name_are_tried),
	};

	return cmocka_run_group_tests_name("match_copied", tests, NULL, NULL);
}
