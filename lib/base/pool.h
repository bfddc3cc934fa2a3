/*
 * pool - jobs in worker processes, several at once.
 *
 * A worker inherits all that the caller has and does one job after the other; a job leaves
 * nothing with the caller but files and its status.  One that crashes takes no other with
 * it: the jobs to come get a new worker.  Nothing needs locks.  What a job writes to standard
 * error is held back until the jobs before it have ended, so that it reads as if they had
 * run one after the other.
 *
 * No worker outlives the caller: the kernel kills them when it ends.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>
#include <sys/types.h>

/* Status of a job killed by a signal, or that could not begin. */
enum { POOL_DIED = 256 };

/*
 * Runs job(ctx, i) for each i < n, at most `workers` at a time, and puts what it returned
 * (0 to 255) into status[i].  With one worker no process is made.  A job may find the memory
 * as an earlier one left it, or as the caller did.
 */
void pool_run(size_t n, unsigned workers, int (*job)(void *ctx, size_t i), void *ctx,
              int *status);

/*
 * Runs job(ctx) in a process of its own, whose status is what job returns; nobody waits for
 * it but the caller, and it is killed if the caller dies.  -1: none could be made.
 */
pid_t pool_fork(int (*job)(void *ctx), void *ctx);

#endif
