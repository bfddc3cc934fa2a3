/* Which files are tried for native code, how many, and what is said of them. */
#include "cache/cache.h"
#include "image/host.h"
#include "nativemade.h"

static void files_that_are_not_used_are_said(void **state)
{
	struct natives *nt = session.binder->natives;
	const char *text;

	(void)state;
	add_elf(0, "x.so");
	add_elf(1, "y.so");
	for (size_t n = 1; n < 3; n++) {
		const struct item *it = &session.locator.item[n - 1];

		memset(&nt->remarked, 0, sizeof(nt->remarked));
		native_remark(session.binder, &nt->refused, it, "it is odd");
		memset(&nt->remarked, 0, sizeof(nt->remarked));
		native_remark(session.binder, &nt->no_alt, it, "alt.debug");
		memset(&nt->remarked, 0, sizeof(nt->remarked));
		native_remark(session.binder, &nt->unverified, it, NULL);
		session_hear();
		native_report(session.binder);
		text = session_said();
		if (n == 1)
			assert_string_equal(
			        text, "text: x.so: not used: it is odd\ntext: x.so: its "
			              ".gnu_debugaltlink alt.debug is not among the "
			              "sources\ntext: 1 ELF file used by name only, "
			              "because the recorded build is unknown: x.so\n");
		else
			assert_string_equal(
			        text,
			        "text: 2 files not used; x.so: it is odd\ntext: "
			        "x.so: its .gnu_debugaltlink alt.debug is not "
			        "among the sources, as are those of others\ntext: 2 ELF "
			        "files used by name only, because the recorded "
			        "build is unknown: x.so, ...\n");
	}
}

static struct str module_called(const char *path, const char *file)
{
	struct mapping m = { .path = name_of(path), .file = name_of(file) };

	return native_files_module(&session.locator, &m, &session.run);
}

static void modules_of_the_kernel_have_names(void **state)
{
	(void)state;
	assert_true(str_eq(module_called("[xfs]", ""), STR("xfs")));
	assert_true(str_eq(module_called("[a]", ""), STR("a")));
	assert_int_equal(module_called("[]", "").n, 0);
	assert_int_equal(module_called("[xfs", "").n, 0);
	assert_int_equal(module_called("xfs]", "").n, 0);
	assert_int_equal(module_called("[kernel]", "/x/a.ko").n, 0);
	assert_int_equal(module_called("[kernel.kallsyms]_text", "").n, 0);
	assert_int_equal(module_called("[guest.kernel.kallsyms]", "").n, 0);
	assert_true(str_eq(module_called("x", "/lib/a-b-c.ko.xz"), STR("a_b_c")));
	assert_int_equal(module_called("x", "/lib/.ko").n, 0);
	assert_int_equal(module_called("x", "/lib/a.so").n, 0);
}

/* Does find_kernel look at file?  It does at those that may be the kernel or the module. */
static bool is_looked_at(const char *file, const char *module)
{
	struct mapping m = { .path = name_of(module),
		             .build_id = STR("0123456789abcdef0123") };
	struct native_files out;

	add_elf(0, file)->build_id = STR("fedcba98765432100123");
	assert_false(native_files_find_kernel(&session.locator, &m, &session.run, &out));
	session.locator.n = 0;
	sources_made = 0;
	return out.refused != NULL;
}

static void files_of_the_kernel_are_known_by_their_names(void **state)
{
	(void)state;
	assert_true(is_looked_at("/x/vmlinux", "[kernel.kallsyms]"));
	assert_true(is_looked_at("/x/vmlinux.debug", "[kernel.kallsyms]"));
	assert_false(is_looked_at("/x/initrds", "[kernel.kallsyms]"));
	assert_false(is_looked_at("/x/vmlinu", "[kernel.kallsyms]"));
	assert_false(is_looked_at("/x/vmlinux.old", "[kernel.kallsyms]"));
	assert_true(is_looked_at("/x/cam-x86_64.ko.xz", "[cam_x86_64]"));
	assert_true(is_looked_at("/x/cam_x86-64.ko.zst", "[cam_x86_64]"));
	assert_true(is_looked_at("/x/cam_x86_64.ko.gz", "[cam_x86_64]"));
	assert_false(is_looked_at("/x/abc_defghi.ko", "[cam_x86_64]"));
	assert_false(is_looked_at("/x/cam_x86_65.ko", "[cam_x86_64]"));
}

