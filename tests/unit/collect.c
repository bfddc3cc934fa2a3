/* What the collector reads of a process, and the child that opens files for it. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "collect/attach.h"
#include "collect/code_files.h"
#include "collect/diagnostic.h"
#include "collect/opener.h"
#include "collect/pack.h"
#include "collect/runtime.h"
#include "collect/target.h"
#include "collect/work_file.h"

static struct arena run;

#define is(got, text) assert_true(str_eq(got, STR(text)))

static void rights_are_four_of_each(void **state)
{
	const struct str status =
	        STR("Name:\tUid: 0 0 0 0\nUid:\t1\t2\t3\t4294967295\n"
	            "Gid:\t5\t6\t7\t8\nGroups:\t5 20 1000 \nCapEff:\t1ff\n");
	struct rights r, other;

	(void)state;
	assert_true(rights_read(&r, status, &run));
	assert_int_equal(r.uid[0], 1);
	assert_int_equal(r.uid[3], UINT32_MAX);
	assert_int_equal(r.gid[1], 6);
	assert_int_equal(r.ngroups, 3);
	assert_int_equal(r.group[2], 1000);
	assert_true(rights_read(
	        &other, STR("Uid:\t1\t2\t3\t4294967295\nGid:\t5\t6\t7\t8\nGroups:\t\n"),
	        &run));
	assert_int_equal(other.ngroups, 0);
	assert_false(rights_equal(&r, &other));
	assert_true(rights_equal(&r, &r));
	assert_true(rights_differ(&r, 3));
	other.uid[2] = other.uid[1];
	other.gid[2] = other.gid[1];
	assert_false(rights_differ(&other, 2));
}

static void bad_rights_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"Uid:\t1\t2\t3\t4\nGid:\t1\t2\t3\t4\n",
		"Uid:\t1\t2\t3\nGid:\t1\t2\t3\t4\nGroups:\t\n",
		"Uid:\t1\t2\t3\t4294967296\nGid:\t1\t2\t3\t4\nGroups:\t\n",
		"Uid:\t1\t2\t3\t-4\nGid:\t1\t2\t3\t4\nGroups:\t\n",
		"Uid:\t1\t2\t3\t4\t5\nGid:\t1\t2\t3\t4\nGroups:\t\n",
		"Uid:\t1\t2\t3\t4\nGid:\t1\t2\t3\t4\nGroups:\t1 x\n",
	};
	struct rights r;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(rights_read(&r, str_of(bad[i]), &run));
}

static void files_with_code_are_wanted(void **state)
{
	const struct str maps =
	        STR("1000-2000 r--p 00000000 08:01 7 /usr/bin/app\n"
	            "2000-5000 r-xp 00001000 08:01 7 /usr/bin/app\n"
	            "6000-7000 r--p 00000000 08:01 8 /usr/share/zone info\n"
	            "7000-8000 r--p 00000000 08:01 9 /srv/App.DLL (deleted)\n"
	            "8000-9000 r-xp 00000000 00:01 3 /memfd:doublemapper (deleted)\n"
	            "9000-a000 r-xp 00000000 00:01 3 /dev/zero\n"
	            "not a mapping\n"
	            "a000-b000 r--p 00000000 08:01 5 /tmp/jit-7.dump\n"
	            "b000-c000 r-xp 00000000 00:00 0 \n"
	            "7ffd000-7fff000 r-xp 00000000 00:00 0 [vdso]\n");
	struct code_files f;

	(void)state;
	code_files_read(&f, maps, &run);
	assert_int_equal(f.n, 4);
	is(f.file[0].path, "/usr/bin/app");
	assert_true(f.file[0].wanted);
	assert_int_equal(f.file[0].start, 0x1000);
	assert_int_equal(f.file[0].end, 0x2000);
	assert_false(f.file[1].wanted);
	is(f.file[2].path, "/srv/App.DLL");
	assert_true(f.file[2].wanted && f.file[2].deleted);
	assert_true(f.file[3].wanted);
	assert_int_equal(f.vdso, 0x7ffd000);
	assert_int_equal(f.vdso_end, 0x7fff000);
}

static void names_of_members_stay_inside(void **state)
{
	(void)state;
	assert_true(code_files_is_plain(STR("/a/..b/c")));
	assert_false(code_files_is_plain(STR("a/b")));
	assert_false(code_files_is_plain(STR("/a/../b")));
	assert_false(code_files_is_plain(STR("/a/..")));
	assert_false(code_files_is_plain(STR("/a\\012b")));
	assert_false(code_files_is_plain(STR("/a\nb")));
	assert_true(code_files_is_jitdump(STR("/tmp/jit-1.dump")));
	assert_false(code_files_is_jitdump(STR("/tmp/jit-.dump")));
	assert_false(code_files_is_jitdump(STR("/tmp/jit-1.dump.gz")));
}

static void folders_come_from_variables(void **state)
{
	struct str out[RUNTIME_FOLDERS], many = { 0 };
	const struct str variables =
	        STR("A=TMPDIR=/x\0TMPDIR=/a b/*\0TMPDIR=rel\0TMPDIR=\0"
	            "DOTNET_PerfMapJitDumpPath=/maps//\0TMPDIRS=/y\0"
	            "COMPlus_PerfMapJitDumpPath=/tmp/");

	(void)state;
	assert_int_equal(runtime_folders(variables, out), 3);
	is(out[0], "/tmp");
	is(out[1], "/a b/*");
	is(out[2], "/maps");
	for (int i = 0; i < 100; i++)
		many = arena_fmt(&run, PRSTR "TMPDIR=/%d\n", STRARG(many), i);
	for (size_t i = 0; i < many.n; i++)
		if (many.p[i] == '\n')
			((char *)(uintptr_t)many.p)[i] = '\0';
	assert_int_equal(runtime_folders(many, out), RUNTIME_FOLDERS);
}

static bool advises(const char *maps, struct str variables, const char *text)
{
	struct str got = runtime_advice(7, variables, str_of(maps), &run);

	return *text ? str_search(got, str_of(text)) < got.n : !got.n;
}

static void runtimes_get_advice(void **state)
{
	const char *net = "1-2 r-xp 0 0:0 1 /x/libcoreclr.so\n";

	(void)state;
	assert_true(advises(net, STR("A=1"), "start it with DOTNET_PerfMapEnabled=1"));
	assert_true(advises(net, STR("DOTNET_PerfMapEnabled=0"), "start it with"));
	assert_true(
	        advises(net, STR("B\0COMPlus_PerfMapEnabled=03"), "perf maps enabled"));
	assert_true(advises("/x/libjvm.so\n", STR("A=1"), "jcmd 7 Compiler.perfmap"));
	assert_true(advises("/bin/node\n", STR("A=1"), "--perf-basic-prof"));
	assert_true(advises("1-2 r-xp 0 0:0 1 /opt/node-20\n", STR("A=1"), "Node.js"));
	assert_true(advises("/bin/python3.11\n", STR("A=1"), "python3 -X perf"));
	assert_true(advises("/bin/python3.11\n/x/node\n", STR("A=1"), "basic-prof"));
	assert_true(advises("/usr/bin/ruby\n", STR("A=1"), "--yjit-perf"));
	assert_true(advises("/usr/bin/php8.2\n", STR("A=1"), "opcache.jit_debug"));
	assert_true(runtime_needs_map(STR("A=1"), STR("/bin/node\n")));
	assert_false(runtime_needs_map(STR("A=1"), STR("/bin/python3.11\n")));
	assert_true(advises("/bin/nodes\n", STR("A=1"), ""));
	assert_true(advises("/bin/sh\n", STR(""), "perf map not found"));
}

static void messages_of_dotnet(void **state)
{
	static const char off[] = "DOTNET_IPC_V1\0\x14\0\x04\x06\0",
	                  on[] = "DOTNET_IPC_V1\0\x18\0\x04\x05\0\0\x03\0\0",
	                  done[] = "DOTNET_IPC_V1\0\x1c\0\xff\0\0\0\x07\0\0\0\0\0\0",
	                  refused[] = "DOTNET_IPC_V1\0\x18\0\xff\xff\0\0\x85\x13\x13\x80";
	struct str got = diagnostic_perf_map(true, &run);
	struct diagnostic_reply reply;

	(void)state;
	/* The NUL at the end of a literal is the last byte. */
	assert_int_equal(got.n, 24);
	assert_memory_equal(got.p, on, sizeof(on));
	got = diagnostic_perf_map(false, &run);
	assert_int_equal(got.n, 20);
	assert_memory_equal(got.p, off, sizeof(off));
	assert_true(diagnostic_read(&reply, (struct str){ done, sizeof(done) }));
	assert_true(reply.done && reply.session == 7 && reply.n == sizeof(done));
	assert_false(diagnostic_read(&reply, (struct str){ done, sizeof(done) - 1 }));
	assert_true(
	        diagnostic_read(&reply, (struct str){ refused, sizeof(refused) - 1 }));
	assert_true(!reply.done && reply.error == DIAGNOSTIC_UNKNOWN);
	assert_false(diagnostic_read(&reply, (struct str){ on, sizeof(on) }));
}

