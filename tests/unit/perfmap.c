/* Text maps that name code, and the saved files of /proc beside them. */
#include "image/jit/jitdump.h"
#include "image/jit/perfmap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "given.h"
#include "reader/procmaps.h"

#define GUID      "{1f33821d-7269-4e7c-9624-2a2dd196d398}"
#define SIGNATURE "AC07F086B0F358523DBE539683360E48"

static struct arena run;
static struct perfmap pm;

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

static void read_map(const char *name, const char *text)
{
	assert_true(perfmap_bid(str_of(text)));
	perfmap_read(&pm, str_of(name), str_of(text), &run);
}

static void name_is(uint64_t addr, const char *name)
{
	const struct symbol *s = symtab_find(&pm.symbols, addr);

	assert_int_equal(s != NULL, name != NULL);
	if (s && !str_eq(s->name, str_of(name)))
		fail_msg(PRSTR, STRARG(s->name));
}

static void numbers_are_hex_with_and_without_0x(void **state)
{
	(void)state;
	read_map("perf-7.map", "00007F5D25C40078 48 stub<1> A<X>\n"
	                       "0x7fbeb0640000 0x110 stub B\n"
	                       "7fbeb0640200 10 java.lang.Object a b\n");
	name_is(0x7f5d25c40078, "stub<1> A<X>");
	name_is(0x7f5d25c400bf, "stub<1> A<X>");
	name_is(0x7f5d25c400c0, NULL);
	name_is(0x7fbeb064010f, "stub B");
	name_is(0x7fbeb064020f, "java.lang.Object a b");
	assert_false(pm.relative);
	assert_int_equal(pm.bad_lines, 0);
}

static void later_line_wins(void **state)
{
	(void)state;
	read_map("perf-7.map",
	         "1000 100 int A()[Tier0]\n1000 80 int A()[OptimizedTier1]\n");
	name_is(0x1000, "int A()[OptimizedTier1]");
	name_is(0x1080, "int A()[Tier0]");
}

static bool has_several(uint64_t addr)
{
	return symtab_find(&pm.shared, addr) != NULL;
}

static void addresses_of_several_names_are_known(void **state)
{
	(void)state;
	read_map("perf-7.map", "1000 100 a\n1080 100 b\n2000 10 c\n2000 20 c\n");
	assert_false(has_several(0x107f));
	assert_true(has_several(0x1080) && has_several(0x10ff));
	assert_false(has_several(0x1100));
	assert_false(has_several(0x2000));
	/* A block of stubs and the stubs in it. */
	read_map("perf-7.map", "1000 400 stub ReportStubBlock<X>\n1010 10 stub Y\n");
	name_is(0x1010, "stub Y");
	assert_false(has_several(0x1010));
}

static void last_line_may_be_cut(void **state)
{
	(void)state;
	read_map("perf-7.map", "1000 10 a\n2000 10 b\n300");
	assert_int_equal(pm.symbols.n, 2);
	assert_int_equal(pm.bad_lines, 0);
	read_map("perf-7.map", "1000 10 a\n2000 10 b\n3000 10");
	assert_int_equal(pm.symbols.n, 2);
	perfmap_read(&pm, STR("perf-7.map"), STR("1000 10 a\n2000\n3000 10 c\n"), &run);
	assert_int_equal(pm.symbols.n, 2);
	assert_int_equal(pm.bad_lines, 1);
}

