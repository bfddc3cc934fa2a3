#include "base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
#ifdef CONFINE_OFF
	OFF = 1,
#else
	OFF = 0,
#endif
};

/* These are newer than Landlock itself, and than some <linux/landlock.h>. */
enum {
	REFER = 1 << 13,
	TRUNCATE = 1 << 14,
	IOCTL_DEV = 1 << 15,
	TCP = 3,    /* to bind, to connect */
	SCOPES = 3, /* abstract sockets, signals */
	EVERY = (1 << 13) - 1
};

/*
 * struct landlock_ruleset_attr of the newest kernel.  Older kernels accept zeros in the fields
 * that they do not know.
 */
struct ruleset {
	uint64_t files, net, scopes;
};

enum {
	LOOKS = LANDLOCK_ACCESS_FS_READ_FILE,
	READS = LOOKS | LANDLOCK_ACCESS_FS_READ_DIR,
	WRITES = LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE,
	PLACES = LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE,
	FILES = READS | WRITES | PLACES,
	TREES = FILES | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR,
	OF_FILES = LOOKS | WRITES, /* rights that a rule about a file may give */
};

/*
 * The refused calls: those that start programs, open sockets, access other processes, bypass
 * Landlock or seccomp, or change files in ways that Landlock does not control.  Some machines
 * lack the older calls.
 */
static const struct call {
	const char *name;
	uint32_t number;
} refused[] = {
#define CALL(name)                                                                       \
	{                                                                                \
#name, SYS_##name                                                        \
	}
	CALL(execve),
	CALL(execveat),
	CALL(socket),
	CALL(socketpair),
#ifdef SYS_socketcall
	CALL(socketcall),
#endif
	CALL(ptrace),
	CALL(process_vm_readv),
	CALL(process_vm_writev),
	CALL(pidfd_getfd),
	CALL(io_uring_setup),
	CALL(bpf),
	CALL(perf_event_open),
	CALL(userfaultfd),
	CALL(open_by_handle_at),
	CALL(unshare),
	CALL(setns),
	CALL(chroot),
	CALL(init_module),
	CALL(finit_module),
	CALL(kexec_load),
#ifdef SYS_chmod
	CALL(chmod),
	CALL(chown),
	CALL(lchown),
#endif
	CALL(fchmodat),
	CALL(fchownat),
	CALL(setxattr),
	CALL(lsetxattr),
#undef CALL
};

enum { REFUSED = sizeof(refused) / sizeof(*refused) };

/* The architecture with these numbers of system calls; 0: seccomp is not used. */
enum {
#if defined(__x86_64__)
	ARCH = AUDIT_ARCH_X86_64,
	NUMBERS = 0x40000000, /* numbers of x32 are above */
#elif defined(__aarch64__)
	ARCH = AUDIT_ARCH_AARCH64,
	NUMBERS = INT32_MAX,
#elif defined(__s390x__)
	ARCH = AUDIT_ARCH_S390X,
	NUMBERS = INT32_MAX,
#else
	ARCH = 0,
	NUMBERS = INT32_MAX,
#endif
};

/* Returns the version of Landlock in the kernel, or 0 if it is absent or disabled. */
static long landlock_version(void)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
	                       LANDLOCK_CREATE_RULESET_VERSION);

	return !OFF && version > 0 ? version : 0;
}

/* Running out of memory or files is no lack of the kernel's. */
static bool is_shortage(int error)
{
	return error == ENOMEM || error == EMFILE || error == ENFILE;
}

static void note_error(struct confine *c, int error)
{
	if (!c->error && is_shortage(error))
		c->error = error;
}

void confine_begin(struct confine *c)
{
	long version = landlock_version();
	struct ruleset r = { .files = EVERY };

	*c = (struct confine){ .ruleset = -1 };
	if (!version)
		return;
	if (version >= 2)
		r.files |= REFER;
	if (version >= 3)
		r.files |= TRUNCATE;
	if (version >= 4)
		r.net = TCP;
	if (version >= 5)
		r.files |= IOCTL_DEV;
	if (version >= 6)
		r.scopes = SCOPES;
	c->handled = r.files;
	c->ruleset = (int)syscall(SYS_landlock_create_ruleset, &r, sizeof(r), 0);
	if (c->ruleset < 0)
		note_error(c, errno);
}

void confine_no_files(struct confine *c)
{
	if (c->ruleset >= 0)
		close(c->ruleset);
	c->ruleset = -1;
}

void confine_fd(struct confine *c, int fd, enum confine_use use)
{
	static const uint64_t rights[] = {
		[CONFINE_LOOK] = LOOKS,   [CONFINE_READ] = READS,
		[CONFINE_WRITE] = WRITES, [CONFINE_PLACE] = PLACES,
		[CONFINE_FILES] = FILES,  [CONFINE_TREE] = TREES,
	};
	struct landlock_path_beneath_attr rule = { .allowed_access =
		                                           rights[use] & c->handled,
		                                   .parent_fd = fd };
	struct stat sb;

	if (c->ruleset < 0 || fstat(fd, &sb) < 0)
		return;
	if (!S_ISDIR(sb.st_mode))
		rule.allowed_access &= OF_FILES;
	if (rule.allowed_access && syscall(SYS_landlock_add_rule, c->ruleset,
	                                   LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0)
		note_error(c, errno);
}

void confine_path(struct confine *c, const char *path, enum confine_use use)
{
	int fd;

	if (c->ruleset < 0)
		return;
	fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0) {
		note_error(c, errno);
		return;
	}
	confine_fd(c, fd, use);
	close(fd);
}

/* 0, or the errno. */
static int refuse_calls(void)
{
	struct sock_filter f[6 + 2 * REFUSED + 1] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ARCH, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, NUMBERS, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	const struct sock_fprog program = { sizeof(f) / sizeof(*f), f };
	size_t n = 6;

	for (size_t i = 0; i < REFUSED; i++) {
		f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
		                                      refused[i].number, 0, 1);
		f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
	}
	f[n] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	/* Without SPEC_ALLOW kernels before 5.16 slow down the whole process. */
	if (ARCH == 0 || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	                         SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0)
		return 0;
	return errno;
}

int confine_end(struct confine *c)
{
	if (!OFF && !c->error && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
		if (c->ruleset >= 0 &&
		    syscall(SYS_landlock_restrict_self, c->ruleset, 0) < 0)
			note_error(c, errno);
		note_error(c, refuse_calls());
	}
	confine_no_files(c);
	errno = c->error;
	return c->error ? -1 : 0;
}

const char *confine_call(int number)
{
	for (size_t i = 0; i < REFUSED; i++)
		if (refused[i].number == (uint32_t)number)
			return refused[i].name;
	return NULL;
}

struct str confine_means(struct arena *a)
{
	static const uint32_t action = SECCOMP_RET_TRAP;
	bool calls = !OFF && ARCH != 0 &&
	             syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
	long version = landlock_version();

	if (version)
		return arena_fmt(a, "Landlock %ld%s", version, calls ? ", seccomp" : "");
	return calls ? STR("seccomp") : STR("nothing");
}