static void a_session_is_stopped(void **state)
{
	static const char named[] = "DOTNET_IPC_V1\0\x1c\0\xff\0\0\0\x07\0\0\0\0\0\x01",
	                  stop[] = "DOTNET_IPC_V1\0\x1c\0\x02\x01\0\0\x07\0\0\0\0\0\x01";
	struct str got = diagnostic_trace(true, &run),
	           old = diagnostic_trace(false, &run);
	char to[64];

	(void)state;
	/* Head, buffer, format, rundown, providers; keywords, level, name, filter. */
	assert_int_equal(got.n, 20 + 4 + 4 + 1 + 4 + 8 + 4 + 4 + 2 * 32 + 4);
	assert_int_equal(got.p[14], got.n);
	assert_int_equal(got.p[17], 3);
	assert_int_equal(old.n, got.n - 1);
	assert_int_equal(old.p[17], 2);
	assert_memory_equal(old.p + 28, got.p + 29, 16);
	assert_int_equal(
	        diagnostic_stop(to, sizeof(to), (struct str){ named, sizeof(named) }),
	        sizeof(stop));
	assert_memory_equal(to, stop, sizeof(stop));
	assert_int_equal(diagnostic_stop(to, 27, (struct str){ named, sizeof(named) }),
	                 0);
	assert_int_equal(diagnostic_stop(to, sizeof(to), (struct str){ named, 27 }), 0);
	assert_int_equal(diagnostic_stop(to, sizeof(to), old), 0);
}