/* n more files of that name, each of which is e; NULL: none can be read. */
static void add_others(size_t n, const char *name, struct elf *e)
{
	add_files(n, name, STR("\177ELF"));
	for (size_t i = session.locator.n - n; i < session.locator.n; i++) {
		session.locator.item[i].kind = ITEM_ELF;
		session.locator.item[i].opened = true;
		session.locator.item[i].elf = e;
	}
}

enum { SAME = 256 }; /* files of one name, or of one build-id, that are tried */

#define ID      "0123456789abcdef0123"
#define ID_PATH ".build-id/30/31323334353637383961626364656630313233.debug"

static struct native_files found_for(const struct mapping *m)
{
	struct native_files out;

	native_files_find(&session.locator, m, &session.run, &out);
	return out;
}

static void begin_again(void)
{
	session_over();
	session_made();
	memset(code, 0x90, sizeof(code));
}

/* The right one is tried last. */
static void images_of_one_name_are_tried(void **state)
{
	static struct elf bare = { .bare = true };

	(void)state;
	for (size_t n = SAME - 1; n <= SAME; n++) {
		begin_again();
		add_elf(0, "x.so");
		add_others(n, "x.so", &bare);
		assert_int_equal(found_for(mapped(SIZE, 0)).image != NULL, n < SAME);
	}
}

static void images_of_one_build_id_are_tried(void **state)
{
	static struct elf bare = { .bare = true, .build_id = STR(ID) };

	(void)state;
	for (size_t n = SAME - 1; n <= SAME; n++) {
		struct mapping m;

		begin_again();
		m = *mapped(SIZE, 0);
		m.build_id = STR(ID);
		add_elf(0, ID_PATH)->build_id = STR(ID);
		add_others(n, ID_PATH, &bare);
		assert_int_equal(found_for(&m).image != NULL, n < SAME);
	}
}

/* An image without symbols, and files that may be its debug file. */
static bool has_debug_behind(size_t n, const char *name)
{
	static struct elf other = { .bare = true, .build_id = STR(ID) };
	struct mapping m;
	struct elf *debug;

	begin_again();
	m = *mapped(SIZE, 0);
	m.build_id = STR(ID);
	debug = add_elf(1, name);
	debug->build_id = STR(ID);
	debug->bare = true;
	add_others(n, name, &other);
	add_elf(0, "x.so")->build_id = STR(ID);
	elf[0].has_dwarf = elf[0].has_symtab = false;
	return found_for(&m).debug != NULL;
}

static void debug_files_are_tried(void **state)
{
	(void)state;
	assert_true(has_debug_behind(SAME - 1, ID_PATH));
	assert_false(has_debug_behind(SAME, ID_PATH));
	assert_true(has_debug_behind(SAME - 1, "x.so.debug"));
}

/* The build-id finds the file of parts that dwz moved, whatever its name. */
static bool has_alt_behind(size_t n, const char *name)
{
	static struct elf other = { .build_id = STR("another") };
	struct native_files out;

	begin_again();
	add_elf(1, name)->build_id = STR(ID);
	add_others(n, name, &other);
	add_elf(0, "x.so")->alt_link = STR("/usr/lib/common.debug");
	elf[0].alt_id = STR(ID);
	out = found_for(mapped(SIZE, 0));
	if (out.alt)
		assert_ptr_equal(out.alt->elf, &elf[1]);
	assert_int_equal(out.no_alt.n != 0, !out.alt);
	return out.alt != NULL;
}

static void shared_debug_files_are_tried(void **state)
{
	(void)state;
	assert_true(has_alt_behind(0, "common.debug"));
	assert_true(has_alt_behind(SAME - 1, "common.debug"));
	assert_false(has_alt_behind(SAME, "common.debug"));
	assert_true(has_alt_behind(0, ID_PATH));
	assert_true(has_alt_behind(SAME - 1, ID_PATH));
	assert_false(has_alt_behind(SAME, ID_PATH));
	assert_false(has_alt_behind(0, "other.debug"));
}

/* Files called like the kernel are tried in their order. */
static bool has_kernel_behind(size_t n)
{
	struct mapping m = { .build_id = STR(ID) };
	struct native_files out;

	begin_again();
	m.path = name_of("[kernel.kallsyms]");
	add_others(n, "vmlinux", NULL);
	add_elf(0, "vmlinux.debug")->build_id = STR(ID);
	return native_files_find_kernel(&session.locator, &m, &session.run, &out);
}

static void kernels_are_tried(void **state)
{
	(void)state;
	assert_true(has_kernel_behind(SAME - 1));
}

