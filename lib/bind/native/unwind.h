/*
 * unwind - the callers of samples that recorded registers and a piece of the stack.
 *
 * `perf record --call-graph dwarf` leaves unwinding to the reader.  It needs the files that ran:
 * a chain ends at a missing file, and such ends are counted.
 */
#ifndef BIND_NATIVE_UNWIND_H
#define BIND_NATIVE_UNWIND_H

#include "bind/bind.h"

/* Why a chain has no more frames. */
enum unwound_end {
	UNWOUND_WHOLE,   /* complete: the last frame is the thread's first */
	UNWOUND_DUMP,    /* the recorded piece of the stack ends */
	UNWOUND_NO_FILE, /* the file of the last frame's code is missing */
	UNWOUND_NO_RULE, /* that file does not describe the code */
	UNWOUND_JIT,     /* code made at run time without a description */
	UNWOUND_LOST,    /* no code is at the return address */
	UNWOUND_DEEP,    /* perf follows no more frames */
	UNWOUND_ENDS
};

struct unwound {
	uint64_t stacks; /* samples with registers and stack */
	uint64_t ends[UNWOUND_ENDS];
};

/* A file whose absence, or lack of rules, ended chains: NO_FILE or NO_RULE. */
struct unwound_file {
	str_id module;
	enum unwound_end end;
	uint64_t stacks;
};

struct unwinder;

/*
 * perf: 6 makes chains as perf 6.1 does by libunwind, its mistakes included.  7 leaves out the
 * frames in files that are missing, as perf 7 does by libdw.  0 does neither.
 */
struct unwinder *unwind_new(struct binder *b, struct arena *run, unsigned perf);

/*
 * Appends the frames of the callers to ev, a sample of perf.data.  Their ip is the last byte of
 * the call, as in perf, and they are not marked as callers.  ev does not change if it cannot be
 * unwound.  New frames are valid until the next call.
 */
void unwind_sample(struct unwinder *u, struct processes *ps, struct event *ev);

/* Accepts NULL. */
void unwind_close(struct unwinder *u);

const struct unwound *unwind_counts(const struct unwinder *u);
size_t unwind_files(const struct unwinder *u, const struct unwound_file **out);

#endif
