/* The programs for seccomp, interpreted for every number on each of the three processors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/calls.h"
#include "base/str.h"

enum { PID = 4711, CHANNEL = 5 };

static const struct calls_limits limits = { PID, CHANNEL, false };

static const struct {
	uint32_t arch;
	bool big_endian;
} cpus[CALLS_CPUS] = {
	[CALLS_X86_64] = { AUDIT_ARCH_X86_64, false },
	[CALLS_ARM64] = { AUDIT_ARCH_AARCH64, false },
	[CALLS_S390X] = { AUDIT_ARCH_S390X, true },
};

/* A word of struct seccomp_data as that processor lays it out. */
static uint32_t load(uint32_t at, enum calls_cpu cpu, int number, const uint64_t *args)
{
	bool second = at % 8 != 0;

	if (at == offsetof(struct seccomp_data, nr))
		return (uint32_t)number;
	if (at == offsetof(struct seccomp_data, arch))
		return cpus[cpu].arch;
	assert_true(at >= 16 && at < 64 && at % 4 == 0);
	return (uint32_t)(args[at / 8 - 2] >> (second == cpus[cpu].big_endian ? 0 : 32));
}

/* The action of a program.  Jumps lead forward, and inside it. */
static uint32_t interpret(const struct sock_filter *f, size_t n, enum calls_cpu cpu,
                          int number, const uint64_t *args)
{
	uint32_t a = 0;

	for (size_t i = 0; i < n; i++) {
		const struct sock_filter *s = &f[i];

		switch (s->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			a = load(s->k, cpu, number, args);
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= s->k;
			break;
		case BPF_JMP | BPF_JA:
			i += s->k;
			break;
		case BPF_JMP | BPF_JEQ | BPF_K:
			i += a == s->k ? s->jt : s->jf;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			i += a >= s->k ? s->jt : s->jf;
			break;
		case BPF_RET | BPF_K:
			return s->k;
		default:
			fail_msg("instruction %x", s->code);
		}
	}
	fail_msg("the program has no end");
	return 0;
}

enum { DENIED = SECCOMP_RET_ERRNO | EPERM, MISSING = SECCOMP_RET_ERRNO | ENOSYS };

static uint32_t action(enum calls_cpu cpu, int number, uint64_t a, uint64_t b, uint64_t c)
{
	struct sock_filter f[CALLS_MOST];
	size_t n = calls_program(cpu, &limits, f);

	assert_true(n < CALLS_MOST);
	return interpret(f, n, cpu, number, (uint64_t[6]){ a, b, c });
}

static const struct calls_call *with_number(enum calls_cpu cpu, int number)
{
	for (const struct calls_call *c = calls_table; c->name; c++)
		if (c->number[cpu] == number)
			return c;
	return NULL;
}

