/* The recording machine's kernel: kallsyms, modules and BPF programs. */
#include "image/kallsyms.h"
#include "symbol/profile.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "framelines.h"
#include "given.h"
#include "perfgen.h"

enum { SOURCES = 4, MIXED = 0x127, ID_ALL = 1 << 18, KERNEL = 1, WITH_ID = 1 << 14 };

static const struct gen_event clock_event = {
	.name = "cpu-clock", .type = 1, .sample_type = MIXED, .flags = ID_ALL, .id = 7
};

/* The build-id of fixtures/elf/mod.ko. */
static const char mod_id[] = "\xc4\x37\xa4\x0d\x9e\xc6\x2a\xb4\x36\x22"
                             "\x29\xf3\xca\xf6\xce\x01\x9b\x1d\xe8\xc6";

static const char saved[] = "0000000000000000 A fixed_percpu_data\n"
                            "ffffffff81000000 T first_alias\n"
                            "ffffffff81000000 T _stext\n"
                            "ffffffff81000000 T _text\n"
                            "ffffffff81000040 t idle\n"
                            "ffffffff81000080 W do_syscall\n"
                            "ffffffff81000123 T _etext\n"
                            "ffffffff81002000 t start_kernel\n"
                            "ffffffff81003000 d some_data\n"
                            "ffffffffc0300000 t mod_open\t[mod]\n"
                            "ffffffffc0300020 T mod_read\t[mod]\n";

static struct arena run;
static struct diag diag;
static struct profile *profile;
static struct profile_opts opts;
static const char *sources[SOURCES];
static struct sample sample;
static struct gen g;

static int enter(void **state)
{
	(void)state;
	memset(&g, 0, sizeof(g));
	diag = (struct diag){ .prog = "kernel", .quiet = true };
	opts = (struct profile_opts){ .sources = sources, .diag = &diag };
	opts.formats = READ_SAMPLES;
	gen_start(&g, &clock_event, 1);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	profile_close(profile);
	profile = NULL;
	given_none();
	arena_release(&run);
	return 0;
}

static void put_map(uint64_t start, uint64_t length, uint64_t file_off, const char *path)
{
	gen_open(&g, 1, KERNEL);
	gen_u32(&g, UINT32_MAX);
	gen_u32(&g, 0);
	gen_u64(&g, start);
	gen_u64(&g, length);
	gen_u64(&g, file_off);
	gen_text(&g, path);
	gen_trailer(&g, &clock_event, UINT32_MAX, 0, 0);
	gen_close(&g);
}

static void put_file(uint64_t start, uint64_t length, uint64_t file_off, const char *id,
                     const char *path)
{
	gen_open(&g, 10, KERNEL | WITH_ID);
	gen_u32(&g, UINT32_MAX);
	gen_u32(&g, 0);
	gen_u64(&g, start);
	gen_u64(&g, length);
	gen_u64(&g, file_off);
	gen_u32(&g, 20);
	gen_bytes(&g, id, 20);
	gen_u32(&g, 5);
	gen_u32(&g, 0);
	gen_text(&g, path);
	gen_trailer(&g, &clock_event, UINT32_MAX, 0, 0);
	gen_close(&g);
}

static void put_module(uint64_t start, const char *id, const char *path)
{
	put_file(start, 0x4000, 0, id, path);
}

static void put_ksymbol(uint64_t addr, unsigned length, const char *name)
{
	gen_open(&g, 17, 0);
	gen_u64(&g, addr);
	gen_u32(&g, length);
	gen_u32(&g, 1); /* BPF, and no flags */
	gen_text(&g, name);
	gen_trailer(&g, &clock_event, UINT32_MAX, 0, 0);
	gen_close(&g);
}

static void put_sample(uint64_t ip)
{
	gen_open(&g, 9, KERNEL);
	gen_u64(&g, ip);
	gen_u32(&g, 42);
	gen_u32(&g, 43);
	gen_u64(&g, 1000);
	gen_u64(&g, 1);
	gen_u64(&g, 2);
	gen_u64(&g, (uint64_t)-128); /* PERF_CONTEXT_KERNEL */
	gen_u64(&g, ip);
	gen_close(&g);
}

/* The kernel's text as of saved, moved by that much. */
static void put_core(uint64_t moved, uint64_t length)
{
	uint64_t at = 0xffffffff81000000 + moved;

	put_map(at, length, at, "[kernel.kallsyms]_text");
}

static void open_profile(void)
{
	opts.input = given(&run, gen_finish(&g));
	profile = profile_open(&opts);
	assert_non_null(profile);
	profile_learn(profile);
}

