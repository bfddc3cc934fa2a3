#include "base/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hold.h"
#include "base/out.h"

static const size_t NO_JOB = SIZE_MAX;

struct worker {
	pid_t pid; /* 0 if there is no process */
	int ask;   /* eventfd: 1 + index of the next job, or 1 + n to end the worker */
	/* pipe: the status of the job, or end of file if the worker died */
	int answer;
	/*
	 * file for the worker's standard error, or -1 if the worker uses the caller's standard
	 * error
	 */
	int said;
	size_t job; /* index of the current job, or NO_JOB */
};

struct job {
	/* messages of the job until they are printed, allocated with malloc */
	char *said;
	size_t size;
	bool done;
};

struct pool {
	int (*run)(void *ctx, size_t i);
	bool (*take)(void *ctx, size_t i, int status); /* may be NULL */
	void *ctx;
	size_t ahead; /* maximum number of started jobs with results that were not taken yet */
	struct worker *worker;
	struct job *job;
	int *status;
	unsigned workers, alive;
	size_t n, begun, printed;
	bool given_up;
	int answers;      /* epoll descriptor for the pipes of the workers */
	struct hold hold; /* delays signals that would end the caller */
};

/* Makes the kernel kill this process when the parent dies. */
static void follow(pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(1);
}

/* Main loop of a worker.  Signals may end a worker, as they may end the caller. */
static void serve(const struct pool *p, const struct worker *w, int answer)
{
	uint64_t asked;

	sigprocmask(SIG_SETMASK, &p->hold.before, NULL);
	if (w->said >= 0)
		dup2(w->said, STDERR_FILENO);
	for (;;) {
		int status;

		if (read(w->ask, &asked, sizeof(asked)) < 0) {
			if (errno == EINTR)
				continue;
			_exit(1);
		}
		if (asked > p->n)
			_exit(0);
		status = p->run(p->ctx, (size_t)asked - 1);
		if (write(answer, &status, sizeof(status)) < 0)
			_exit(1);
	}
}

/*
 * Closes a worker.  The descriptors must first be removed from epoll, because closing them is not
 * sufficient if other workers have copies.
 */
static void close_worker(const struct pool *p, struct worker *w)
{
	(void)epoll_ctl(p->answers, EPOLL_CTL_DEL, w->answer, NULL);
	close(w->answer);
	if (w->ask >= 0)
		close(w->ask);
	if (w->said >= 0)
		close(w->said);
	*w = (struct worker){ .job = NO_JOB };
}

/* Starts a worker.  Returns false if no process can be created. */
static bool start_worker(struct pool *p, struct worker *w)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = w };
	pid_t parent = getpid(), pid = -1;
	int answer[2];

	if (pipe2(answer, O_CLOEXEC) < 0)
		return false;
	w->answer = answer[0];
	w->ask = eventfd(0, EFD_CLOEXEC);
	w->said = memfd_create("job", MFD_CLOEXEC);
	if (w->ask >= 0 && epoll_ctl(p->answers, EPOLL_CTL_ADD, w->answer, &event) == 0)
		pid = fork();
	if (pid == 0) {
		follow(parent);
		serve(p, w, answer[1]);
	}
	close(answer[1]);
	if (pid < 0) {
		close_worker(p, w);
		return false;
	}
	w->pid = pid;
	p->alive++;
	return true;
}

/* Sends a number to a worker.  If this fails, the worker would wait forever, so it is killed. */
static void ask(struct worker *w, uint64_t number)
{
	while (write(w->ask, &number, sizeof(number)) < 0)
		if (errno != EINTR) {
			kill(w->pid, SIGKILL);
			return;
		}
}