/* A build-id says enough: what was sampled there is not asked for, but for files of -m. */
static void only_what_decides_is_noted(void **state)
{
	struct mapping m = *mapped(SIZE, 0), dll;

	(void)state;
	add_elf(0, "x.so");
	bind_note(session.binder, &m, PID, start + 1, false, false);
	assert_int_equal(session.binder->sampled->ncode, 1);
	m.path = name_of("/app/missing.so");
	m.id = 99;
	bind_note(session.binder, &m, PID, start + 1, false, false);
	assert_int_equal(session.binder->sampled->ncode, 1);
	m.path = name_of(lib);
	m.build_id = STR(ID);
	m.id = 100;
	bind_note(session.binder, &m, PID, start + 2, false, false);
	assert_int_equal(session.binder->sampled->ncode, 1);
	dll = m;
	dll.id = 101;
	dll.path = name_of("/app/x.dll");
	bind_note(session.binder, &dll, PID, start + 3, false, false);
	assert_int_equal(session.binder->sampled->ncode, 2);
	m.id = 102;
	m.assumed = true;
	bind_note(session.binder, &m, PID, start + 4, false, false);
	assert_int_equal(session.binder->sampled->ncode, 3);
	m.id = 103;
	m.assumed = false;
	m.kind = MAPPED_ANON;
	bind_note(session.binder, &m, PID, start + 5, false, false);
	assert_int_equal(bind_sampled(session.binder)->njit, 1);
}

static void build_id_of_a_file_that_is_given_does_not_suffice(void **state)
{
	struct mapping m = *mapped(SIZE, 0);

	(void)state;
	add_one(0, "/home/me/x", true);
	m.build_id = STR(ID);
	bind_note(session.binder, &m, PID, start + 2, false, false);
	assert_int_equal(session.binder->sampled->ncode, 1);
}

static void build_id_of_a_program_with_images_does_not_suffice(void **state)
{
	struct mapping m = *mapped(SIZE, 0);

	(void)state;
	add_elf(0, "x.so");
	session.locator.item[0].program = true;
	m.build_id = STR(ID);
	bind_note(session.binder, &m, PID, start + 2, false, false);
	assert_int_equal(session.binder->sampled->ncode, 1);
}

static void damaged_dwarf_is_not_kept(void **state)
{
	const char *tmp = getenv("TMPDIR");
	struct str dir = arena_fmt(&session.run, "%s/cacheXXXXXX", tmp ? tmp : "/tmp");
	struct cache cache = { 0 };

	(void)state;
	add_elf(0, "x.so");
	native_add(session.binder,
	           &(struct native_files){ .image = &session.locator.item[0] });
	session.binder->natives->native[0].cached = true;
	assert_non_null(mkdtemp((char *)(uintptr_t)dir.p));
	assert_true(cache_open(&cache, dir.p, 1 << 20));
	session.locator.cache = &cache;
	bind_close(session.binder);
	session.locator.cache = NULL;
	cache_close(&cache);
}

