#include "base/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

/* x86-64, arm64, s390x */
const struct calls_call calls_table[] = {
	{ "read", { 0, 63, 3 }, CALLS_ANY },
	{ "write", { 1, 64, 4 }, CALLS_ANY },
	{ "readv", { 19, 65, 145 }, CALLS_ANY },
	{ "writev", { 20, 66, 146 }, CALLS_ANY },
	{ "pread64", { 17, 67, 180 }, CALLS_ANY },
	{ "pwrite64", { 18, 68, 181 }, CALLS_ANY },
	{ "preadv", { 295, 69, 328 }, CALLS_ANY },
	{ "pwritev", { 296, 70, 329 }, CALLS_ANY },
	{ "preadv2", { 327, 286, 376 }, CALLS_ANY },
	{ "pwritev2", { 328, 287, 377 }, CALLS_ANY },
	{ "close", { 3, 57, 6 }, CALLS_ANY },
	{ "close_range", { 436, 436, 436 }, CALLS_ANY },
	{ "lseek", { 8, 62, 19 }, CALLS_ANY },
	{ "dup", { 32, 23, 41 }, CALLS_ANY },
	{ "dup2", { 33, -1, 63 }, CALLS_ANY },
	{ "dup3", { 292, 24, 326 }, CALLS_ANY },
	{ "pipe", { 22, -1, 42 }, CALLS_ANY },
	{ "pipe2", { 293, 59, 325 }, CALLS_ANY },
	{ "stat", { 4, -1, 106 }, CALLS_ANY },
	{ "lstat", { 6, -1, 107 }, CALLS_ANY },
	{ "fstat", { 5, 80, 108 }, CALLS_ANY },
	{ "newfstatat", { 262, 79, 293 }, CALLS_ANY },
	{ "statx", { 332, 291, 379 }, CALLS_ANY },
	{ "statfs", { 137, 43, 99 }, CALLS_ANY },
	{ "fstatfs", { 138, 44, 100 }, CALLS_ANY },
	{ "access", { 21, -1, 33 }, CALLS_ANY },
	{ "faccessat", { 269, 48, 300 }, CALLS_ANY },
	{ "faccessat2", { 439, 439, 439 }, CALLS_ANY },
	{ "readlink", { 89, -1, 85 }, CALLS_ANY },
	{ "readlinkat", { 267, 78, 298 }, CALLS_ANY },
	{ "getcwd", { 79, 17, 183 }, CALLS_ANY },
	{ "getdents", { 78, -1, 141 }, CALLS_ANY },
	{ "getdents64", { 217, 61, 220 }, CALLS_ANY },
	{ "fadvise64", { 221, 223, 253 }, CALLS_ANY },
	{ "readahead", { 187, 213, 222 }, CALLS_ANY },
	{ "ftruncate", { 77, 46, 93 }, CALLS_ANY },
	{ "fallocate", { 285, 47, 314 }, CALLS_ANY },
	{ "umask", { 95, 166, 60 }, CALLS_ANY },
	{ "poll", { 7, -1, 168 }, CALLS_ANY },
	{ "ppoll", { 271, 73, 302 }, CALLS_ANY },
	{ "select", { 23, -1, 142 }, CALLS_ANY },
	{ "pselect6", { 270, 72, 301 }, CALLS_ANY },
	{ "epoll_create1", { 291, 20, 327 }, CALLS_ANY },
	{ "epoll_ctl", { 233, 21, 250 }, CALLS_ANY },
	{ "epoll_wait", { 232, -1, 251 }, CALLS_ANY },
	{ "epoll_pwait", { 281, 22, 312 }, CALLS_ANY },
	{ "eventfd2", { 290, 19, 323 }, CALLS_ANY },
	{ "signalfd4", { 289, 74, 322 }, CALLS_ANY },
	{ "memfd_create", { 319, 279, 350 }, CALLS_ANY },
	{ "mmap", { 9, 222, 90 }, CALLS_ANY },
	{ "munmap", { 11, 215, 91 }, CALLS_ANY },
	{ "mremap", { 25, 216, 163 }, CALLS_ANY },
	{ "mprotect", { 10, 226, 125 }, CALLS_ANY },
	{ "madvise", { 28, 233, 219 }, CALLS_ANY },
	{ "brk", { 12, 214, 45 }, CALLS_ANY },
	{ "msync", { 26, 227, 144 }, CALLS_ANY },
	{ "mincore", { 27, 232, 218 }, CALLS_ANY },
	{ "sigreturn", { -1, -1, 119 }, CALLS_ANY },
	{ "rt_sigaction", { 13, 134, 174 }, CALLS_ANY },
	{ "rt_sigprocmask", { 14, 135, 175 }, CALLS_ANY },
	{ "rt_sigreturn", { 15, 139, 173 }, CALLS_ANY },
	{ "rt_sigpending", { 127, 136, 176 }, CALLS_ANY },
	{ "rt_sigtimedwait", { 128, 137, 177 }, CALLS_ANY },
	{ "rt_sigsuspend", { 130, 133, 179 }, CALLS_ANY },
	{ "sigaltstack", { 131, 132, 186 }, CALLS_ANY },
	{ "restart_syscall", { 219, 128, 7 }, CALLS_ANY },
	{ "getpid", { 39, 172, 20 }, CALLS_ANY },
	{ "gettid", { 186, 178, 236 }, CALLS_ANY },
	{ "getppid", { 110, 173, 64 }, CALLS_ANY },
	{ "getpgrp", { 111, -1, 65 }, CALLS_ANY },
	{ "getuid", { 102, 174, 199 }, CALLS_ANY },
	{ "geteuid", { 107, 175, 201 }, CALLS_ANY },
	{ "getgid", { 104, 176, 200 }, CALLS_ANY },
	{ "getegid", { 108, 177, 202 }, CALLS_ANY },
	{ "getgroups", { 115, 158, 205 }, CALLS_ANY },
	{ "getresuid", { 118, 148, 209 }, CALLS_ANY },
	{ "getresgid", { 120, 150, 211 }, CALLS_ANY },
	{ "fork", { 57, -1, 2 }, CALLS_ANY },
	{ "vfork", { 58, -1, 190 }, CALLS_ANY },
	{ "exit", { 60, 93, 1 }, CALLS_ANY },
	{ "exit_group", { 231, 94, 248 }, CALLS_ANY },
	{ "wait4", { 61, 260, 114 }, CALLS_ANY },
	{ "waitid", { 247, 95, 281 }, CALLS_ANY },
	{ "futex", { 202, 98, 238 }, CALLS_ANY },
	{ "set_robust_list", { 273, 99, 304 }, CALLS_ANY },
	{ "set_tid_address", { 218, 96, 252 }, CALLS_ANY },
	{ "rseq", { 334, 293, 383 }, CALLS_ANY },
	{ "sched_yield", { 24, 124, 158 }, CALLS_ANY },
	{ "getcpu", { 309, 168, 311 }, CALLS_ANY },
	{ "membarrier", { 324, 283, 356 }, CALLS_ANY },
	{ "time", { 201, -1, -1 }, CALLS_ANY },
	{ "gettimeofday", { 96, 169, 78 }, CALLS_ANY },
	{ "clock_gettime", { 228, 113, 260 }, CALLS_ANY },
	{ "clock_getres", { 229, 114, 261 }, CALLS_ANY },
	{ "clock_nanosleep", { 230, 115, 262 }, CALLS_ANY },
	{ "nanosleep", { 35, 101, 162 }, CALLS_ANY },
	{ "times", { 100, 153, 43 }, CALLS_ANY },
	{ "getrusage", { 98, 165, 77 }, CALLS_ANY },
	{ "getrlimit", { 97, 163, 191 }, CALLS_ANY },
	{ "setrlimit", { 160, 164, 75 }, CALLS_ANY },
	{ "sysinfo", { 99, 179, 116 }, CALLS_ANY },
	{ "uname", { 63, 160, 122 }, CALLS_ANY },
	{ "getrandom", { 318, 278, 349 }, CALLS_ANY },
	{ "open", { 2, -1, 5 }, CALLS_OPEN },
	{ "openat", { 257, 56, 288 }, CALLS_OPENAT },
	{ "fcntl", { 72, 25, 55 }, CALLS_FCNTL },
	{ "ioctl", { 16, 29, 54 }, CALLS_IOCTL },
	{ "prctl", { 157, 167, 172 }, CALLS_PRCTL },
	{ "clone", { 56, 220, 120 }, CALLS_CLONE },
	{ "kill", { 62, 129, 37 }, CALLS_OWN },
	{ "tkill", { 200, 130, 237 }, CALLS_OWN },
	{ "tgkill", { 234, 131, 241 }, CALLS_OWN },
	{ "prlimit64", { 302, 261, 334 }, CALLS_OWN_OR_0 },
	{ "sched_getaffinity", { 204, 123, 240 }, CALLS_OWN_OR_0 },
	{ "sched_setaffinity", { 203, 122, 239 }, CALLS_OWN_OR_0 },
	{ "sendmsg", { 46, 211, 370 }, CALLS_CHANNEL },
	{ "recvmsg", { 47, 212, 372 }, CALLS_CHANNEL },
	{ "clone3", { 435, 435, 435 }, CALLS_UNKNOWN },
	{ "openat2", { 437, 437, 437 }, CALLS_UNKNOWN },
	{ NULL, { -1, -1, -1 }, CALLS_UNKNOWN },
};