static const struct calls_call *named(const char *name)
{
	for (const struct calls_call *c = calls_table; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	fail_msg("%s is not in the table", name);
	return NULL;
}

/* With arguments that no check accepts: all bits are set. */
static void only_the_list_passes(void **state)
{
	(void)state;
	for (int cpu = 0; cpu < CALLS_CPUS; cpu++)
		for (int i = -1; i < 2048; i++) {
			const struct calls_call *c =
			        i < 0 ? NULL : with_number((enum calls_cpu)cpu, i);
			uint32_t want = i < 0 || i > CALLS_NEWEST ? MISSING : DENIED;

			if (c && c->check == CALLS_ANY)
				want = SECCOMP_RET_ALLOW;
			else if (c && c->check == CALLS_UNKNOWN)
				want = MISSING;
			assert_int_equal(action((enum calls_cpu)cpu, i, UINT64_MAX,
			                        UINT64_MAX, UINT64_MAX),
			                 want);
		}
}

static void numbers_of_x32_are_missing(void **state)
{
	(void)state;
	assert_int_equal(action(CALLS_X86_64, 0x40000000, 0, 0, 0), MISSING);
	assert_int_equal(action(CALLS_X86_64, 0x40000000 + 59, 0, 0, 0), MISSING);
}

static void another_processor_is_killed(void **state)
{
	struct sock_filter f[CALLS_MOST];
	size_t n = calls_program(CALLS_X86_64, &limits, f);

	(void)state;
	assert_int_equal(interpret(f, n, CALLS_ARM64, 0, (uint64_t[6]){ 0 }),
	                 SECCOMP_RET_KILL_PROCESS);
}

/* Arguments that pass or not, the upper half of each set: the kernel ignores it. */
static void arguments_are_checked(void **state)
{
	static const struct {
		const char *name;
		uint64_t a, b, c;
		bool passes;
	} cases[] = {
		{ "openat", 0, 0, O_RDONLY | O_CLOEXEC | O_DIRECTORY, true },
		{ "openat", 0, 0, O_WRONLY, false },
		{ "openat", 0, 0, O_RDWR, false },
		{ "openat", 0, 0, O_CREAT, false },
		{ "openat", 0, 0, O_TRUNC, false },
		{ "openat", 0, 0, O_TMPFILE, false },
		{ "kill", PID, SIGTERM, 0, true },
		{ "kill", PID + 1, SIGTERM, 0, false },
		{ "kill", 0, SIGTERM, 0, false },
		{ "tgkill", PID, 0, 0, true },
		{ "tgkill", 1, 0, 0, false },
		{ "prlimit64", 0, 0, 0, true },
		{ "prlimit64", PID, 0, 0, true },
		{ "prlimit64", 1, 0, 0, false },
		{ "sched_setaffinity", 0, 0, 0, true },
		{ "sched_setaffinity", 1, 0, 0, false },
		{ "ioctl", 0, 0x5401, 0, true },
		{ "ioctl", 0, TIOCGWINSZ, 0, true },
		{ "ioctl", 0, TIOCSTI, 0, false },
		{ "ioctl", 0, 0x541c /* TIOCLINUX */, 0, false },
		{ "fcntl", 0, F_GETFL, 0, true },
		{ "fcntl", 0, F_SETOWN, 0, false },
		{ "fcntl", 0, F_SETLEASE, 0, false },
		{ "prctl", PR_SET_PDEATHSIG, 0, 0, true },
		{ "prctl", PR_SET_DUMPABLE, 0, 0, false },
		{ "sendmsg", CHANNEL, 0, 0, true },
		{ "sendmsg", CHANNEL + 1, 0, 0, false },
		{ "recvmsg", CHANNEL, 0, 0, true },
	};
	const uint64_t high = 0xffffffff00000000;

	(void)state;
	for (int cpu = 0; cpu < CALLS_CPUS; cpu++)
		for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
			int number = named(cases[i].name)->number[cpu];
			uint32_t want = cases[i].passes ? SECCOMP_RET_ALLOW : DENIED;

			assert_int_equal(action((enum calls_cpu)cpu, number, cases[i].a,
			                        cases[i].b, cases[i].c),
			                 want);
			assert_int_equal(action((enum calls_cpu)cpu, number,
			                        cases[i].a | high, cases[i].b | high,
			                        cases[i].c | high),
			                 want);
		}
}

/* If Landlock refuses signals to other processes, a process that is made later can signal itself. */
static void signals_pass_where_they_are_scoped(void **state)
{
	static const struct calls_limits scoped = { PID, CHANNEL, true };
	struct sock_filter f[CALLS_MOST];

	(void)state;
	for (int cpu = 0; cpu < CALLS_CPUS; cpu++) {
		size_t n = calls_program((enum calls_cpu)cpu, &scoped, f);

		assert_int_equal(interpret(f, n, (enum calls_cpu)cpu,
		                           named("tgkill")->number[cpu],
		                           (uint64_t[6]){ PID + 1, PID + 1, SIGABRT }),
		                 SECCOMP_RET_ALLOW);
		assert_int_equal(interpret(f, n, (enum calls_cpu)cpu,
		                           named("prlimit64")->number[cpu],
		                           (uint64_t[6]){ PID + 1 }),
		                 DENIED);
	}
}