/* A type's name that is not ASCII, by .NET 10: real bytes, of one run. */
static void whole_lines_inside_of_damaged_ones_are_read(void **state)
{
	static const char text[] =
	        "0x7f32f5c91860 416 void [app] Plain::Main(string[])[QuickJitted]\n"
	        "+\xe2;\x12RxU\0\0`\x96\xfe\xb1\x8e\xf3R\x8a"
	        "c instance int64 [app] Gr\xc3\xb6\xc3\x9f"
	        "e.\xc3\x9c"
	        "bung`1[System."
	        "__Canon]::L\xc3\xa4uft(!0,int32)[QuickJitt"
	        "0x7f3374983370 b stub CreateReturnConst<DynamicHelper>\n"
	        "0\0x\0"
	        "7\0f\0"
	        "3\0"
	        "2\0f\0"
	        "5\0 \0"
	        "3\0"
	        "9\0 \0i\0n\0t\0\rTMRn0\x9d\xcb;\x12RxU\0\0`"
	        "7f instance int64 [app] "
	        "Gr\xc3\xb6::L\xc3\xa4uft(!0,int32)[OptimizedTier1O"
	        "0x7f32f5c95f40 10b instance int32 "
	        "System.String::GetHashCode()[OptimizedTier1]\n"
	        "0x7f32f5c98000 10 Gr\xc3\xb6\xc3\x9f"
	        "e::L\xc3\xa4uft()[QuickJitt0x7f3374983380 c stub X\n"
	        "0x7f32f5c96100 10 Gr\xc3\xb6\xc3\x9f"
	        "e::L\xc3\xa4uft()\n"
	        "0x7f32f5c97000 10 A()[Tier0]\n"
	        "\xc0\x12\0\0lost\n";
	struct str bytes = { text, sizeof(text) - 1 };

	(void)state;
	assert_true(perfmap_bid(bytes));
	perfmap_read(&pm, STR("perf-7.map"), bytes, &run);
	name_is(0x7f32f5c91860, "void [app] Plain::Main(string[])[QuickJitted]");
	name_is(0x7f3374983370, "stub CreateReturnConst<DynamicHelper>");
	name_is(0x7f32f5c95f40,
	        "instance int32 System.String::GetHashCode()[OptimizedTier1]");
	name_is(0x7f3374983380, "stub X");
	name_is(0x7f32f5c98000, NULL);
	name_is(0x7f32f5c96100, "Gr\xc3\xb6\xc3\x9f"
	                        "e::L\xc3\xa4uft()");
	name_is(0x7f32f5c97000, "A()[Tier0]");
	assert_int_equal(pm.symbols.n, 6);
	assert_int_equal(pm.bad_lines, 4);
	assert_int_equal(pm.bad_line, 2);
	assert_int_equal(pm.inside, 3);
}

static void carriage_return_is_no_part_of_a_name(void **state)
{
	(void)state;
	read_map("perf-7.map", "1000 10 a\r\n2000 10 b c\r\n");
	name_is(0x1000, "a");
	name_is(0x2000, "b c");
}

static void map_is_told_by_its_lines(void **state)
{
	(void)state;
	assert_true(perfmap_bid(STR("1000 10 a\n2000 10 b\n30")));
	assert_false(perfmap_bid(STR("")));
	assert_false(perfmap_bid(STR("30")));
	assert_false(perfmap_bid(STR("1000 10 a\nhello\n2000 10 b\n")));
	assert_false(perfmap_bid(STR("# 1000 10 a\n")));
	assert_false(perfmap_bid(STR("1000 10 \n")));
	assert_false(perfmap_bid(STR("10000000000000000 10 a\n")));
	assert_false(perfmap_bid(STR("main;foo 10\n")));
}

static void r2rmap_begins_with_lines_that_are_no_code(void **state)
{
	static const unsigned char signature[16] = { 0xac, 0x07, 0xf0, 0x86, 0xb0, 0xf3,
		                                     0x58, 0x52, 0x3d, 0xbe, 0x53, 0x96,
		                                     0x83, 0x36, 0x0e, 0x48 };

	(void)state;
	read_map("dir/calc10.ni.r2rmap", "FFFFFFFF 00 " SIGNATURE "\nFFFFFFFE 00 1\n"
	                                 "FFFFFFFD 00 3\n000014A0 2C P::Main()\n");
	assert_true(pm.relative && pm.has_signature);
	assert_memory_equal(pm.signature, signature, 16);
	assert_int_equal(pm.symbols.n, 1);
	name_is(0x14a0, "P::Main()");
	name_is(0xffffffff, NULL);
	read_map("x.map", "FFFFFFFF 00 short\n000014A0 2C P::Main()\n");
	assert_true(pm.relative);
	assert_false(pm.has_signature);
}

