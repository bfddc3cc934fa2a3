#include "base/pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hold.h"
#include "base/out.h"

enum { GRACE_MS = 2000 }; /* for a job to remove what it has made, when it is to end */

struct slot {
	pid_t pid; /* 0: not begun, or ended */
	int fd;    /* what it says; -1: straight to standard error */
	bool done;
};

struct pool {
	struct slot *slot;
	int *status;
	size_t n, begun, said, running;
	sigset_t before;           /* mask of the caller */
	struct sigaction children; /* the caller's action for SIGCHLD */
	struct hold hold;          /* signals that end the caller */
	int ended; /* readable when a job has ended; -1: that cannot be told */
};

/* Blocks SIGCHLD, which is then read from p->ended, and the signals that end the caller. */
static void watch(struct pool *p)
{
	sigset_t set;

	/* Where SIGCHLD is ignored, the status of a process is lost. */
	sigaction(SIGCHLD, &(struct sigaction){ .sa_handler = SIG_DFL }, &p->children);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &p->before);
	p->ended = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	hold_begin(&p->hold);
}

/* A signal that waits ends the caller here. */
static void unwatch(struct pool *p)
{
	hold_end(&p->hold);
	if (p->ended >= 0)
		close(p->ended);
	sigaction(SIGCHLD, &p->children, NULL);
	sigprocmask(SIG_SETMASK, &p->before, NULL);
}

/* Has the kernel send this process a signal when its parent dies. */
static void follow(pid_t parent, int signal)
{
	if (prctl(PR_SET_PDEATHSIG, signal) < 0 || getppid() != parent)
		_exit(1);
}

/* SIGTERM lets a job remove what it has made, unless that signal is ignored. */
static int ending_signal(void)
{
	struct sigaction now;

	if (sigaction(SIGTERM, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
		return SIGKILL;
	return SIGTERM;
}

/* The job runs in this process, which a signal may end as usual. */
static int run_here(struct pool *p, int (*job)(void *ctx, size_t i), void *ctx, size_t i)
{
	sigset_t held;
	int status;

	sigprocmask(SIG_SETMASK, &p->before, &held);
	status = job(ctx, i);
	sigprocmask(SIG_SETMASK, &held, NULL);
	return status;
}

static void begin(struct pool *p, int (*job)(void *ctx, size_t i), void *ctx)
{
	size_t i = p->begun++;
	struct slot *s = &p->slot[i];
	pid_t parent = getpid();

	s->fd = memfd_create("job", MFD_CLOEXEC);
	s->pid = fork();
	if (s->pid == 0) {
		follow(parent, ending_signal());
		if (s->fd >= 0)
			dup2(s->fd, STDERR_FILENO);
		_exit(run_here(p, job, ctx, i));
	}
	if (s->pid > 0) {
		p->running++;
		return;
	}
	s->pid = 0;
	s->done = true;
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	p->status[i] = run_here(p, job, ctx, i);
}

static void copy_out(int fd)
{
	char buf[4096];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, buf, sizeof(buf), at)) > 0) {
		at += n;
		if (out_all(STDERR_FILENO, (struct str){ buf, (size_t)n }) < 0)
			return;
	}
}

/* Prints what the jobs said, in their order. */
static void say(struct pool *p)
{
	for (; p->said < p->begun && p->slot[p->said].done; p->said++) {
		struct slot *s = &p->slot[p->said];

		if (s->fd < 0)
			continue;
		copy_out(s->fd);
		close(s->fd);
	}
}

/* One job has ended, or with pid -1 all have: somebody else has waited for them. */
static void end_job(struct pool *p, pid_t pid, int status)
{
	for (size_t i = p->said; i < p->begun; i++) {
		struct slot *s = &p->slot[i];

		if (s->done || (pid > 0 && s->pid != pid))
			continue;
		s->done = true;
		p->running--;
		p->status[i] =
		        pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : POOL_DIED;
	}
}

/* Takes the status of those that have ended; with flags 0 it waits for one. */
static void reap(struct pool *p, int flags)
{
	while (p->running) {
		int status;
		pid_t pid = waitpid(-1, &status, flags);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid == 0)
			return;
		end_job(p, pid, status);
		flags = WNOHANG;
	}
}

/* Waits until a job has ended.  False: a signal waits. */
static bool await(struct pool *p)
{
	struct signalfd_siginfo info;
	size_t before = p->running;

	if (p->ended < 0)
		reap(p, 0);
	while (p->running == before) {
		if (!hold_wait(&p->hold, p->ended))
			return false;
		while (read(p->ended, &info, sizeof(info)) > 0)
			;
		reap(p, WNOHANG);
	}
	return !hold_pending(&p->hold);
}

static void kill_all(const struct pool *p, int signal)
{
	for (size_t i = p->said; i < p->begun; i++)
		if (!p->slot[i].done)
			kill(p->slot[i].pid, signal);
}

/* Ends the jobs that run; those not begun are never begun. */
static void give_up(struct pool *p)
{
	struct pollfd ended = { .fd = p->ended, .events = POLLIN };

	for (size_t i = p->begun; i < p->n; i++)
		p->status[i] = POOL_DIED;
	kill_all(p, SIGTERM);
	while (p->running && poll(&ended, 1, GRACE_MS) > 0) {
		struct signalfd_siginfo info;

		while (read(p->ended, &info, sizeof(info)) > 0)
			;
		reap(p, WNOHANG);
	}
	kill_all(p, SIGKILL);
	while (p->running)
		reap(p, 0);
	for (size_t i = p->said; i < p->begun; i++)
		if (p->slot[i].fd >= 0)
			close(p->slot[i].fd);
}

pid_t pool_fork(int (*job)(void *ctx), void *ctx)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == 0) {
		follow(parent, SIGKILL);
		_exit(job(ctx));
	}
	return pid;
}

void pool_run(size_t n, unsigned workers, int (*job)(void *ctx, size_t i), void *ctx,
              int *status)
{
	struct arena scratch = { 0 };
	struct pool p = { .n = n, .status = status };

	if (workers <= 1 || n <= 1) {
		for (size_t i = 0; i < n; i++)
			status[i] = job(ctx, i);
		return;
	}
	p.slot = arena_new(&scratch, struct slot, n);
	watch(&p);
	while (p.said < n) {
		while (p.begun < n && p.running < workers)
			begin(&p, job, ctx);
		if (p.running && !await(&p)) {
			give_up(&p);
			break;
		}
		say(&p);
	}
	unwatch(&p);
	arena_release(&scratch);
}
