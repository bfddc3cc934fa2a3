/*
 * guard - if a library crashes while it reads a file, only that file is lost.
 *
 * 	guard_run(&(struct guard){ "libdw", file, diag }, work, ctx)
 *
 * Work that crashes is abandoned: its memory is never freed, and the library's handle of the file
 * must not be used again.  A library may also run out of memory, which most of them report as
 * damage or not at all, or exceed the processor's time (base/budget.h).  Each loss is reported.
 *
 * If a library overwrites other memory before it crashes, this does not help; base/confine.h
 * limits the consequences.
 */
#ifndef BASE_GUARD_H
#define BASE_GUARD_H

#include "base/diag.h"

struct guard {
	const char *library; /* for the report */
	struct str file;
	struct diag *diag;
	bool memory; /* work reports no lack of memory itself */
};

/*
 * Installs handlers of the signals of a crash.  Until it was called, guard_run only calls work.
 * The n bytes become the alternate stack, and stay until the program ends.
 */
void guard_open(void *stack, size_t n);

enum guard_end {
	GUARD_DONE,
	GUARD_SHORT, /* work returned, but lacked memory: its result may be incomplete */
	GUARD_CRASHED,
};

/* Runs work(ctx) and reports failures. */
enum guard_end guard_run(const struct guard *g, void (*work)(void *ctx), void *ctx);

/* For other handlers of these signals: ends guarded work, or returns if no work is guarded. */
void guard_catch(int signal);

/* For libraries that call this if memory runs out, and may not go on: ends the work. */
void guard_out_of_memory(void) __attribute__((noreturn));

#endif