static void crossgen_map_has_its_mvid_in_its_name(void **state)
{
	static const unsigned char mvid[MVID_BYTES] = { 0x1d, 0x82, 0x33, 0x1f,
		                                        0x69, 0x72, 0x7c, 0x4e,
		                                        0x96, 0x24, 0x2a, 0x2d,
		                                        0xd1, 0x96, 0xd3, 0x98 };

	(void)state;
	read_map("a/System.Linq.ni." GUID ".map", "1000 10 a\n");
	assert_true(pm.relative && pm.has_mvid);
	assert_memory_equal(pm.mvid, mvid, MVID_BYTES);
	read_map("System.Linq.ni.{1f33}.map", "1000 10 a\n");
	assert_true(pm.relative);
	assert_false(pm.has_mvid);
	read_map("System.Linq.map", "1000 10 a\n");
	assert_false(pm.relative);
}

static void guid_is_36_characters_in_braces_or_not(void **state)
{
	unsigned char a[MVID_BYTES], b[MVID_BYTES];

	(void)state;
	assert_true(perfmap_guid(STR(GUID), a));
	assert_true(perfmap_guid(STR("1F33821D-7269-4E7C-9624-2A2DD196D398"), b));
	assert_memory_equal(a, b, MVID_BYTES);
	assert_false(perfmap_guid(STR("1f33821d-7269-4e7c-9624-2a2dd196d39"), a));
	assert_false(perfmap_guid(STR("{1f33821d-7269-4e7c-9624-2a2dd196d398)"), a));
	assert_false(perfmap_guid(STR("1f33821d+7269-4e7c-9624-2a2dd196d398"), a));
	assert_false(perfmap_guid(STR("1f33821g-7269-4e7c-9624-2a2dd196d398"), a));
	assert_false(perfmap_guid(STR("0x33821d-7269-4e7c-9624-2a2dd196d398"), a));
	assert_false(perfmap_guid(STR("+133821d-7269-4e7c-9624-2a2dd196d398"), a));
	assert_false(perfmap_guid(STR(""), a));
}

static void pid_stands_in_the_name(void **state)
{
	(void)state;
	assert_int_equal(perfmap_pid(STR("perf-7679.map")), 7679);
	assert_int_equal(perfmap_pid(STR("/proc/1/root/tmp/perf-12.map")), 12);
	assert_int_equal(perfmap_pid(STR("perf-.map")), -1);
	assert_int_equal(perfmap_pid(STR("perf-12.map.gz")), -1);
	assert_int_equal(perfmap_pid(STR("perf-12x.map")), -1);
	assert_int_equal(perfmap_pid(STR("perf--1.map")), -1);
	assert_int_equal(perfmap_pid(STR("perf-2147483648.map")), -1);
	assert_int_equal(perfmap_pid(STR("perfinfo-12.map")), -1);
	assert_int_equal(perfmap_pid(STR("perf-12.map/x")), -1);
	assert_int_equal(perfmap_pid(STR("")), -1);
}

static void image_stands_in_the_name(void **state)
{
	(void)state;
	assert_true(str_eq(perfmap_image(STR("a/calc10.ni.r2rmap")), STR("calc10")));
	assert_true(str_eq(perfmap_image(STR("System.Linq.ni." GUID ".map")),
	                   STR("System.Linq")));
	assert_int_equal(perfmap_image(STR("perf-1.map")).n, 0);
	assert_int_equal(perfmap_image(STR(".ni.r2rmap")).n, 0);
	assert_int_equal(perfmap_image(STR("x.ni.{.map")).n, 0);
}

