/*
 * Which files of this machine name code.  A perf.data is made that maps a library as it is here:
 * one made fact after another then shows another boot, another build or another file.
 */
#include "image/host.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <linux/magic.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>

#include "base/diag.h"
#include "bind/bind.h"
#include "given.h"
#include "perfgen.h"
#include "symbol/profile.h"

enum { MIXED = 0x127, ID_ALL = 1 << 18, START = 0x400000, PAGE = 0x1000 };

static const struct gen_event clock_event = {
	.name = "cpu-clock", .type = 1, .sample_type = MIXED, .flags = ID_ALL, .id = 7
};

static struct arena run;
static struct diag diag;
static struct gen g;
static struct utsname own;
static struct str dir, library, data;

/* Where the code of the library is mapped: all of an ELF file, the text of a .NET image. */
static uint64_t file_off, length, func;

/* A fact of the recording; what is 0 or NULL is as on this machine. */
static struct made {
	const char *host, *release;
	uint64_t later_ns; /* the clock of the samples */
	uint64_t kernel;   /* load address; 0: no kernel was mapped */
	uint64_t ino;      /* to add */
	bool no_inode, no_header;
} made;

static void write_file(const char *path, struct str bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
	close(fd);
}

/* Writes another file to that path. */
static void replace(const char *fixture)
{
	struct str other = arena_fmt(&run, PRSTR "/other", STRARG(dir));

	write_file(other.p, file_bytes(&run, fixture));
	assert_int_equal(rename(other.p, library.p), 0);
}

/* The library is a file of that name, with the bytes of the fixture. */
static void begin(const char *name, const char *fixture)
{
	library = arena_fmt(&run, PRSTR "/%s", STRARG(dir), name);
	replace(fixture);
}

static int enter(void **state)
{
	const char *tmp = getenv("TMPDIR");
	struct statfs fs;

	(void)state;
	made = (struct made){ 0 };
	diag = (struct diag){ .prog = "host", .limit = 10 };
	dir = arena_fmt(&run, "%s/hostXXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp((char *)(uintptr_t)dir.p));
	data = arena_fmt(&run, PRSTR "/perf.data", STRARG(dir));
	setenv("HOME", dir.p, 1);
	begin("names.so", "fixtures/elf/names.so");
	file_off = 0;
	length = PAGE;
	func = 0x361;
	if (statfs(dir.p, &fs) || fs.f_type == OVERLAYFS_SUPER_MAGIC ||
	    fs.f_type == BTRFS_SUPER_MAGIC || uname(&own))
		skip();
	return 0;
}

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

static uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec + made.later_ns;
}

static void put_kernel(void)
{
	gen_open(&g, 1, 1);
	gen_u32(&g, UINT32_MAX);
	gen_u32(&g, 0);
	gen_u64(&g, made.kernel);
	gen_u64(&g, 0x1000);
	gen_u64(&g, made.kernel);
	gen_text(&g, "[kernel.kallsyms]_text");
	gen_trailer(&g, &clock_event, UINT32_MAX, 0, clock_ns());
	gen_close(&g);
}

static void put_library(void)
{
	struct stat sb = { 0 };

	assert_int_equal(stat(library.p, &sb), 0);
	gen_open(&g, 10, 2);
	gen_u32(&g, 42);
	gen_u32(&g, 42);
	gen_u64(&g, START);
	gen_u64(&g, length);
	gen_u64(&g, file_off);
	gen_u32(&g, made.no_inode ? 0 : major(sb.st_dev));
	gen_u32(&g, made.no_inode ? 0 : minor(sb.st_dev));
	gen_u64(&g, made.no_inode ? 0 : sb.st_ino + made.ino);
	gen_u64(&g, 0);
	gen_u32(&g, 5);
	gen_u32(&g, 0);
	gen_text(&g, library.p);
	gen_trailer(&g, &clock_event, 42, 42, clock_ns());
	gen_close(&g);
}

static void put_sample(void)
{
	gen_open(&g, 9, 2);
	gen_u64(&g, START + func);
	gen_u32(&g, 42);
	gen_u32(&g, 42);
	gen_u64(&g, clock_ns());
	gen_u64(&g, 1);
	gen_u64(&g, 2);
	gen_u64(&g, (uint64_t)-512); /* PERF_CONTEXT_USER */
	gen_u64(&g, START + func);
	gen_close(&g);
}