static void wait_for(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Gives jobs to idle workers, and starts further workers. */
static void hand_out(struct pool *p)
{
	for (unsigned i = 0;
	     i < p->workers && p->begun < p->n && p->begun - p->printed < p->ahead; i++) {
		struct worker *w = &p->worker[i];

		if (w->job != NO_JOB || (w->pid == 0 && !start_worker(p, w)))
			continue;
		w->job = p->begun++;
		ask(w, (uint64_t)w->job + 1);
	}
}

/*
 * Takes the messages of a job from the file of its worker.  The worker is idle, so it does not
 * write to this file now.
 */
static void take_said(struct pool *p, const struct worker *w)
{
	struct job *job = &p->job[w->job];
	off_t size = w->said < 0 ? 0 : lseek(w->said, 0, SEEK_END);
	ssize_t n;

	if (size <= 0)
		return;
	job->said = arena_checked(malloc((size_t)size));
	n = pread(w->said, job->said, (size_t)size, 0);
	job->size = n > 0 ? (size_t)n : 0;
	if (ftruncate(w->said, 0) == 0)
		lseek(w->said, 0, SEEK_SET);
}

/*
 * Reads the status of a job.  Returns false if the worker has died, or if its answer is
 * unreadable.
 */
static bool read_answer(struct pool *p, struct worker *w, int *status)
{
	ssize_t n;

	do
		n = read(w->answer, status, sizeof(*status));
	while (n < 0 && errno == EINTR);
	/*
	 * The worker has answered and now waits for a job, but the answer cannot be read.
	 * A number above p->n ends the worker.
	 */
	if (n < 0)
		ask(w, (uint64_t)p->n + 1);
	return n == sizeof(*status);
}

/* Handles a worker that has answered or died. */
static void hear(struct pool *p, struct worker *w)
{
	int status;
	bool died = !read_answer(p, w, &status);

	if (w->job != NO_JOB) {
		take_said(p, w);
		p->job[w->job].done = true;
		p->status[w->job] = died ? POOL_DIED : status;
		w->job = NO_JOB;
	}
	if (!died)
		return;
	kill(w->pid, SIGKILL);
	wait_for(w->pid);
	close_worker(p, w);
	p->alive--;
}

/* Calls `take` for a job.  Signals may end this process meanwhile. */
static void take_result(struct pool *p, size_t i)
{
	sigset_t held;

	sigprocmask(SIG_SETMASK, &p->hold.before, &held);
	p->given_up = !p->take(p->ctx, i, p->status[i]);
	sigprocmask(SIG_SETMASK, &held, NULL);
}

/* Prints the messages and takes the results of finished jobs, in the order of the jobs. */
static void print_said(struct pool *p)
{
	for (; p->printed < p->begun && p->job[p->printed].done && !p->given_up;
	     p->printed++) {
		struct job *job = &p->job[p->printed];

		(void)out_all(STDERR_FILENO, (struct str){ job->said, job->size });
		free(job->said);
		job->said = NULL;
		if (p->take)
			take_result(p, p->printed);
	}
}

/* Handles all workers that have answered. */
static void hear_all(struct pool *p)
{
	struct epoll_event events[16];
	int n = epoll_wait(p->answers, events, 16, 0);

	for (int i = 0; i < n; i++)
		hear(p, events[i].data.ptr);
}

/*
 * Runs a job in this process, because there is no worker.  Signals may end this process
 * meanwhile.  If the caller has set `take`, `take` does the job.
 */
static void run_here(struct pool *p)
{
	size_t i = p->begun++;
	sigset_t held;

	sigprocmask(SIG_SETMASK, &p->hold.before, &held);
	p->status[i] = p->take ? POOL_DIED : p->run(p->ctx, i);
	p->job[i].done = true;
	sigprocmask(SIG_SETMASK, &held, NULL);
}

/* Waits until a job ends.  Returns false if a signal is pending. */
static bool await(struct pool *p)
{
	if (p->alive == 0)
		run_here(p);
	else if (!hold_wait(&p->hold, p->answers))
		return false;
	else
		hear_all(p);
	return !hold_pending(&p->hold);
}

/*
 * Stops because of a pending signal, which ends this process.  The kernel then kills the running
 * workers.
 */
static void give_up(struct pool *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->job[i].done)
			p->status[i] = POOL_DIED;
	for (unsigned i = 0; i < p->workers; i++)
		p->worker[i].pid = 0;
}