static void saved_maps_keep_what_can_run(void **state)
{
	struct str rest =
	        STR("7f00-8f00 r-xp 00001000 fe:00 1065059                /opt/My "
	            "App/dotnet\n"
	            "8f00-9f00 r--p 00000000 fe:00 1065059 /usr/share/dotnet/dotnet\n"
	            "rubbish\n"
	            "9f00-af00 rwxs 00000000 00:00 0 \n"
	            "ff00-af00 rwxp 00000000 00:00 0 \n"
	            "b000-c000 r-xs 00002000 00:01 83 /memfd:doublemapper (deleted)");
	struct mmap_event m;

	(void)state;
	assert_true(procmaps_bid(rest));
	assert_true(procmaps_next(&rest, &m));
	assert_int_equal(m.start, 0x7f00);
	assert_int_equal(m.len, 0x1000);
	assert_int_equal(m.file_off, 0x1000);
	assert_int_equal(m.ino, 1065059);
	assert_int_equal(m.maj, 0xfe);
	assert_true(str_eq(m.path, STR("/opt/My App/dotnet")));
	assert_true(procmaps_next(&rest, &m));
	assert_int_equal(m.flags, MAP_SHARED);
	assert_true(str_eq(m.path, STR("//anon")));
	assert_true(procmaps_next(&rest, &m));
	assert_true(str_eq(m.path, STR("/memfd:doublemapper (deleted)")));
	assert_false(procmaps_next(&rest, &m));
	assert_false(procmaps_bid(STR("7f00 10 foo\n")));
}

static void saved_maps_belong_to_the_pid_in_their_name(void **state)
{
	(void)state;
	assert_int_equal(procmaps_pid(STR("maps-7679.txt")), 7679);
	assert_int_equal(procmaps_pid(STR("7679/maps")), 7679);
	assert_int_equal(procmaps_pid(STR("proc/7679/maps")), 7679);
	assert_int_equal(procmaps_pid(STR("maps-4711-java11.txt")), 4711);
	assert_int_equal(procmaps_pid(STR("maps-4711.x86_64")), 4711);
	assert_int_equal(procmaps_pid(STR("pid7679.maps")), 7679);
	assert_int_equal(procmaps_pid(STR("maps")), -1);
	assert_int_equal(procmaps_pid(STR("maps-99999999999")), -1);
}

static void saved_status_gives_the_innermost_pid(void **state)
{
	int32_t pid = 0, ns = 0;

	(void)state;
	assert_true(procmaps_is_status(STR("Name:\tdotnet\nUmask:\t0022\nPid:\t7679\n")));
	assert_false(procmaps_is_status(STR("Pid:\t7679\n")));
	assert_true(procmaps_read_status(
	        STR("Name:\tx\nPid:\t7679\nNSpid:\t7679\t12\t1\n"), &pid, &ns));
	assert_int_equal(pid, 7679);
	assert_int_equal(ns, 1);
	assert_false(procmaps_read_status(STR("Name:\tx\nPid:\t7679\n"), &pid, &ns));
	assert_false(
	        procmaps_read_status(STR("Name:\tx\nPid:\t7679\nNSpid:\t\n"), &pid, &ns));
}

/* Fixtures: one assembly, compiled for several machines. */
static void signature_is_that_of_an_mvid(void **state)
{
	static const char *const of[] = { "x64", "arm64" };
	unsigned char mvid[MVID_BYTES];

	(void)state;
	assert_true(perfmap_guid(STR("5f7b0e73-dba3-4ffa-b11c-963c82a375d6"), mvid));
	for (int i = 0; i < 2; i++) {
		struct str path =
		        arena_fmt(&run, "fixtures/r2r/%s/calc10.ni.r2rmap", of[i]);

		perfmap_read(&pm, path, file_bytes(&run, path.p), &run);
		assert_true(perfmap_signed_for(&pm, mvid));
		pm.target[1]++;
		assert_false(perfmap_signed_for(&pm, mvid));
		pm.target[1]--;
		mvid[3] ^= 1;
		assert_false(perfmap_signed_for(&pm, mvid));
		mvid[3] ^= 1;
	}
}

