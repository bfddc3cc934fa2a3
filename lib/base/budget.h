/*
 * budget - limits the processor time and memory that one input may use.
 *
 * Inputs may be malicious: a library may take hours for a few bytes.  Each input has a fixed
 * amount of time and memory, and a further amount for each megabyte that is read.  A reader calls
 * budget_spent between two events.  If the budget is spent, the reader stops, and the output so
 * far is kept.  Between these calls, the kernel enforces both limits.  The first allocation
 * beyond RLIMIT_DATA succeeds, but marks the budget as spent.  SIGXCPU ends a process that
 * exceeds its time by a quarter.
 *
 * The limited memory is private writable memory (VmData of proc(5)).  The limited time is the
 * time of this process and of workers for which it has waited.
 */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include "base/diag.h"

struct budget {
	struct diag *diag; /* reports a spent budget as damage */
	uint64_t seconds;  /* fixed part of the time, or 0 for no limit */
	uint64_t memory;   /* fixed part of the memory in bytes, or 0 for no limit */
	/* private */
	uint64_t input; /* number of bytes read */
	/* part of `input` for which the kernel's limits were already raised */
	uint64_t counted;
	uint64_t began_ns;   /* processor time before this input */
	uint64_t began_data; /* memory in bytes before this input */
	uint64_t data;       /* value of RLIMIT_DATA before this input, or 0 */
	unsigned calls;
	/* half: only half of the budget may be used now */
	bool half, spent;
};

enum { BUDGET_SECONDS = 60, BUDGET_MEMORY_MIB = 512 }; /* defaults */

/* Starts the budget of an input.  The caller must set diag, seconds and memory first. */
void budget_begin(struct budget *b);

/* Adds the time and memory for n bytes of input.  b may be NULL. */
void budget_add(struct budget *b, uint64_t n);

/*
 * Between budget_begin_half and budget_end_half, only half of the budget may be used.  If this
 * half is spent, the current pass over the input ends early.  Later passes use the other half.
 */
void budget_begin_half(struct budget *b);
void budget_end_half(struct budget *b);

/* Returns true if the budget is spent, and reports this.  Makes system calls.  b may be NULL. */
bool budget_check(struct budget *b);

/*
 * If memory ran out since the last check, reports this.  Call it at the end of an input, because
 * the result of a library may then be incomplete.  b may be NULL.
 */
void budget_end(struct budget *b);

enum { BUDGET_CALLS = 1024 };

/*
 * Like budget_check, but only one call in BUDGET_CALLS makes system calls.  Call it for each
 * event.
 */
static inline bool budget_spent(struct budget *b)
{
	if (!b || b->spent)
		return b;
	return ++b->calls % BUDGET_CALLS == 0 && budget_check(b);
}

/* Returns true after the budget was spent and this was reported.  b may be NULL. */
static inline bool budget_is_spent(const struct budget *b)
{
	return b && b->spent;
}

/*
 * Let a worker that reads a part of the input use the rest of the budget.  Call budget_used before
 * the fork, and pass its result to budget_continue in the worker.  The worker reports to diag.
 */
uint64_t budget_used(const struct budget *b);
void budget_continue(struct budget *b, uint64_t used_ns, struct diag *diag);

/* Adds the processor time of a worker for which another process waited.  b may be NULL. */
void budget_spend(struct budget *b, uint64_t ns);

/* Returns the remaining whole seconds of processor time, at most `most`.  b may be NULL. */
uint64_t budget_seconds_left(const struct budget *b, uint64_t most);

/* Returns the bytes of memory that a worker may use, at most `most`.  b may be NULL. */
uint64_t budget_worker_memory(const struct budget *b, uint64_t most);

/* Limits RLIMIT_DATA of this process to its current memory plus n bytes. */
void budget_limit_memory(uint64_t n);

/*
 * For base/arena.c, after a failed allocation.  If RLIMIT_DATA was the cause, raises this limit
 * and returns true, so that the caller can try again.
 */
bool budget_extend(void);

/* Raises the time limit, so that the handler of SIGXCPU can report this and write the output. */
void budget_extend_time(void);

#endif