/* A copy of a fixture below dir, whose directories are made. */
static void keep(struct str dir, const char *path, const char *fixture)
{
	struct str bytes = file_bytes(&session.run, fixture);
	struct str full = arena_fmt(&session.run, PRSTR "/%s", STRARG(dir), path);
	char *p = (char *)(uintptr_t)full.p;
	int fd;

	for (size_t i = 1; i < full.n; i++)
		if (p[i] == '/') {
			p[i] = '\0';
			mkdir(p, 0700);
			p[i] = '/';
		}
	fd = open(p, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
	close(fd);
}

#define NAMES_ID                                                                         \
	"\xa0\x70\x49\xf9\x07\x5d\x6f\xac\x7a\x7e"                                       \
	"\x08\x88\x6c\x25\xce\x4b\x2e\x8c\x54\x85"

/* Finds files of this machine by build-id, at path below the directory that variable names. */
static struct native_files host_has_it(const char *variable, const char *path,
                                       const char *fixture)
{
	static const char *const all[] = { "HOME", "XDG_CACHE_HOME",
		                           "DEBUGINFOD_CACHE_PATH" };
	const struct source_opts source = { .run = &session.run, .diag = &diag };
	const char *tmp = getenv("TMPDIR");
	struct native_files out;
	struct mapping m;
	struct str dir;

	begin_again();
	dir = arena_fmt(&session.run, "%s/hostXXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp((char *)(uintptr_t)dir.p));
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		unsetenv(all[i]);
	setenv(variable, dir.p, 1);
	keep(dir, path, fixture);
	host_use(&session.locator, HOST_SAME_ID, &source);
	m = (struct mapping){ .path = name_of("/nowhere/names.so"),
		              .first = start,
		              .last = start + 0x1000,
		              .bias = start };
	m.build_id = STR(NAMES_ID);
	native_files_find(&session.locator, &m, &session.run, &out);
	return out;
}

#define NAMES "7049f9075d6fac7a7e08886c25ce4b2e8c5485"

static void perf_keeps_files_at_home(void **state)
{
	(void)state;
	assert_non_null(host_has_it("HOME", ".debug/.build-id/a0/" NAMES "/elf",
	                            "fixtures/elf/stripped.so")
	                        .image);
	assert_non_null(host_has_it("HOME", ".debug/.build-id/a0/" NAMES "/debug",
	                            "fixtures/elf/names.debug")
	                        .debug);
	assert_null(host_has_it("HOME", ".debug/.build-id/a0/" NAMES "/elf",
	                        "fixtures/elf/stubs-ibt.so")
	                    .image);
	assert_null(host_has_it("HOME", ".debug/.build-id/70/" NAMES "/elf",
	                        "fixtures/elf/stripped.so")
	                    .image);
}

/* The file at the path is stripped, and what perf kept is not. */
static void the_best_file_of_a_build_id_names_it(void **state)
{
	static const char kept[] = ".debug/.build-id/a0/" NAMES "/elf";
	const struct source_opts source = { .run = &session.run, .diag = &diag };
	const char *tmp = getenv("TMPDIR");
	struct native_files out;
	struct mapping m;
	struct str dir;

	(void)state;
	dir = arena_fmt(&session.run, "%s/bestXXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp((char *)(uintptr_t)dir.p));
	setenv("HOME", dir.p, 1);
	keep(dir, "names.so", "fixtures/elf/stripped.so");
	keep(dir, kept, "fixtures/elf/names.so");
	host_use(&session.locator, HOST_SAME_ID, &source);
	m = (struct mapping){
		.first = start, .last = start + 0x1000, .bias = start, .pid = -1
	};
	m.path = name_of(arena_fmt(&session.run, PRSTR "/names.so", STRARG(dir)).p);
	m.build_id = STR(NAMES_ID);
	assert_true(native_files_find(&session.locator, &m, &session.run, &out));
	assert_true(str_ends(out.image->name, STR("/names.so")));
	assert_non_null(out.debug);
	assert_true(str_ends(out.debug->name, STR(NAMES "/elf")));
	/* Another build that was kept under the id is not used. */
	begin_again();
	dir = str_of(getenv("HOME"));
	keep(dir, kept, "fixtures/elf/moved.so");
	host_use(&session.locator, HOST_SAME_ID, &source);
	m.path = name_of(arena_fmt(&session.run, PRSTR "/names.so", STRARG(dir)).p);
	assert_true(native_files_find(&session.locator, &m, &session.run, &out));
	assert_null(out.debug);
}

static void debuginfod_keeps_debug_files(void **state)
{
	static const char debug[] = "fixtures/elf/names.debug";

	(void)state;
	assert_non_null(
	        host_has_it("DEBUGINFOD_CACHE_PATH", "a0" NAMES "/debuginfo", debug)
	                .debug);
	assert_non_null(host_has_it("XDG_CACHE_HOME",
	                            "debuginfod_client/a0" NAMES "/debuginfo", debug)
	                        .debug);
	assert_non_null(host_has_it("HOME",
	                            ".cache/debuginfod_client/a0" NAMES "/debuginfo",
	                            debug)
	                        .debug);
	assert_null(host_has_it("HOME", "debuginfod_client/a0" NAMES "/debuginfo", debug)
	                    .debug);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(files_that_are_not_used_are_said),
		test(modules_of_the_kernel_have_names),
		test(files_of_the_kernel_are_known_by_their_names),
		test(images_of_one_name_are_tried),
		test(images_of_one_build_id_are_tried),
		test(debug_files_are_tried),
		test(shared_debug_files_are_tried),
		test(kernels_are_tried),
		test(only_what_decides_is_noted),
		test(build_id_of_a_file_that_is_given_does_not_suffice),
		test(build_id_of_a_program_with_images_does_not_suffice),
		test(damaged_dwarf_is_not_kept),
		test(perf_keeps_files_at_home),
		test(debuginfod_keeps_debug_files),
		test(the_best_file_of_a_build_id_names_it),
	};

	return cmocka_run_group_tests_name("native_files", tests, NULL, NULL);
}