static void next_is(const char *text)
{
	struct str lines;

	do
		assert_int_equal(profile_next(profile, &sample), 1);
	while (sample.ev->kind != EV_SAMPLE);
	assert_int_equal(sample.nframes, 1);
	lines = frame_lines(&run, profile, sample.frames[0]);
	if (!str_eq(lines, str_of(text)))
		fail_msg("'" PRSTR "'", STRARG(lines));
}

static void with_text(const char *text)
{
	sources[opts.nsources++] = given_text(&run, text);
}

static void with_fixture(const char *path)
{
	const char *top = getenv("TOP");

	sources[opts.nsources++] = arena_fmt(&run, "%s/%s", top ? top : ".", path).p;
}

static void saved_kallsyms_names_the_kernel(void **state)
{
	(void)state;
	with_text(saved);
	put_core(0, 0x123);
	put_sample(0xffffffff81000041);
	put_sample(0xffffffff81000001);
	put_sample(0xffffffff81002004);
	put_sample(0xffffffff81000090);
	open_profile();
	next_is("\tffffffff81000041 idle+0x1 ([kernel.kallsyms])\n");
	next_is("\tffffffff81000001 _text+0x1 ([kernel.kallsyms])\n");
	/* Behind the recorded end of the text, as perf. */
	next_is("\tffffffff81002004 start_kernel+0x4 ([kernel.kallsyms])\n");
	next_is("\tffffffff81000090 do_syscall+0x10 ([kernel.kallsyms])\n");
}

static void another_boot_has_the_kernel_elsewhere(void **state)
{
	(void)state;
	with_text(saved);
	put_core(0x1e00000, 0x123);
	put_sample(0xffffffff82e00041);
	open_profile();
	next_is("\tffffffff82e00041 idle+0x1 ([kernel.kallsyms])\n");
}

static void another_kernel_has_text_of_another_length(void **state)
{
	(void)state;
	with_text(saved);
	put_core(0, 0x124);
	put_sample(0xffffffff81000041);
	open_profile();
	next_is("\tffffffff81000041 [unknown] ([kernel.kallsyms])\n");
}

/* perf before 5.0: the mapping ends where the modules begin. */
static void without_a_length_the_address_must_agree(void **state)
{
	(void)state;
	with_text(saved);
	put_core(0, 0x3f000000);
	put_sample(0xffffffff81000041);
	open_profile();
	next_is("\tffffffff81000041 idle+0x1 ([kernel.kallsyms])\n");
	profile_close(profile);
	memset(&g, 0, sizeof(g));
	gen_start(&g, &clock_event, 1);
	put_core(0x200000, 0x3f000000);
	put_sample(0xffffffff81200041);
	open_profile();
	next_is("\tffffffff81200041 [unknown] ([kernel.kallsyms])\n");
}

static void hidden_addresses_name_nothing(void **state)
{
	(void)state;
	with_text("0000000000000000 T _text\n0000000000000000 T _etext\n"
	          "0000000000000000 t idle\n");
	put_core(0, 0x123);
	put_sample(0xffffffff81000041);
	open_profile();
	next_is("\tffffffff81000041 [unknown] ([kernel.kallsyms])\n");
}

static void kallsyms_names_modules_where_they_lay(void **state)
{
	(void)state;
	with_text(saved);
	put_core(0, 0x123);
	put_map(0xffffffffc0300000, 0x4000, 0, "/lib/modules/6.1/kernel/fs/mod.ko");
	put_map(0xffffffffc0500000, 0x4000, 0, "/lib/modules/6.1/kernel/fs/mod2.ko");
	put_sample(0xffffffffc0300021);
	put_sample(0xffffffffc0500021);
	open_profile();
	next_is("\tffffffffc0300021 mod_read+0x1 ([mod])\n");
	next_is("\tffffffffc0500021 [unknown] ([mod2])\n");
}

static void module_that_lay_elsewhere_is_not_named(void **state)
{
	(void)state;
	with_text(saved);
	put_core(0, 0x123);
	put_map(0xffffffffc0310000, 0x4000, 0, "/lib/modules/6.1/kernel/fs/mod.ko");
	put_sample(0xffffffffc0310021);
	open_profile();
	next_is("\tffffffffc0310021 [unknown] ([mod])\n");
}

