#include "base/confine.h"

#include <errno.h>
#include <fcntl.h>
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

/* constants that some versions of <linux/landlock.h> lack */
enum {
	REFER = 1 << 13,
	TRUNCATE = 1 << 14,
	IOCTL_DEV = 1 << 15,
	TCP = 3,    /* rights to bind and to connect */
	SCOPES = 3, /* restrict abstract sockets and signals */
	EVERY = (1 << 13) - 1
};

/*
 * struct landlock_ruleset_attr of the newest kernel.  Older kernels accept it if the fields that
 * they do not know are zero.
 */
struct ruleset {
	uint64_t files, net, scopes;
};

enum {
	LOOKS = LANDLOCK_ACCESS_FS_READ_FILE,
	READS = LOOKS | LANDLOCK_ACCESS_FS_READ_DIR,
	WRITES = LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE,
	OF_FILES = LOOKS | WRITES, /* rights that a rule for a file may contain */
};

/*
 * The processor of this build.  CALLS_CPUS is a processor for which base/calls.h has no table of
 * system calls, so seccomp is not used.
 */
enum {
#if defined(__x86_64__) && !defined(__ILP32__)
	CPU = CALLS_X86_64,
#elif defined(__aarch64__)
	CPU = CALLS_ARM64,
#elif defined(__s390x__)
	CPU = CALLS_S390X,
#else
	CPU = CALLS_CPUS,
#endif
};

/* Sets `lacking` or `error` after the first system call of a layer has failed. */
static void note_first(struct confine_layer *layer, int error)
{
	layer->lacking = error == ENOSYS || error == EOPNOTSUPP || error == EINVAL;
	if (!layer->lacking)
		layer->error = error;
}

/* Returns the version of Landlock, or 0 if Landlock is missing, disabled or broken. */
static long landlock_version(struct confine_layer *layer)
{
	long version = OFF ? 0
	                   : syscall(SYS_landlock_create_ruleset, NULL, 0,
	                             LANDLOCK_CREATE_RULESET_VERSION);

	if (OFF || version == 0)
		layer->lacking = true;
	else if (version < 0)
		note_first(layer, errno);
	return version > 0 ? version : 0;
}

static bool has_seccomp(struct confine_layer *layer)
{
	static const uint32_t action = SECCOMP_RET_ERRNO;

	if (OFF || (enum calls_cpu)CPU == CALLS_CPUS)
		layer->lacking = true;
	else if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0)
		return true;
	else
		note_first(layer, errno);
	return false;
}

static void note_shortage(struct confine *c, int error)
{
	if (!c->shortage && (error == ENOMEM || error == EMFILE || error == ENFILE))
		c->shortage = error;
}

static void note_error(struct confine *c, struct confine_layer *layer, int error)
{
	if (!layer->error)
		layer->error = error;
	note_shortage(c, error);
}

void confine_begin(struct confine *c)
{
	struct ruleset r = { .files = EVERY };
	long version;

	*c = (struct confine){ .landlock.name = "Landlock",
		               .seccomp.name = "seccomp",
		               .ruleset = -1 };
	version = landlock_version(&c->landlock);
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
	c->scopes = r.scopes != 0;
	c->ruleset = (int)syscall(SYS_landlock_create_ruleset, &r, sizeof(r), 0);
	if (c->ruleset < 0)
		note_error(c, &c->landlock, errno);
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
		[CONFINE_LOOK] = LOOKS,
		[CONFINE_READ] = READS,
		[CONFINE_WRITE] = WRITES,
	};
	struct landlock_path_beneath_attr rule = { .allowed_access =
		                                           rights[use] & c->handled,
		                                   .parent_fd = fd };
	struct stat sb;

	if (c->ruleset < 0 || fstat(fd, &sb) < 0)
		return;
	if (!S_ISDIR(sb.st_mode))
		rule.allowed_access &= OF_FILES;
	/* For a pipe, the call fails, and note_shortage ignores the error.  Pipes need no rule. */
	if (rule.allowed_access && syscall(SYS_landlock_add_rule, c->ruleset,
	                                   LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0)
		note_shortage(c, errno);
}

void confine_path(struct confine *c, const char *path, enum confine_use use)
{
	int fd;

	if (c->ruleset < 0)
		return;
	fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0) {
		note_shortage(c, errno);
		return;
	}
	confine_fd(c, fd, use);
	close(fd);
}

/* Returns 0 or errno. */
static int allow_calls(const struct calls_limits *limits)
{
	struct sock_filter f[CALLS_MOST];
	struct sock_fprog program = { .filter = f };

	program.len = (unsigned short)calls_program((enum calls_cpu)CPU, limits, f);
	/* Without SPEC_ALLOW, kernels before 5.16 slow down the whole process. */
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	               SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0
	               ? 0
	               : errno;
}

/* Sets no_new_privs, which Landlock and seccomp require unless the user is root. */
static void give_up_rights(struct confine *c)
{
	int error = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;

	if (error && !c->landlock.lacking)
		note_error(c, &c->landlock, error);
	if (error && !c->seccomp.lacking)
		note_error(c, &c->seccomp, error);
}

int confine_end(struct confine *c, const struct calls_limits *limits)
{
	bool calls = has_seccomp(&c->seccomp);
	struct calls_limits of_calls = *limits;
	int error;

	if (!OFF && !c->shortage)
		give_up_rights(c);
	if (c->ruleset >= 0 && !c->shortage && !c->landlock.error) {
		c->landlock.in_force =
		        syscall(SYS_landlock_restrict_self, c->ruleset, 0) == 0;
		if (!c->landlock.in_force)
			note_error(c, &c->landlock, errno);
	}
	if (calls && !c->shortage && !c->seccomp.error) {
		of_calls.scoped = c->landlock.in_force && c->scopes;
		error = allow_calls(&of_calls);
		c->seccomp.in_force = !error;
		if (error)
			note_error(c, &c->seccomp, error);
	}
	confine_no_files(c);
	errno = c->shortage;
	return c->shortage ? -1 : 0;
}

struct str confine_means(struct arena *a)
{
	struct confine_layer layer = { 0 };
	long version = landlock_version(&layer);
	bool calls = has_seccomp(&layer);

	if (version)
		return arena_fmt(a, "Landlock %ld%s", version, calls ? ", seccomp" : "");
	return calls ? STR("seccomp") : STR("nothing");
}
