/*
 * unwind - the callers of samples that recorded registers and a piece of the stack;
 * private to symbol/.
 *
 * `perf record --call-graph dwarf` leaves it to the reader to find who called.  That
 * takes the files that ran: a chain ends where one is missing, and that is counted.
 */
#ifndef BIND_NATIVE_UNWIND_H
#define BIND_NATIVE_UNWIND_H

#include "bind/bind.h"

/* Why a chain has no more frames. */
enum unwound_end {
	UNWOUND_WHOLE,   /* its last frame is the first of the thread */
	UNWOUND_DUMP,    /* the dump of the stack ends before */
	UNWOUND_NO_FILE, /* the file of its last frame's code is not there */
	UNWOUND_NO_RULE, /* that file does not describe the code */
	UNWOUND_JIT,     /* code made at run time, which nothing describes */
	UNWOUND_LOST,    /* no code is at the return address */
	UNWOUND_DEEP,    /* it has as many frames as perf follows */
	UNWOUND_ENDS
};

struct unwound {
	uint64_t stacks; /* that were to be unwound */
	uint64_t ends[UNWOUND_ENDS];
};

/* Files that chains ended for, NO_FILE and NO_RULE. */
struct unwound_file {
	str_id module;
	enum unwound_end end;
	uint64_t stacks;
};

struct unwinder;

/* as_perf: chains as perf 6.1 has them, its mistakes included. */
struct unwinder *unwind_new(struct binder *b, struct arena *run, bool as_perf);

/*
 * Puts behind the frames of ev, a sample of perf.data, those of the callers: ip is the
 * last byte of the call, as perf has it, and not marked as a caller's.  Nothing to do:
 * ev stays.  New frames are valid until the next call.
 */
void unwind_sample(struct unwinder *u, struct processes *ps, struct event *ev);

/* Accepts NULL. */
void unwind_close(struct unwinder *u);

const struct unwound *unwind_counts(const struct unwinder *u);
size_t unwind_files(const struct unwinder *u, const struct unwound_file **out);

#endif