static void module_file_names_its_text(const char *path)
{
	with_fixture(path);
	put_module(0xffffffffc0300000, mod_id, "/lib/modules/6.1/kernel/fs/mod.ko.xz");
	put_sample(0xffffffffc0300021);
	put_sample(0xffffffffc0300041);
	open_profile();
	next_is("\tffffffffc0300021 mod_read+0x1 ([mod])\n");
	/* Where .init.text lay is not known. */
	next_is("\tffffffffc0300041 [unknown] ([mod])\n");
}

static void module_as_it_is(void **state)
{
	(void)state;
	module_file_names_its_text("fixtures/elf/mod.ko");
}

static void module_packed_by_xz(void **state)
{
	(void)state;
	module_file_names_its_text("fixtures/elf/mod.ko.xz");
}

static void module_packed_by_zstd(void **state)
{
	(void)state;
	module_file_names_its_text("fixtures/elf/mod.ko.zst");
}

static void module_packed_by_gzip(void **state)
{
	(void)state;
	module_file_names_its_text("fixtures/elf/mod.ko.gz");
}

static void module_of_another_build_is_not_used(void **state)
{
	char other[20];

	(void)state;
	memcpy(other, mod_id, sizeof(other));
	other[19] ^= 1;
	with_fixture("fixtures/elf/mod.ko");
	put_module(0xffffffffc0300000, other, "/lib/modules/6.1/kernel/fs/mod.ko");
	put_sample(0xffffffffc0300021);
	open_profile();
	next_is("\tffffffffc0300021 [unknown] ([mod])\n");
}

/* The build-id of fixtures/dwarf/module-x86.ko. */
static const char lined_id[] = "\x6b\x2e\x43\x06\x8f\x3d\x91\x3e\x49\xae"
                               "\x3f\x38\xf3\x1c\xf9\xda\x08\x63\xc8\xe1";

static void lined_module_is_named(void)
{
	opts.lines = true;
	put_module(0xffffffffc0300000, lined_id, "/lib/modules/6.1/kernel/module-x86.ko");
	put_sample(0xffffffffc0300020);
	put_sample(0xffffffffc0300050);
	put_sample(0xffffffffc0300081);
	put_sample(0xffffffffc0300070);
	open_profile();
	next_is("\tffffffffc0300020 thrice+0x20 (inlined)\n"
	        "\tffffffffc0300020 module_read+0x20 ([module_x86])\n");
	/* .text.unlikely, then .noinstr.text, and what its alignment leaves free. */
	next_is("\tffffffffc0300050 twice+0x0 (inlined)\n"
	        "\tffffffffc0300050 module_fail+0x0 ([module_x86])\n");
	next_is("\tffffffffc0300081 module_enter+0x1 ([module_x86])\n");
	next_is("\tffffffffc0300070 [unknown] ([module_x86])\n");
}

static void module_tells_its_inlined_functions(void **state)
{
	(void)state;
	with_fixture("fixtures/dwarf/module-x86.ko");
	lined_module_is_named();
}

/* perf 6.1 prints these by their file's name. */
static void module_that_zstd_packed_is_known_by_its_file(void **state)
{
	(void)state;
	with_text(saved);
	with_fixture("fixtures/dwarf/module-x86.ko");
	put_core(0, 0x123);
	put_map(0xffffffffc0300000, 0x4000, 0, "/lib/modules/6.1/kernel/mod.ko.zst");
	put_module(0xffffffffc0400000, lined_id, "/lib/modules/6.1/module-x86.ko.zst");
	put_sample(0xffffffffc0300021);
	put_sample(0xffffffffc0400081);
	open_profile();
	next_is("\tffffffffc0300021 mod_read+0x1 (mod.ko.zst)\n");
	next_is("\tffffffffc0400081 module_enter+0x1 (module_x86.ko.zst)\n");
}

static void stripped_module_has_its_inlined_functions_elsewhere(void **state)
{
	(void)state;
	with_fixture("fixtures/dwarf/module-plain.ko");
	with_fixture("fixtures/dwarf");
	lined_module_is_named();
}

/* The build-id of fixtures/dwarf/vmlinux. */
static const char vmlinux_id[] = "\xc8\x7b\x7c\x67\xe1\x59\xe5\x31\x48\x6c"
                                 "\xe0\x5e\x75\x72\xac\xc5\x88\x05\xb8\xe8";

/* Of a boot that had moved it by 0x1f000000; the mapping says where one symbol was. */
static void vmlinux_is_moved(uint64_t reference, const char *path)
{
	opts.lines = true;
	with_fixture("fixtures/dwarf/vmlinux");
	put_file(reference, 0xffffffffa0001097 - reference, reference, vmlinux_id, path);
	put_sample(0xffffffffa0001020);
	put_sample(0xffffffffa0001096);
	open_profile();
	next_is("\tffffffffa0001020 thrice+0x20 (inlined)\n"
	        "\tffffffffa0001020 module_read+0x20 ([kernel.kallsyms])\n");
	next_is("\tffffffffa0001096 module_enter+0x16 ([kernel.kallsyms])\n");
}

