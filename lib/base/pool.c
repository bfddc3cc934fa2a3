#include "base/pool.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"

struct slot {
	pid_t pid; /* 0: not begun, or ended */
	int fd;    /* what it says; -1: straight to standard error */
	bool done;
};

struct pool {
	struct slot *slot;
	int *status;
	size_t n, begun, said, running;
};

static void begin(struct pool *p, int (*job)(void *ctx, size_t i), void *ctx)
{
	size_t i = p->begun++;
	struct slot *s = &p->slot[i];

	s->fd = memfd_create("job", MFD_CLOEXEC);
	s->pid = fork();
	if (s->pid == 0) {
		if (s->fd >= 0)
			dup2(s->fd, STDERR_FILENO);
		_exit(job(ctx, i));
	}
	if (s->pid > 0) {
		p->running++;
		return;
	}
	/* No process could be made: the job runs in this one. */
	s->pid = 0;
	s->done = true;
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	p->status[i] = job(ctx, i);
}

static void copy_out(int fd)
{
	char buf[4096];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, buf, sizeof(buf), at)) > 0) {
		at += n;
		for (ssize_t done = 0, got; done < n; done += got) {
			got = write(STDERR_FILENO, buf + done, (size_t)(n - done));
			if (got < 0 && errno != EINTR)
				return;
			got = got < 0 ? 0 : got;
		}
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

static void await(struct pool *p)
{
	int status;
	pid_t pid;

	do
		pid = wait(&status);
	while (pid < 0 && errno == EINTR);
	for (size_t i = p->said; i < p->begun; i++) {
		struct slot *s = &p->slot[i];

		/* ECHILD: somebody else has waited for them; all count as ended. */
		if (s->done || (pid > 0 && s->pid != pid))
			continue;
		s->done = true;
		p->running--;
		p->status[i] =
		        pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : POOL_DIED;
	}
}

pid_t pool_fork(int (*job)(void *ctx), void *ctx)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(job(ctx));
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
	while (p.said < n) {
		while (p.begun < n && p.running < workers)
			begin(&p, job, ctx);
		if (p.running)
			await(&p);
		say(&p);
	}
	arena_release(&scratch);
}
