/*
 * budget - the processor time and memory that one input may use.
 *
 * An input is hostile: a few bytes can cost a library hours.  Each input has a fixed amount of
 * time and memory, and more for each megabyte that is read for it.  A reader calls budget_spent
 * between two events and ends there, so the output so far is kept.  The kernel enforces two
 * limits between these calls.  An allocation beyond the amount marks the budget as spent and
 * succeeds once (RLIMIT_DATA), and SIGXCPU ends a process that uses a quarter more time.
 *
 * Memory is private writable memory (VmData of proc(5)).  Time is the time of this process and of
 * the workers that it waited for.
 */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include "base/diag.h"

struct budget {
	struct diag *diag; /* receives the end of the budget, as damage */
	uint64_t seconds;  /* without the share of the input, or 0 for no limit */
	uint64_t memory;   /* bytes, in the same way */
	/* private */
	uint64_t input;      /* bytes read */
	uint64_t counted;    /* of these: bytes that the limits of the kernel include */
	uint64_t began_ns;   /* processor time used before this input */
	uint64_t began_data; /* bytes of memory used before this input */
	uint64_t data;       /* the earlier value of RLIMIT_DATA, or 0 */
	unsigned calls;
	bool half, spent;
};

enum { BUDGET_SECONDS = 60, BUDGET_MEMORY_MIB = 512 }; /* defaults */

/* Begins an input.  diag, seconds and memory are set. */
void budget_begin(struct budget *b);

/* Adds the share of n bytes of input.  b may be NULL. */
void budget_add(struct budget *b, uint64_t n);

/*
 * Between these two calls only half of the budget may be used, because more passes follow.  If
 * that half is spent, the pass ends early, and the rest of the budget is for the others.
 */
void budget_begin_half(struct budget *b);
void budget_end_half(struct budget *b);

/* Returns true, and reports it, if the budget is spent.  Asks the kernel.  b may be NULL. */
bool budget_check(struct budget *b);

enum { BUDGET_CALLS = 1024 };

/* The same for each event: asks the kernel once in BUDGET_CALLS calls. */
static inline bool budget_spent(struct budget *b)
{
	if (!b || b->spent)
		return b;
	return ++b->calls % BUDGET_CALLS == 0 && budget_check(b);
}

/* Adds processor time of a worker that another process has waited for.  b may be NULL. */
void budget_spend(struct budget *b, uint64_t ns);

/* Whole seconds of processor time that are left, at most `most`.  b may be NULL. */
uint64_t budget_seconds_left(const struct budget *b, uint64_t most);

/* Returns the bytes that a worker may use, at most `most`.  b may be NULL. */
uint64_t budget_worker_memory(const struct budget *b, uint64_t most);

/* Sets RLIMIT_DATA of this process to its present memory plus n bytes.  A lower limit stays. */
void budget_limit_memory(uint64_t n);

/*
 * An allocation failed.  True if RLIMIT_DATA was the reason and is lifted now: try again.  For
 * base/arena.c.
 */
bool budget_extend(void);

/* SIGXCPU has ended work: allows the time to report it and to write the output so far. */
void budget_extend_time(void);

#endif