/* Ends all workers after the last job. */
static void dismiss(struct pool *p)
{
	for (unsigned i = 0; i < p->workers; i++) {
		struct worker *w = &p->worker[i];

		if (w->pid == 0)
			continue;
		ask(w, (uint64_t)p->n + 1);
		wait_for(w->pid);
		close_worker(p, w);
	}
	for (; p->printed < p->begun; p->printed++)
		free(p->job[p->printed].said);
}

pid_t pool_fork(int (*job)(void *ctx), void *ctx)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == 0) {
		follow(parent);
		_exit(job(ctx));
	}
	return pid;
}

static void run_all(struct pool *p)
{
	while (p->printed < p->n && !p->given_up) {
		hand_out(p);
		if (!await(p)) {
			give_up(p);
			break;
		}
		print_said(p);
	}
}

/* Returns the number of processors that cpu.max of a control group allows, or UINT_MAX. */
static unsigned read_limit(const char *directory)
{
	char path[PATH_MAX], text[64];
	uint64_t quota, period;
	struct str rest;
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "/sys/fs/cgroup%s/cpu.max", directory);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text));
		close(fd);
	}
	rest = (struct str){ text, n > 0 ? (size_t)n : 0 };
	if (!str_is_dec(str_cut(&rest, ' '), &quota) ||
	    !str_is_dec(str_trim(rest), &period) || !period)
		return UINT_MAX;
	quota = (quota + period - 1) / period;
	return quota && quota < UINT_MAX ? (unsigned)quota : UINT_MAX;
}

/*
 * Returns the lowest number of processors that this process's control group and its parents
 * allow.
 */
static unsigned group_limit(void)
{
	int fd = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
	char text[PATH_MAX + 1];
	ssize_t n = fd < 0 ? -1 : read(fd, text, PATH_MAX);
	unsigned least = UINT_MAX;
	char *group;

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	group = strstr(text, "0::/");
	if (!group)
		return least;
	group += strlen("0::");
	group[strcspn(group, "\n")] = '\0';
	while (*group) {
		unsigned limit = read_limit(group);

		least = limit < least ? limit : least;
		*strrchr(group, '/') = '\0';
	}
	return least;
}

unsigned pool_processors(void)
{
	unsigned limit = group_limit(), n = 1;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		n = (unsigned)CPU_COUNT(&set);
	return n < limit ? n : limit;
}

static void run_workers(struct pool *p, unsigned workers)
{
	arena_scope(scratch);

	p->workers = workers < p->n ? workers : (unsigned)p->n;
	p->worker = arena_new(&scratch, struct worker, p->workers);
	p->job = arena_new(&scratch, struct job, p->n);
	for (unsigned i = 0; i < p->workers; i++)
		p->worker[i].job = NO_JOB;
	p->answers = epoll_create1(EPOLL_CLOEXEC);
	hold_begin(&p->hold);
	run_all(p);
	dismiss(p);
	hold_end(&p->hold);
	close(p->answers);
}

void pool_run(size_t n, unsigned workers, int (*job)(void *ctx, size_t i), void *ctx,
              int *status)
{
	struct pool p = {
		.run = job, .ctx = ctx, .ahead = SIZE_MAX, .n = n, .status = status
	};

	if (workers <= 1 || n <= 1) {
		for (size_t i = 0; i < n; i++)
			status[i] = job(ctx, i);
		return;
	}
	run_workers(&p, workers);
}

void pool_run_parts(const struct pool_parts *parts)
{
	arena_scope(scratch);
	struct pool p = { .run = parts->job,
		          .take = parts->take,
		          .ctx = parts->ctx,
		          .ahead = parts->ahead,
		          .n = parts->n,
		          .status = arena_new(&scratch, int, parts->n + 1) };

	if (p.n)
		run_workers(&p, parts->workers);
}
