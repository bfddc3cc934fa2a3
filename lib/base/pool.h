/*
 * pool - runs jobs in worker processes, several at once.
 *
 * A worker inherits the state of the caller, and does one job after another.  The only results of
 * a job are its status and the files that it writes.  If a worker crashes, a new worker does the
 * later jobs.  Messages of a job on standard error are delayed until all earlier jobs have ended,
 * so they appear in the order of the jobs.
 *
 * If the caller ends, the kernel kills the workers.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* status of a job that a signal has ended, or that could not start */
enum { POOL_DIED = 256 };

/*
 * Runs job(ctx, i) for each i < n, at most `workers` at a time.  Sets status[i] to the result (0
 * to 255).  If `workers` is 1, the jobs run in this process.  A job sees the memory as earlier
 * jobs of the same worker left it.
 */
void pool_run(size_t n, unsigned workers, int (*job)(void *ctx, size_t i), void *ctx,
              int *status);

/* Jobs whose results are taken in the order of the jobs. */
struct pool_parts {
	size_t n;
	unsigned workers; /* at least 1 */
	size_t ahead; /* maximum number of started jobs with results that were not taken yet */
	int (*job)(void *ctx, size_t i); /* called in a worker */
	/*
	 * Called in this process, in the order of the jobs.  If status is POOL_DIED, the
	 * job has no result, and this process may do the job itself.  Returns false to
	 * stop.
	 */
	bool (*take)(void *ctx, size_t i, int status);
	void *ctx;
};

void pool_run_parts(const struct pool_parts *parts);

/* Returns the number of processors that this process and its control group may use. */
unsigned pool_processors(void);

/*
 * Runs job(ctx) in a new process, which exits with the result of `job`.  The caller must wait
 * for it.  If the caller dies, the process is killed.  Returns -1 if no process can be created.
 */
pid_t pool_fork(int (*job)(void *ctx), void *ctx);

#endif
