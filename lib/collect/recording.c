#include "collect/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/pool.h"
#include "collect/rights.h"

enum {
	NOT_FOUND = 127, /* exit status of a shell for a missing program */
	CANNOT = 126,
	BEHIND = 60,    /* seconds that perf record may take after the recording */
	PRINTING = 120, /* seconds that perf script may take */
	GRACE = 5,      /* seconds between SIGTERM and SIGKILL */
	TICK_MS = 20,
};

/* A child process that runs a program. */
struct program {
	char *const *argv;
	int data, root; /* descriptors that the program inherits.  `root` may be -1 */
	int output, log;
	/* maximum size of a file written by the program, or 0 for no limit */
	uint64_t most;
	bool harmless; /* run the program without rights */
	const struct hold *hold;
};

static int run(void *ctx)
{
	const struct program *p = ctx;
	const struct rlimit size = { (rlim_t)p->most, (rlim_t)p->most }, core = { 0, 0 };
	int null = open("/dev/null", O_RDWR);

	if (p->hold)
		sigprocmask(SIG_SETMASK, &p->hold->before, NULL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(p->output, STDOUT_FILENO) < 0 || dup2(p->log, STDERR_FILENO) < 0 ||
	    fcntl(p->data, F_SETFD, 0) < 0 ||
	    (p->root >= 0 && fcntl(p->root, F_SETFD, 0) < 0))
		return CANNOT;
	if (p->harmless) {
		if ((p->most && setrlimit(RLIMIT_FSIZE, &size) < 0) ||
		    setrlimit(RLIMIT_CORE, &core) < 0 || rights_drop() < 0 ||
		    prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
			return CANNOT;
		setenv("HOME", "/nonexistent", 1);
		setenv("PERF_CONFIG", "/dev/null", 1);
		unsetenv("DEBUGINFOD_URLS");
	}
	execvp(p->argv[0], p->argv);
	return errno == ENOENT ? NOT_FOUND : CANNOT;
}

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* Returns true if the process has ended.  Stops waiting when a signal in hold is pending. */
static bool await(pid_t pid, time_t seconds, const struct hold *hold, int *status)
{
	time_t end = now() + seconds;

	for (;;) {
		pid_t got = waitpid(pid, status, WNOHANG);

		if (got == pid || (got < 0 && errno != EINTR))
			return true;
		if (now() > end || (hold && hold_pending(hold)))
			return false;
		poll(NULL, 0, TICK_MS);
	}
}

static enum recording_end end_of(int status)
{
	/*
	 * If the recorded processes end early, perf sends SIGTERM to its child `sleep`,
	 * and then ends with the same signal.
	 */
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM)
		return RECORDING_DONE;
	if (!WIFEXITED(status))
		return RECORDING_FAILED;
	switch (WEXITSTATUS(status)) {
	case 0:
	case 128 + SIGTERM:
		return RECORDING_DONE;
	case NOT_FOUND:
		return RECORDING_NO_PERF;
	default:
		return RECORDING_FAILED;
	}
}

static enum recording_end run_for(struct program *p, time_t seconds)
{
	static const int ends[] = { SIGINT, SIGKILL };
	int status = 0;
	pid_t pid = pool_fork(run, p);

	if (pid < 0)
		return RECORDING_FAILED;
	if (await(pid, seconds, p->hold, &status))
		return end_of(status);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		kill(pid, ends[i]);
		if (await(pid, GRACE, NULL, &status))
			break;
	}
	return p->hold && hold_pending(p->hold) ? RECORDING_STOPPED : RECORDING_LATE;
}

enum recording_end recording_run(const struct recording *r, struct arena *a)
{
	const char *const fixed[] = { r->perf,
		                      "record",
		                      "-k",
		                      "1",
		                      "--buildid-all",
		                      "-N",
		                      "-o",
		                      arena_fmt(a, "/proc/self/fd/%d", r->data).p,
		                      "-p",
		                      r->pids };
	const char *const usual[] = { "-F", r->rate, "--call-graph", r->graph, NULL };
	const char *const *options = r->options ? (const char *const *)r->options : usual;
	size_t nfixed = sizeof(fixed) / sizeof(*fixed), n = 0;
	struct program p = { .data = r->data,
		             .root = -1,
		             .output = r->log,
		             .log = r->log,
		             .hold = r->hold };
	const char **argv;

	while (options[n])
		n++;
	argv = arena_new(a, const char *, nfixed + n + 4);
	memcpy(argv, fixed, sizeof(fixed));
	memcpy(argv + nfixed, options, n * sizeof(*options));
	argv[nfixed + n] = "--";
	argv[nfixed + n + 1] = "sleep";
	argv[nfixed + n + 2] = r->seconds;
	p.argv = (char *const *)argv;
	return run_for(&p, (time_t)strtoul(r->seconds, NULL, 10) + BEHIND);
}

/*
 * Tries --no-inline first.  This option makes new versions of perf much faster, but old
 * versions lack the option.
 */
enum recording_end recording_print(const struct recording *r, int root, int to,
                                   uint64_t most)
{
	char data[32], symfs[32];
	char *argv[] = { (char *)(uintptr_t)r->perf,
		         "script",
		         "--no-inline",
		         "-i",
		         data,
		         "--header",
		         "--show-mmap-events",
		         root < 0 ? NULL : "--symfs",
		         symfs,
		         NULL };
	struct program p = { .argv = argv,
		             .data = r->data,
		             .root = root,
		             .output = to,
		             .log = r->log,
		             .most = most,
		             .harmless = true };
	enum recording_end end = RECORDING_FAILED;
	struct stat st;

	snprintf(data, sizeof(data), "/proc/self/fd/%d", r->data);
	snprintf(symfs, sizeof(symfs), "/proc/self/fd/%d", root);
	/*
	 * Mode 0444 is safe: the file has no name, so only processes with its descriptor
	 * can read it.
	 */
	if (fchmod(r->data, 0444) < 0)
		return end;
	for (int i = 0; i < 2; i++) {
		if (ftruncate(to, 0) < 0 || lseek(to, 0, SEEK_SET) < 0 ||
		    ftruncate(r->log, 0) < 0 || lseek(r->log, 0, SEEK_SET) < 0)
			break;
		end = run_for(&p, PRINTING);
		if (end != RECORDING_FAILED || (fstat(to, &st) == 0 && st.st_size > 0))
			break;
		argv[2] = "-f"; /* replaces --no-inline by an option without effect */
	}
	return end;
}
