/*
 * guard - if a library crashes while it reads a file, only that file is lost.
 *
 * 	guard_run(&(struct guard){ "libdw", file, diag }, work, ctx)
 *
 * Work that crashes is abandoned.  Its memory is never freed, and the library's handle of
 * the file must not be used again.  A library may also run out of memory, which most
 * libraries report as damage or not at all, or use too much processor time
 * (base/budget.h).  Each loss is reported.
 *
 * If a library overwrites other memory before it crashes, guard cannot help.
 * base/confine.h limits the consequences.
 */
#ifndef BASE_GUARD_H
#define BASE_GUARD_H

#include "base/diag.h"

struct guard {
	const char *library; /* for the report */
	struct str file;
	struct diag *diag;
	bool memory; /* `work` does not report a lack of memory itself */
};

/*
 * Installs handlers for the signals of a crash.  Without it, guard_run only calls `work`.
 * stack: n bytes for the alternate stack, which must stay until the program ends.
 */
void guard_open(void *stack, size_t n);

enum guard_end {
	GUARD_DONE,
	/* `work` returned, but lacked memory, so its result may be incomplete */
	GUARD_SHORT,
	GUARD_CRASHED,
};

/* Runs work(ctx) and reports failures. */
enum guard_end guard_run(const struct guard *g, void (*work)(void *ctx), void *ctx);

/*
 * Call it from other handlers of these signals.  Ends the guarded work, or returns if
 * no work is guarded.
 */
void guard_catch(int signal);

/*
 * Ends the guarded work.  For libraries that call a function if memory runs out, and
 * cannot continue when it returns.
 */
void guard_out_of_memory(void) __attribute__((noreturn));

#endif