/* Whatever a byte becomes, symbols ascend, and their names lie in the text. */
static void every_flipped_byte_is_survived(void **state)
{
	struct str s = file_bytes(&run, "fixtures/r2r/arm64/calc10.ni.r2rmap");
	char *p = arena_new(&run, char, s.n);
	struct arena keep = run;

	(void)state;
	run = (struct arena){ 0 };
	memcpy(p, s.p, s.n);
	for (size_t at = 0; at < s.n; at++) {
		uint64_t end = 0;

		for (int with = 0; with < 2; with++) {
			p[at] = with ? '\n' : (char)~s.p[at];
			perfmap_read(&pm, STR("x.ni.r2rmap"), (struct str){ p, s.n },
			             &run);
			for (size_t i = 0; i < pm.symbols.n; i++) {
				const struct symbol *y = &pm.symbols.sym[i];

				assert_true(y->start >= end && y->end > y->start);
				assert_true(y->name.p >= p &&
				            y->name.p + y->name.n <= p + s.n);
				end = y->end;
			}
			end = 0;
			arena_release(&run);
		}
		p[at] = s.p[at];
		perfmap_read(&pm, STR("x.ni.r2rmap"), (struct str){ p, at }, &run);
		arena_release(&run);
	}
	run = keep;
}

static void at_is(uint64_t ip, uint64_t time_ns, const char *name)
{
	size_t i;

	assert_true(perfmap_find(&pm, ip, time_ns, &i));
	assert_true(str_eq(pm.times->name[i], str_of(name)));
}

static void time_tells_methods_of_one_address_apart(void **state)
{
	const struct jit_code code[] = {
		{ .start = 0x1000, .size = 0x100, .time_ns = 0 },
		{ .start = 0x1000, .size = 0x80, .time_ns = 50 },
		{ .start = 0x1040, .size = 0x40, .time_ns = 90 },
		{ .start = 0x3000, .size = 0x10, .time_ns = 70 },
	};
	const struct str name[] = { STR("first"), STR("second"), STR("third"),
		                    STR("late") };
	size_t i;

	(void)state;
	pm = (struct perfmap){ 0 };
	assert_false(perfmap_find(&pm, 0x1000, 0, &i));
	perfmap_set_times(&pm, code, name, 4, &run);
	at_is(0x1000, 49, "first");
	at_is(0x1000, 50, "second");
	at_is(0x10ff, UINT64_MAX, "first");
	at_is(0x1040, 89, "second");
	at_is(0x107f, 90, "third");
	at_is(0x103f, 90, "second");
	/* Sampled before the event told of it. */
	at_is(0x3000, 1, "late");
	assert_false(perfmap_find(&pm, 0x3010, 99, &i));
	assert_false(perfmap_find(&pm, 0xfff, 99, &i));
}

#define test(name) cmocka_unit_test_teardown(name, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(numbers_are_hex_with_and_without_0x),
		test(later_line_wins),
		test(addresses_of_several_names_are_known),
		test(whole_lines_inside_of_damaged_ones_are_read),
		test(last_line_may_be_cut),
		test(time_tells_methods_of_one_address_apart),
		test(carriage_return_is_no_part_of_a_name),
		test(map_is_told_by_its_lines),
		test(r2rmap_begins_with_lines_that_are_no_code),
		test(crossgen_map_has_its_mvid_in_its_name),
		test(guid_is_36_characters_in_braces_or_not),
		test(pid_stands_in_the_name),
		test(image_stands_in_the_name),
		test(signature_is_that_of_an_mvid),
		test(every_flipped_byte_is_survived),
		test(saved_maps_keep_what_can_run),
		test(saved_maps_belong_to_the_pid_in_their_name),
		test(saved_status_gives_the_innermost_pid),
	};

	return cmocka_run_group_tests_name("perfmap", tests, NULL, NULL);
}