/* A file system notes times by ticks of some milliseconds. */
static void let_time_pass(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
}

static void record(void)
{
	let_time_pass();
	memset(&g, 0, sizeof(g));
	g.pipe = made.no_header;
	g.host = made.host ? made.host : own.nodename;
	g.release = made.release ? made.release : own.release;
	g.arch = own.machine;
	unlink(data.p);
	write_file(data.p, STR("PERFILE2"));
	gen_start(&g, &clock_event, 1);
	if (made.kernel)
		put_kernel();
	put_library();
	put_sample();
	write_file(data.p, gen_finish(&g));
}

/* Is the sample's function named?  What is reported has that part; NULL: not compared. */
static bool is_named(const char *said)
{
	struct profile_opts opts = { .input = data.p,
		                     .formats = READ_SAMPLES,
		                     .host = HOST_SAME_ID,
		                     .diag = &diag };
	struct profile *p = profile_open(&opts);
	struct sample s = { 0 };
	const char *heard_text;
	bool named;

	assert_non_null(p);
	hear();
	profile_learn(p);
	do
		assert_int_equal(profile_next(p, &s), 1);
	while (s.ev->kind != EV_SAMPLE);
	assert_int_equal(s.nframes, 1);
	named = profile_frame(p, s.frames[0].id)->names->func != 0;
	bind_report(profile_binder(p));
	heard_text = heard(&run);
	if (said && !strstr(heard_text, said))
		fail_msg("'%s' lacks '%s'", heard_text, said);
	profile_close(p);
	return named;
}

static struct metadata *no_assembly(void *ctx, struct str name, const unsigned char *mvid)
{
	(void)ctx;
	(void)name;
	(void)mvid;
	return NULL;
}

static void the_mapped_file_names_its_code(void **state)
{
	(void)state;
	record();
	assert_true(is_named(NULL));
}

static void a_copy_of_the_profile_names_the_same(void **state)
{
	struct str copy = arena_fmt(&run, PRSTR "/copy", STRARG(dir));

	(void)state;
	record();
	write_file(copy.p, file_bytes(&run, data.p));
	data = copy;
	assert_true(is_named(NULL));
}

static void another_host_or_kernel_names_nothing(void **state)
{
	(void)state;
	made.host = "elsewhere";
	record();
	assert_false(is_named("names.so: not used: the profile was recorded on a machine "
	                      "with another name"));
	made.host = NULL;
	made.release = "0.1";
	record();
	assert_false(is_named("another release of the kernel"));
}

/* Where this user may see the address of the kernel. */
static void another_load_address_is_another_boot(void **state)
{
	struct locator l;
	struct interner names;
	struct kallsyms kernel;

	(void)state;
	intern_init(&names, &run);
	locate_init(&l, &run, &names);
	host_kernel_place(&l, false, &kernel);
	if (!kernel.text)
		skip();
	made.kernel = kernel.text + 0x200000;
	record();
	assert_false(is_named("another load address"));
}

static void a_later_clock_is_another_boot(void **state)
{
	(void)state;
	made.later_ns = (uint64_t)1000000 * 1000000000;
	record();
	assert_false(is_named("later times than this machine's clock"));
}

static void a_replaced_library_names_nothing(void **state)
{
	(void)state;
	record();
	replace("fixtures/elf/moved.so");
	assert_false(is_named("another file was at its path"));
	/* Even with the same bytes; the number of the inode may be used again. */
	replace("fixtures/elf/names.so");
	assert_false(is_named("names.so: not used: "));
	made.ino = 1;
	record();
	assert_false(is_named("another file was at its path"));
}

static void a_rebuilt_library_names_nothing(void **state)
{
	(void)state;
	record();
	write_file(library.p, file_bytes(&run, "fixtures/elf/moved.so"));
	assert_false(is_named("changed after the recording began"));
}