static const struct cpu {
	uint32_t arch;
	bool big_endian;
	unsigned clone_flags; /* index of clone's argument that contains the flags */
} cpus[CALLS_CPUS] = {
	[CALLS_X86_64] = { AUDIT_ARCH_X86_64, false, 0 },
	[CALLS_ARM64] = { AUDIT_ARCH_AARCH64, false, 0 },
	[CALLS_S390X] = { AUDIT_ARCH_S390X, true, 1 },
};

enum {
	/* constants that are missing in some versions of <fcntl.h> and <sys/prctl.h> */
	NAMELESS = 020000000, /* O_TMPFILE without O_DIRECTORY */
	SET_VMA = 0x53564d41, /* PR_SET_VMA */
	TCGETS_2 = 0x802c542a,
	SETS_PIPE_SIZE = 1031,
	GETS_PIPE_SIZE = 1032,
	WRITES = O_ACCMODE | O_CREAT | O_TRUNC | NAMELESS,
};

static const uint32_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                   CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                   CLONE_NEWNET | CLONE_PARENT | CLONE_PTRACE;

static const uint32_t commands[] = { F_DUPFD,         F_GETFD,        F_SETFD,
	                             F_GETFL,         F_SETFL,        F_SETLKW,
	                             F_DUPFD_CLOEXEC, SETS_PIPE_SIZE, GETS_PIPE_SIZE };
