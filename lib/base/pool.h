/*
 * pool - runs jobs in worker processes, several at once.
 *
 * A worker inherits the state of the caller and does one job after the other.  The only
 * results of a job are files and its status.  If a worker crashes, other jobs are not
 * affected, and later jobs get a new worker.  Locks are not needed.  The output of a job
 * to standard error is delayed until the earlier jobs have ended.  So it appears as if
 * the jobs had run one after the other.
 *
 * If the caller ends, the kernel kills its workers.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Status of a job that a signal killed, or that could not begin. */
enum { POOL_DIED = 256 };

/*
 * Runs job(ctx, i) for each i < n, at most `workers` at a time, and sets status[i] to its
 * result (0 to 255).  If `workers` is 1, the jobs run in this process.  In a worker, a
 * job may see changes of memory by earlier jobs.
 */
void pool_run(size_t n, unsigned workers, int (*job)(void *ctx, size_t i), void *ctx,
              int *status);

/* Jobs whose results the caller takes in the order of the jobs. */
struct pool_parts {
	size_t n;
	unsigned workers; /* at least 1 */
	size_t ahead; /* jobs that may have begun when their results are not taken yet */
	int (*job)(void *ctx, size_t i); /* in a worker */
	/*
	 * Called in this process, in the order of the jobs.  If status is POOL_DIED, the job has
	 * no result, and this process may do it itself.  Returns false to give up the rest.
	 */
	bool (*take)(void *ctx, size_t i, int status);
	void *ctx;
};

void pool_run_parts(const struct pool_parts *parts);

/* Returns the number of processors that this process and its control group may use. */
unsigned pool_processors(void);

/*
 * Runs job(ctx) in a new process, whose status is the result of `job`.  Only the caller
 * waits for the process.  If the caller dies, the process is killed.  Returns -1 if it
 * cannot be created.
 */
pid_t pool_fork(int (*job)(void *ctx), void *ctx);

#endif