static void vmlinux_is_moved_by_its_beginning(void **state)
{
	(void)state;
	vmlinux_is_moved(0xffffffffa0000000, "[kernel.kallsyms]_text");
}

static void vmlinux_is_moved_by_the_symbol_that_is_said(void **state)
{
	(void)state;
	vmlinux_is_moved(0xffffffffa0001000, "[kernel.kallsyms]_stext");
}

static void bpf_program_is_named_by_its_record(void **state)
{
	(void)state;
	put_ksymbol(0xffffffffc0400000, 0x80, "bpf_prog_6deef7357e7b4530_sd_devices");
	put_sample(0xffffffffc0400010);
	put_sample(0xffffffffc0400080);
	opts.sources = sources;
	with_text(saved);
	open_profile();
	next_is("\tffffffffc0400010 bpf_prog_6deef7357e7b4530_sd_devices+0x10 "
	        "(bpf_prog_6deef7357e7b4530_sd_devices)\n");
	next_is("\tffffffffc0400080 [unknown] ([unknown])\n");
}

static void a_perf_map_is_no_kallsyms(void **state)
{
	(void)state;
	assert_true(kallsyms_bid(str_of(saved)));
	assert_false(kallsyms_bid(STR("00007f0000000000 A one\n00007f0000000010 B two\n"
	                              "00007f0000000020 C three\n")));
	assert_false(kallsyms_bid(STR("7f0000000000 10 one\n")));
	assert_false(kallsyms_bid(STR("")));
}

static void put_chain(uint64_t ip, uint64_t caller)
{
	gen_open(&g, 9, KERNEL);
	gen_u64(&g, ip);
	gen_u32(&g, 42);
	gen_u32(&g, 43);
	gen_u64(&g, 1000);
	gen_u64(&g, 1);
	gen_u64(&g, 3);
	gen_u64(&g, (uint64_t)-128); /* PERF_CONTEXT_KERNEL */
	gen_u64(&g, ip);
	gen_u64(&g, caller);
	gen_close(&g);
}

static void frames_are(const char *first, const char *second)
{
	const char *text[] = { first, second };

	do
		assert_int_equal(profile_next(profile, &sample), 1);
	while (sample.ev->kind != EV_SAMPLE);
	assert_int_equal(sample.nframes, 2);
	for (size_t i = 0; i < 2; i++) {
		struct str lines = frame_lines(&run, profile, sample.frames[i]);

		if (!str_eq(lines, str_of(text[i])))
			fail_msg("'" PRSTR "'", STRARG(lines));
	}
}

/* A call may be the last instruction of a function. */
static void kernel_callers_are_looked_up_before_their_address(void **state)
{
	(void)state;
	with_text(saved);
	put_core(0, 0x123);
	put_chain(0xffffffff81000080, 0xffffffff81000080);
	put_chain(0xffffffff8100007f, 0xffffffff81000081);
	put_chain(0xffffffff81000040, 0xffffffff81000040);
	put_chain(0xffffffff8100003f, 0xffffffff81000041);
	open_profile();
	frames_are("\tffffffff81000080 do_syscall+0x0 ([kernel.kallsyms])\n",
	           "\tffffffff81000080 idle+0x40 ([kernel.kallsyms])\n");
	frames_are("\tffffffff8100007f idle+0x3f ([kernel.kallsyms])\n",
	           "\tffffffff81000081 do_syscall+0x1 ([kernel.kallsyms])\n");
	frames_are("\tffffffff81000040 idle+0x0 ([kernel.kallsyms])\n",
	           "\tffffffff81000040 _text+0x40 ([kernel.kallsyms])\n");
	frames_are("\tffffffff8100003f _text+0x3f ([kernel.kallsyms])\n",
	           "\tffffffff81000041 idle+0x1 ([kernel.kallsyms])\n");
}