/* perf record links files into ~/.debug, which changes their ctime. */
static void a_link_in_the_cache_of_perf_is_no_change(void **state)
{
	struct str kept = arena_fmt(&run, PRSTR "/.debug", STRARG(dir)), at;

	(void)state;
	assert_int_equal(mkdir(kept.p, 0700), 0);
	for (size_t i = 1; i <= library.n; i++)
		if (i == library.n || library.p[i] == '/') {
			at = arena_fmt(&run, PRSTR "%.*s", STRARG(kept), (int)i,
			               library.p);
			assert_int_equal(mkdir(at.p, 0700), 0);
		}
	let_time_pass();
	record();
	at = arena_fmt(&run, PRSTR PRSTR "/id", STRARG(kept), STRARG(library));
	assert_int_equal(mkdir(at.p, 0700), 0);
	at = arena_fmt(&run, PRSTR "/elf", STRARG(at));
	assert_int_equal(link(library.p, at.p), 0);
	assert_true(is_named(NULL));
	/* A file that cannot be read is not reported as changed. */
	kept = arena_fmt(&run, PRSTR "/elsewhere", STRARG(dir));
	assert_int_equal(rename(arena_fmt(&run, PRSTR "/.debug", STRARG(dir)).p, kept.p),
	                 0);
	assert_false(is_named("names.so: not used: it was changed after"));
	at = arena_fmt(&run, PRSTR "/.debug", STRARG(dir));
	assert_int_equal(symlink(".debug", at.p), 0);
	assert_false(is_named("names.so: not used: it was changed, or linked by perf"));
}

/* A ReadyToRun image, whose first method is sampled. */
static void begin_image(void)
{
	struct str bytes = file_bytes(&run, "fixtures/r2r/x64/calc10.dll");
	struct r2r *r;
	struct pe pe;
	uint64_t at;

	begin("calc10.dll", "fixtures/r2r/x64/calc10.dll");
	assert_true(pe_read(&pe, bytes));
	r = r2r_open(&pe, STR("calc10.dll"), &run, no_assembly, NULL);
	assert_non_null(r);
	assert_true(pe_file_off(&pe, r2r_range(r, 0).begin, &at));
	for (file_off = at & ~(uint64_t)(PAGE - 1); !pe_mapped_length(&pe, 0, file_off);)
		file_off -= PAGE;
	length = pe_mapped_length(&pe, 0, file_off);
	func = at - file_off;
}

static void a_dotnet_image_names_its_code(void **state)
{
	(void)state;
	begin_image();
	record();
	assert_true(is_named(NULL));
	made.host = "elsewhere";
	record();
	assert_false(
	        is_named("calc10.dll: not used: the profile was recorded on a machine"));
	made.host = NULL;
	made.later_ns = (uint64_t)1000000 * 1000000000;
	record();
	assert_false(is_named("later times than this machine's clock"));
}

static void another_dotnet_image_names_nothing(void **state)
{
	(void)state;
	begin_image();
	record();
	replace("fixtures/r2r/x64-v0/calc10.dll");
	assert_false(is_named("another file was at its path"));
	replace("fixtures/r2r/x64/calc10.dll");
	made.no_inode = true;
	record();
	assert_false(is_named(
	        "calc10.dll: not used: it is a file of this machine, and too few"));
	made.no_inode = false;
	record();
	write_file(library.p, file_bytes(&run, "fixtures/r2r/x64/calc10.dll"));
	assert_false(is_named("changed after the recording began"));
}

static void without_an_inode_calls_must_show_it(void **state)
{
	(void)state;
	made.no_inode = true;
	record();
	assert_false(
	        is_named("its inode cannot be compared, and too few return addresses"));
}

static void without_a_header_the_kernel_must_show_it(void **state)
{
	(void)state;
	made.no_header = true;
	record();
	assert_false(is_named("does not show that it was recorded on this machine"));
}

static void other_files_are_not_opened(void **state)
{
	(void)state;
	record();
	assert_int_equal(unlink(library.p), 0);
	assert_int_equal(mkfifo(library.p, 0600), 0);
	assert_false(is_named(NULL));
	assert_int_equal(unlink(library.p), 0);
	assert_int_equal(symlink("/dev/zero", library.p), 0);
	assert_false(is_named(NULL));
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(the_mapped_file_names_its_code),
		test(a_copy_of_the_profile_names_the_same),
		test(another_host_or_kernel_names_nothing),
		test(another_load_address_is_another_boot),
		test(a_later_clock_is_another_boot),
		test(a_replaced_library_names_nothing),
		test(a_rebuilt_library_names_nothing),
		test(a_link_in_the_cache_of_perf_is_no_change),
		test(a_dotnet_image_names_its_code),
		test(another_dotnet_image_names_nothing),
		test(without_an_inode_calls_must_show_it),
		test(without_a_header_the_kernel_must_show_it),
		test(other_files_are_not_opened),
	};

	return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
