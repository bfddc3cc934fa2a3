/*
 * pool - jobs in worker processes, several at once.
 *
 * A worker inherits the state of the caller and does one job after the other.  A job leaves only
 * files and its status.  If a worker crashes, other jobs are not affected, and the next jobs get
 * a new worker.  Locks are not needed.  Output of a job to standard error is held back until the
 * earlier jobs have ended, as if the jobs had run one after the other.
 *
 * Workers do not outlive the caller, because the kernel kills them when it ends.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>
#include <sys/types.h>

/* Status of a job killed by a signal, or that could not begin. */
enum { POOL_DIED = 256 };

/*
 * Runs job(ctx, i) for each i < n, at most `workers` at a time, and sets status[i] to its result
 * (0 to 255).  One worker needs no process.  A job may see the memory as an earlier job left it,
 * or as the caller did.
 */
void pool_run(size_t n, unsigned workers, int (*job)(void *ctx, size_t i), void *ctx,
              int *status);

/*
 * Runs job(ctx) in a new process, whose status is the result of job.  Only the caller waits for
 * it, and it is killed if the caller dies.  Returns -1 if it cannot be created.
 */
pid_t pool_fork(int (*job)(void *ctx), void *ctx);

#endif