static void messages_of_hotspot(void **state)
{
	static const char perf_map[] = "1\0jcmd\0Compiler.perfmap\0\0";
	struct str got = attach_perf_map();
	struct attach_reply reply;

	(void)state;
	assert_int_equal(got.n, sizeof(perf_map));
	assert_memory_equal(got.p, perf_map, sizeof(perf_map));
	assert_true(attach_read(&reply, STR("0\n")) && reply.done);
	assert_true(attach_read(&reply, STR("-1\nx: Unknown diagnostic command\nb")));
	assert_true(!reply.done && reply.unknown);
	is(reply.text, "x: Unknown diagnostic command");
	assert_true(attach_read(&reply, STR("101\n")) && !reply.done && !reply.unknown);
	assert_false(attach_read(&reply, STR("0")));
	assert_false(attach_read(&reply, STR("\n")));
	assert_false(attach_read(&reply, STR("0 \n")));
}

static void runtimes_are_known(void **state)
{
	const struct str variables = STR("COMPlus_A=1\0B=\0DOTNET_A=2");

	(void)state;
	assert_int_equal(runtime_kind(STR("/x/libcoreclr.so\n")), RUNTIME_DOTNET);
	assert_int_equal(runtime_kind(STR("/memfd:doublemapper (deleted)\n")),
	                 RUNTIME_DOTNET);
	assert_int_equal(runtime_kind(STR("/x/libjvm.so\n")), RUNTIME_HOTSPOT);
	assert_int_equal(runtime_kind(STR("/x/libjvm.so\n/x/libj9jit29.so\n")),
	                 RUNTIME_OTHER);
	is(runtime_variable(variables, "DOTNET_A", "COMPlus_A"), "2");
	is(runtime_variable(variables, "DOTNET_C", "COMPlus_A"), "1");
	assert_non_null(runtime_variable(variables, "B", "").p);
	assert_null(runtime_variable(variables, "C", "").p);
}

struct opened {
	struct target target;
	int work;
};

static int begin(void **state)
{
	struct opened *o = arena_new(&run, struct opened, 1);

	*state = o;
	o->work = work_file_open();
	if (o->work < 0 || target_open(&o->target, (int32_t)getpid()) < 0)
		return -1;
	return target_save(&o->target, o->work, &run);
}

static int end(void **state)
{
	struct opened *o = *state;

	target_close(&o->target);
	close(o->work);
	return 0;
}

static struct opener_file take(struct opened *o, const char *path, uint64_t limit)
{
	struct opener_request what = { .verb = OPENER_PATH, .limit = limit };

	snprintf(what.path, sizeof(what.path), "%s", path);
	return opener_take(&o->target.opener, &what, -1, o->work);
}

static char *made(const char *name, size_t bytes)
{
	static char path[PATH_MAX];
	const char *dir = getenv("TMPDIR");
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir ? dir : "/tmp", name);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	assert_true(fd >= 0 && ftruncate(fd, (off_t)bytes) == 0);
	close(fd);
	return path;
}

static void a_file_is_read_to_its_end(void **state)
{
	const char *path = made("file", 200000);
	struct opener_file file = take(*state, path, 200000);

	assert_int_equal(file.end, OPENER_TAKEN);
	assert_int_equal(file.n, 200000);
	assert_int_equal(work_file_bytes(((struct opened *)*state)->work, 200000, &run).n,
	                 200000);
	unlink(path);
}