/* Code that an interrupt enters was not called: its caller is the interrupted instruction. */
static void interrupted_functions_are_looked_up_at_their_address(void **state)
{
	static const char text[] = "ffffffff81000000 T _text\n"
	                           "ffffffff81000010 T __irqentry_text_start\n"
	                           "ffffffff81000010 T asm_interrupt\n"
	                           "ffffffff81000030 T __irqentry_text_end\n"
	                           "ffffffff81000030 T entry_syscall\n"
	                           "ffffffff81000040 t idle\n"
	                           "ffffffff81000080 t __pfx_do_syscall\n"
	                           "ffffffff81000090 W do_syscall\n"
	                           "ffffffff81000123 T _etext\n";

	(void)state;
	with_text(text);
	put_core(0, 0x123);
	put_chain(0xffffffff8100002f, 0xffffffff81000040);
	put_chain(0xffffffff81000030, 0xffffffff81000040);
	put_chain(0xffffffff81000010, 0xffffffff81000090);
	put_chain(0xffffffff81000041, 0xffffffff81000090);
	put_chain(0xffffffff81000041, 0xffffffff81000080);
	open_profile();
	frames_are("\tffffffff8100002f asm_interrupt+0x1f ([kernel.kallsyms])\n",
	           "\tffffffff81000040 idle+0x0 ([kernel.kallsyms])\n");
	frames_are("\tffffffff81000030 entry_syscall+0x0 ([kernel.kallsyms])\n",
	           "\tffffffff81000040 entry_syscall+0x10 ([kernel.kallsyms])\n");
	frames_are("\tffffffff81000010 asm_interrupt+0x0 ([kernel.kallsyms])\n",
	           "\tffffffff81000090 do_syscall+0x0 ([kernel.kallsyms])\n");
	frames_are("\tffffffff81000041 idle+0x1 ([kernel.kallsyms])\n",
	           "\tffffffff81000090 do_syscall+0x0 ([kernel.kallsyms])\n");
	frames_are("\tffffffff81000041 idle+0x1 ([kernel.kallsyms])\n",
	           "\tffffffff81000080 idle+0x40 ([kernel.kallsyms])\n");
}

/* The last page boundary before which a length is not the text's: perf before 5.0. */
static void length_that_ends_with_a_page_is_none(void **state)
{
	(void)state;
	with_text(saved);
	put_core(0, 0x1000);
	put_sample(0xffffffff81000041);
	open_profile();
	next_is("\tffffffff81000041 idle+0x1 ([kernel.kallsyms])\n");
	profile_close(profile);
	memset(&g, 0, sizeof(g));
	gen_start(&g, &clock_event, 1);
	put_core(0, 0x1001);
	put_sample(0xffffffff81000041);
	open_profile();
	next_is("\tffffffff81000041 [unknown] ([kernel.kallsyms])\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(saved_kallsyms_names_the_kernel, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(another_boot_has_the_kernel_elsewhere,
		                                enter, leave),
		cmocka_unit_test_setup_teardown(another_kernel_has_text_of_another_length,
		                                enter, leave),
		cmocka_unit_test_setup_teardown(without_a_length_the_address_must_agree,
		                                enter, leave),
		cmocka_unit_test_setup_teardown(hidden_addresses_name_nothing, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(kallsyms_names_modules_where_they_lay,
		                                enter, leave),
		cmocka_unit_test_setup_teardown(module_that_lay_elsewhere_is_not_named,
		                                enter, leave),
		cmocka_unit_test_setup_teardown(module_as_it_is, enter, leave),
		cmocka_unit_test_setup_teardown(module_packed_by_xz, enter, leave),
		cmocka_unit_test_setup_teardown(module_packed_by_zstd, enter, leave),
		cmocka_unit_test_setup_teardown(module_packed_by_gzip, enter, leave),
		cmocka_unit_test_setup_teardown(module_of_another_build_is_not_used,
		                                enter, leave),
		cmocka_unit_test_setup_teardown(module_tells_its_inlined_functions, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(
		        stripped_module_has_its_inlined_functions_elsewhere, enter,
		        leave),
		cmocka_unit_test_setup_teardown(
		        module_that_zstd_packed_is_known_by_its_file, enter, leave),
		cmocka_unit_test_setup_teardown(vmlinux_is_moved_by_its_beginning, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(
		        vmlinux_is_moved_by_the_symbol_that_is_said, enter, leave),
		cmocka_unit_test_setup_teardown(bpf_program_is_named_by_its_record, enter,
		                                leave),
		cmocka_unit_test(a_perf_map_is_no_kallsyms),
		cmocka_unit_test_setup_teardown(
		        kernel_callers_are_looked_up_before_their_address, enter, leave),
		cmocka_unit_test_setup_teardown(
		        interrupted_functions_are_looked_up_at_their_address, enter,
		        leave),
		cmocka_unit_test_setup_teardown(length_that_ends_with_a_page_is_none,
		                                enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