/* s390x has the flags of clone in its second argument. */
static void processes_have_no_namespaces(void **state)
{
	static const uint64_t bad[] = { CLONE_NEWUSER,   CLONE_NEWNS,  CLONE_NEWPID,
		                        CLONE_NEWNET,    CLONE_NEWIPC, CLONE_NEWUTS,
		                        CLONE_NEWCGROUP, CLONE_PARENT };
	const uint64_t thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
	                        CLONE_THREAD | CLONE_SETTLS;

	(void)state;
	for (int cpu = 0; cpu < CALLS_CPUS; cpu++) {
		int number = named("clone")->number[cpu];
		bool second = cpu == CALLS_S390X;

		for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
			assert_int_equal(action((enum calls_cpu)cpu, number,
			                        second ? 0 : bad[i] | SIGCHLD,
			                        second ? bad[i] | SIGCHLD : 0, 0),
			                 DENIED);
		assert_int_equal(action((enum calls_cpu)cpu, number, second ? 0 : thread,
		                        second ? thread : 0, 0),
		                 SECCOMP_RET_ALLOW);
	}
}

/* The C library of the processor at hand has the same numbers. */
static void numbers_are_those_of_this_processor(void **state)
{
	static const struct {
		const char *name;
		int number;
	} known[] = {
#define CALL(name) { #name, SYS_##name }
		CALL(read),
		CALL(write),
		CALL(openat),
		CALL(close),
		CALL(fstat),
		CALL(newfstatat),
		CALL(statx),
		CALL(mmap),
		CALL(munmap),
		CALL(mremap),
		CALL(brk),
		CALL(madvise),
		CALL(fcntl),
		CALL(ioctl),
		CALL(prctl),
		CALL(clone),
		CALL(clone3),
		CALL(wait4),
		CALL(exit_group),
		CALL(kill),
		CALL(tgkill),
		CALL(prlimit64),
		CALL(getdents64),
		CALL(pread64),
		CALL(pwrite64),
		CALL(sendmsg),
		CALL(recvmsg),
		CALL(epoll_ctl),
		CALL(eventfd2),
		CALL(signalfd4),
		CALL(memfd_create),
		CALL(getrandom),
		CALL(futex),
		CALL(pipe2),
		CALL(ppoll),
		CALL(readlinkat),
		CALL(fadvise64),
		CALL(ftruncate),
		CALL(fallocate),
		CALL(getrusage),
		CALL(rt_sigaction),
		CALL(rt_sigprocmask),
		CALL(rt_sigreturn),
		CALL(clock_gettime),
		CALL(clock_nanosleep),
		CALL(sched_setaffinity),
		CALL(getcwd),
		CALL(sysinfo),
		CALL(lseek),
		CALL(statfs),
		CALL(fstatfs),
		CALL(uname),
		CALL(dup),
		CALL(dup3),
		CALL(getppid),
		CALL(gettid),
#undef CALL
	};
#if defined(__x86_64__)
	enum calls_cpu cpu = CALLS_X86_64;
#elif defined(__aarch64__)
	enum calls_cpu cpu = CALLS_ARM64;
#elif defined(__s390x__)
	enum calls_cpu cpu = CALLS_S390X;
#else
	skip();
#endif
	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		assert_int_equal(named(known[i].name)->number[cpu], known[i].number);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_list_passes),
		cmocka_unit_test(numbers_of_x32_are_missing),
		cmocka_unit_test(another_processor_is_killed),
		cmocka_unit_test(arguments_are_checked),
		cmocka_unit_test(signals_pass_where_they_are_scoped),
		cmocka_unit_test(processes_have_no_namespaces),
		cmocka_unit_test(numbers_are_those_of_this_processor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