static void a_limit_is_kept(void **state)
{
	const char *path = made("file", 200000);

	assert_int_equal(take(*state, path, 199999).end, OPENER_LARGE);
	unlink(path);
	/* It states no size, and has more than a byte. */
	assert_int_equal(take(*state, "/proc/version", 1).end, OPENER_GREW);
	assert_int_equal(take(*state, "/proc/version", 1).n, 1);
}

static void only_regular_files_are_opened(void **state)
{
	const char *path = made("file", 0);

	unlink(path);
	assert_int_equal(mkfifo(path, 0644), 0);
	assert_int_equal(take(*state, path, 10).end, OPENER_IRREGULAR);
	unlink(path);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_int_equal(take(*state, path, 1 << 20).end, OPENER_IRREGULAR);
	unlink(path);
	assert_int_equal(take(*state, "/dev/null", 10).end, OPENER_IRREGULAR);
	assert_int_equal(take(*state, "/", 10).end, OPENER_IRREGULAR);
	assert_int_equal(take(*state, path, 10).end, OPENER_ERROR);
}

static void names_are_listed(void **state)
{
	struct opener_request what = { .verb = OPENER_LIST,
		                       .limit = 1 << 20,
		                       .prefix = "sta",
		                       .suffix = "us",
		                       .path = "/proc/self" };
	struct opened *o = *state;
	struct opener_file file;

	snprintf(what.path, sizeof(what.path), "/proc/%d", (int)getpid());
	file = opener_take(&o->target.opener, &what, -1, o->work);
	assert_int_equal(file.end, OPENER_TAKEN);
	assert_true(str_eq(work_file_bytes(o->work, 1 << 20, &run),
	                   (struct str){ "status", 7 }));
}

static void a_process_has_a_beginning_and_signals(void **state)
{
	const struct opened *o = *state;

	assert_true(target_began(&o->target, &run) > 0);
	assert_false(target_catches(&o->target, SIGQUIT, &run));
	signal(SIGQUIT, exit);
	assert_true(target_catches(&o->target, SIGQUIT, &run));
	signal(SIGQUIT, SIG_DFL);
}

static void a_file_is_removed(void **state)
{
	struct opened *o = *state;
	struct opener_request what = { .verb = OPENER_REMOVE };
	const char *path = made("removed", 1);

	snprintf(what.path, sizeof(what.path), "%s", path);
	assert_int_equal(opener_take(&o->target.opener, &what, -1, o->work).end,
	                 OPENER_TAKEN);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_int_equal(opener_take(&o->target.opener, &what, -1, o->work).error,
	                 ENOENT);
}

static void a_member_counts_once_and_has_room(void **state)
{
	struct out *out = arena_new(&run, struct out, 1);
	struct pack pack;

	(void)state;
	out_open(out, "/dev/null", open("/dev/null", O_WRONLY));
	assert_true(out->fd >= 0);
	assert_int_equal(pack_open(&pack, out, 10000, &run), 0);
	assert_false(pack_holds(&pack, STR("a")));
	assert_int_equal(pack_bytes(&pack, STR("a"), STR("bytes")), PACK_DONE);
	assert_true(pack_holds(&pack, STR("a")));
	assert_int_equal(
	        pack_bytes(&pack, STR("b"), (struct str){ (char *)out->buf, 9000 }),
	        PACK_FULL);
	assert_false(pack_holds(&pack, STR("b")));
	assert_int_equal(pack_bytes(&pack, STR("c"), STR("bytes")), PACK_DONE);
	assert_int_equal(pack_close(&pack), 0);
	out_close(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rights_are_four_of_each),
		cmocka_unit_test(bad_rights_are_refused),
		cmocka_unit_test(files_with_code_are_wanted),
		cmocka_unit_test(names_of_members_stay_inside),
		cmocka_unit_test(folders_come_from_variables),
		cmocka_unit_test(runtimes_get_advice),
		cmocka_unit_test(runtimes_are_known),
		cmocka_unit_test(messages_of_dotnet),
		cmocka_unit_test(a_session_is_stopped),
		cmocka_unit_test(messages_of_hotspot),
		cmocka_unit_test_setup_teardown(a_file_is_read_to_its_end, begin, end),
		cmocka_unit_test_setup_teardown(a_limit_is_kept, begin, end),
		cmocka_unit_test_setup_teardown(only_regular_files_are_opened, begin,
		                                end),
		cmocka_unit_test_setup_teardown(names_are_listed, begin, end),
		cmocka_unit_test_setup_teardown(a_process_has_a_beginning_and_signals,
		                                begin, end),
		cmocka_unit_test_setup_teardown(a_file_is_removed, begin, end),
		cmocka_unit_test(a_member_counts_once_and_has_room),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	arena_release(&run);
	return failed;
}
