/*
 * guard - limits the effect of a crash in a library to the file that the library reads.
 *
 * 	guard_run(&(struct guard){ "libdw", file, diag }, work, ctx)
 *
 * If the work crashes, it is abandoned.  Its memory is never freed, and the library's handle must
 * not be used again.  A library may also run out of memory, or use too much processor time
 * (base/budget.h).  Most libraries report a lack of memory as damage or not at all.  guard_run
 * reports all these failures.
 *
 * guard cannot help if a library overwrites other memory before it crashes.  base/confine.h
 * limits the consequences.
 */
#ifndef BASE_GUARD_H
#define BASE_GUARD_H

#include "base/diag.h"

struct guard {
	const char *library; /* name for the report */
	struct str file;
	struct diag *diag;
	/* guard_run also reports ENOMEM, because `work` does not report a lack of memory */
	bool memory;
	/* result of guard_find, to save a system call, or NULL */
	struct guard_state *state;
};

/*
 * Installs handlers for signals of crashes.  Without these handlers, guard_run only calls `work`.
 * `stack` contains n bytes for an alternate stack, and must exist until the program ends.
 */
void guard_open(void *stack, size_t n);

/*
 * Returns the state of guard_open, or NULL if guard_run catches no crashes.  The result is valid
 * until the program ends.  It is also valid in child processes.
 */
struct guard_state *guard_find(void);

enum guard_end {
	GUARD_DONE,
	/* `work` has returned, but memory ran out, so its result may be incomplete */
	GUARD_SHORT,
	GUARD_CRASHED,
};

/* Runs work(ctx) and reports failures. */
enum guard_end guard_run(const struct guard *g, void (*work)(void *ctx), void *ctx);

/*
 * A program that replaces a handler of guard_open calls this in its own handler.  Ends the guarded
 * work.  Returns if no guarded work is running.
 */
void guard_catch(int signal);

/*
 * Ends the guarded work.  When memory runs out, some libraries call a function of the program that
 * must not return.  Pass guard_out_of_memory to such a library.
 */
void guard_out_of_memory(void) __attribute__((noreturn));

#endif