static const uint32_t requests[] = { 0x5401 /* TCGETS */, TCGETS_2, TIOCGWINSZ,
	                             FIONREAD };
static const uint32_t options[] = { PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, PR_GET_DUMPABLE,
	                            PR_SET_NAME,      PR_GET_NAME,      SET_VMA };

/* The verdict on a call.  A checked call has CHECKED + its index in calls_table. */
enum { REFUSED, ALLOWED, UNKNOWN, CHECKED };

/*
 * A range of call numbers with one verdict, from `first` up to the start of the next range.
 */
struct range {
	uint32_t first;
	unsigned verdict;
};

struct maker {
	const struct cpu *cpu;
	const struct calls_limits *limits;
	struct sock_filter *f;
	size_t n;
	struct range range[CALLS_NEWEST + 2];
	size_t nranges;
};

static void put(struct maker *m, uint16_t code, uint32_t k)
{
	m->f[m->n++] = (struct sock_filter)BPF_STMT(code, k);
}

static void put_return(struct maker *m, uint32_t action)
{
	put(m, BPF_RET | BPF_K, action);
}

/*
 * Loads the low half of an argument.  The kernel ignores the high half of all checked arguments.
 */
static void load_argument(struct maker *m, unsigned i)
{
	size_t at = offsetof(struct seccomp_data, args) + i * sizeof(uint64_t);

	put(m, BPF_LD | BPF_W | BPF_ABS, (uint32_t)at + (m->cpu->big_endian ? 4 : 0));
}

static void allow_if(struct maker *m, uint32_t value)
{
	m->f[m->n++] =
	        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
	put_return(m, SECCOMP_RET_ALLOW);
}

static void allow_one_of(struct maker *m, unsigned argument, const uint32_t *value,
                         size_t n)
{
	load_argument(m, argument);
	for (size_t i = 0; i < n; i++)
		allow_if(m, value[i]);
}

