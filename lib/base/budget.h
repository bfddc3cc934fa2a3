/*
 * budget - the processor time and memory that one input may use.
 *
 * Inputs may be hostile: a few bytes can cost a library hours.  Each input has a fixed
 * amount of time and memory, and more for each megabyte that is read for it.  A reader
 * calls budget_spent between two events.  If the budget is spent, the reader ends, and
 * the output so far is kept.  The kernel enforces both amounts between these calls.  An
 * allocation beyond the limit (RLIMIT_DATA) marks the budget as spent, but succeeds once.
 * SIGXCPU ends a process that uses a quarter more time.
 *
 * Memory is private writable memory (VmData of proc(5)).  Time is the time of this
 * process and of the workers that it waited for.
 */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include "base/diag.h"

struct budget {
	struct diag *diag; /* receives a report when the budget is spent, as damage */
	uint64_t seconds;  /* fixed part of the time, or 0 for no limit */
	uint64_t memory;   /* fixed part of the memory in bytes, or 0 for no limit */
	/* private */
	uint64_t input; /* bytes read */
	/* bytes of `input` that the limits of the kernel already include */
	uint64_t counted;
	uint64_t began_ns;   /* processor time used before this input */
	uint64_t began_data; /* memory used before this input, in bytes */
	uint64_t data;       /* value of RLIMIT_DATA before this input, or 0 */
	unsigned calls;
	bool half, spent;
};

enum { BUDGET_SECONDS = 60, BUDGET_MEMORY_MIB = 512 }; /* defaults */

/* Begins an input.  Set diag, seconds and memory before. */
void budget_begin(struct budget *b);

/* Adds the share for n bytes of input.  b may be NULL. */
void budget_add(struct budget *b, uint64_t n);

/*
 * Between these two calls only half of the budget may be used, because more passes
 * follow.  If this half is spent, the pass ends early.  The rest of the budget is for the
 * other passes.
 */
void budget_begin_half(struct budget *b);
void budget_end_half(struct budget *b);

/*
 * Returns true if the budget is spent, and reports it.  Costs system calls.  b may be
 * NULL.
 */
bool budget_check(struct budget *b);

/*
 * Reports if memory ran out since the last check.  Call it at the end of an input, because a
 * library may have lost a part of its answer.  b may be NULL.
 */
void budget_end(struct budget *b);

enum { BUDGET_CALLS = 1024 };

/*
 * Does the same as budget_check, but costs system calls only once in BUDGET_CALLS calls.
 * Call it for each event.
 */
static inline bool budget_spent(struct budget *b)
{
	if (!b || b->spent)
		return b;
	return ++b->calls % BUDGET_CALLS == 0 && budget_check(b);
}

/* Returns true if it was reported that the budget is spent.  b may be NULL. */
static inline bool budget_is_spent(const struct budget *b)
{
	return b && b->spent;
}

/*
 * Budget of a worker that reads a part of the input.  Call budget_used before the fork, and
 * budget_continue in the worker, which may use the rest of the budget, and reports to diag.
 */
uint64_t budget_used(const struct budget *b);
void budget_continue(struct budget *b, uint64_t used_ns, struct diag *diag);

/*
 * Adds the processor time of a worker for which another process has waited.  b may be
 * NULL.
 */
void budget_spend(struct budget *b, uint64_t ns);

/*
 * Returns the whole seconds of processor time that are left, at most `most`.  b may be
 * NULL.
 */
uint64_t budget_seconds_left(const struct budget *b, uint64_t most);

/* Returns the bytes of memory that a worker may use, at most `most`.  b may be NULL. */
uint64_t budget_worker_memory(const struct budget *b, uint64_t most);

/*
 * Sets RLIMIT_DATA of this process to its current memory plus n bytes, unless it is
 * lower.
 */
void budget_limit_memory(uint64_t n);

/*
 * For base/arena.c: call it if an allocation failed.  Returns true if RLIMIT_DATA was the
 * reason.  Then the limit was lifted, and the allocation can be tried again.
 */
bool budget_extend(void);

/* Call it after SIGXCPU.  Allows time to report this and to write the output so far. */
void budget_extend_time(void);

#endif
