/*
 * unwind - finds the callers of samples that contain registers and a copy of the stack.
 *
 * `perf record --call-graph dwarf` leaves unwinding to the reader.  Unwinding needs the files
 * that ran.  If a file is missing, the chain ends early, and its end is counted.
 */
#ifndef BIND_NATIVE_UNWIND_H
#define BIND_NATIVE_UNWIND_H

#include "bind/bind.h"

/* The reason why a chain ends. */
enum unwound_end {
	/* the chain is complete: it ends with the outermost frame of the thread */
	UNWOUND_WHOLE,
	UNWOUND_DUMP,    /* the recorded part of the stack is too short */
	UNWOUND_NO_FILE, /* the file of the last frame is missing */
	UNWOUND_NO_RULE, /* the file of the last frame has no unwind rule for the code */
	UNWOUND_JIT,     /* JIT code without unwind rules */
	UNWOUND_LOST,    /* no code is mapped at the return address */
	UNWOUND_DEEP,    /* the chain has DEPTH_MAX frames, the limit of perf */
	UNWOUND_ENDS
};

struct unwound {
	uint64_t stacks; /* number of samples with registers and a stack */
	uint64_t ends[UNWOUND_ENDS];
};

/*
 * A file in which call chains ended, because it is missing (UNWOUND_NO_FILE) or has no rules
 * (UNWOUND_NO_RULE).
 */
struct unwound_file {
	str_id module;
	enum unwound_end end;
	uint64_t stacks;
};

struct unwinder;

/*
 * Returns a new unwinder.  If perf is 6, the unwinder makes the same chains as perf 6.1 with
 * libunwind, including perf's errors.  If perf is 7, the unwinder omits frames in missing files,
 * as perf 7 with libdw does.  If perf is 0, the unwinder does not imitate perf.
 */
struct unwinder *unwind_new(struct binder *b, struct arena *run, unsigned perf);

/*
 * Appends the callers' frames to ev, a sample of perf.data.  As in perf, the ip of these frames
 * is the last byte of the call, and the frames are not marked as callers.  If ev cannot be
 * unwound, it stays unchanged.  New frames are valid until the next call.
 */
void unwind_sample(struct unwinder *u, struct processes *ps, struct event *ev);

/* Releases u.  u may be NULL. */
void unwind_close(struct unwinder *u);

const struct unwound *unwind_counts(const struct unwinder *u);
size_t unwind_files(const struct unwinder *u, const struct unwound_file **out);

/*
 * unwind_add_counts adds the counts of another unwinder for the same profile.
 * unwind_clear_counts resets all counts.
 */
void unwind_add_counts(struct unwinder *u, const struct unwound *counts);
void unwind_add_file(struct unwinder *u, const struct unwound_file *file);
void unwind_clear_counts(struct unwinder *u);

#endif