static void allow_without(struct maker *m, unsigned argument, uint32_t bits)
{
	load_argument(m, argument);
	put(m, BPF_ALU | BPF_AND | BPF_K, bits);
	allow_if(m, 0);
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void put_check(struct maker *m, enum calls_check check)
{
	switch (check) {
	case CALLS_OPEN:
		allow_without(m, 1, WRITES);
		break;
	case CALLS_OPENAT:
		allow_without(m, 2, WRITES);
		break;
	case CALLS_CLONE:
		allow_without(m, m->cpu->clone_flags, namespaces);
		break;
	case CALLS_FCNTL:
		allow_one_of(m, 1, commands, COUNT(commands));
		break;
	case CALLS_IOCTL:
		allow_one_of(m, 1, requests, COUNT(requests));
		break;
	case CALLS_PRCTL:
		allow_one_of(m, 0, options, COUNT(options));
		break;
	case CALLS_OWN_OR_0:
		allow_one_of(m, 0, (uint32_t[]){ 0, m->limits->pid }, 2);
		break;
	case CALLS_OWN:
		/*
		 * If `scoped` is false, only the process limits->pid may be signalled.  A
		 * child process has another pid, so it cannot even signal itself.
		 */
		if (m->limits->scoped) {
			put_return(m, SECCOMP_RET_ALLOW);
			return;
		}
		allow_one_of(m, 0, &m->limits->pid, 1);
		break;
	case CALLS_CHANNEL:
		allow_one_of(m, 0, (uint32_t[]){ (uint32_t)m->limits->channel },
		             m->limits->channel >= 0);
		break;
	case CALLS_ANY:
	case CALLS_UNKNOWN:
		break;
	}
	put_return(m, SECCOMP_RET_ERRNO | EPERM);
}

static void put_verdict(struct maker *m, unsigned verdict)
{
	if (verdict >= CHECKED)
		put_check(m, calls_table[verdict - CHECKED].check);
	else
		put_return(m, verdict == ALLOWED   ? SECCOMP_RET_ALLOW
		              : verdict == UNKNOWN ? SECCOMP_RET_ERRNO | ENOSYS
		                                   : SECCOMP_RET_ERRNO | EPERM);
}

/*
 * Adds a binary search in the ranges [low, high).  Conditional jumps can skip only 255
 * instructions, so they skip an unconditional jump, which can skip more.
 */
static void put_search(struct maker *m, size_t low, size_t high)
{
	size_t middle = low + (high - low) / 2, at = m->n;

	if (high - low == 1) {
		put_verdict(m, m->range[low].verdict);
		return;
	}
	m->f[m->n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K,
	                                            m->range[middle].first, 0, 1);
	put(m, BPF_JMP | BPF_JA, 0);
	put_search(m, low, middle);
	m->f[at + 1].k = (uint32_t)(m->n - (at + 2));
	put_search(m, middle, high);
}

static unsigned verdict_of(const struct calls_call *call)
{
	if (call->check == CALLS_ANY)
		return ALLOWED;
	return call->check == CALLS_UNKNOWN ? UNKNOWN
	                                    : CHECKED + (unsigned)(call - calls_table);
}

static void divide(struct maker *m, enum calls_cpu cpu)
{
	unsigned verdict[CALLS_NEWEST + 2] = { 0 };

	for (const struct calls_call *c = calls_table; c->name; c++)
		if (c->number[cpu] >= 0)
			verdict[c->number[cpu]] = verdict_of(c);
	verdict[CALLS_NEWEST + 1] = UNKNOWN;
	for (uint32_t i = 0; i < CALLS_NEWEST + 2; i++)
		if (i == 0 || verdict[i] != verdict[i - 1])
			m->range[m->nranges++] = (struct range){ i, verdict[i] };
}

size_t calls_program(enum calls_cpu cpu, const struct calls_limits *limits,
                     struct sock_filter *f)
{
	struct maker m = { .cpu = &cpus[cpu], .limits = limits, .f = f };

	divide(&m, cpu);
	put(&m, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	f[m.n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, m.cpu->arch, 1,
	                                        0);
	put_return(&m, SECCOMP_RET_KILL_PROCESS);
	put(&m, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	put_search(&m, 0, m.nranges);
	return m.n;
}
