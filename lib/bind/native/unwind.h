/*
 * unwind - the callers of samples that recorded registers and a piece of the stack.
 *
 * `perf record --call-graph dwarf` leaves unwinding to the reader.  It needs the files that ran:
 * a chain ends at a missing file, and such ends are counted.
 */
#ifndef BIND_NATIVE_UNWIND_H
#define BIND_NATIVE_UNWIND_H

#include "bind/bind.h"

/* Why a chain ends. */
enum unwound_end {
	/* the stack is complete: its last frame is the outermost frame of the thread */
	UNWOUND_WHOLE,
	UNWOUND_DUMP,    /* the recorded piece of the stack is too short */
	UNWOUND_NO_FILE, /* the file of the last frame's code is missing */
	UNWOUND_NO_RULE, /* the file of the last frame has no rule for its code */
	UNWOUND_JIT,     /* code made at run time without a description */
	UNWOUND_LOST,    /* no code is mapped at the return address */
	UNWOUND_DEEP,    /* DEPTH_MAX frames, where perf stops */
	UNWOUND_ENDS
};

struct unwound {
	uint64_t stacks; /* number of samples with registers and stack */
	uint64_t ends[UNWOUND_ENDS];
};

/*
 * A file that is missing or has no rules, and so ended chains.  end: UNWOUND_NO_FILE or
 * UNWOUND_NO_RULE.
 */
struct unwound_file {
	str_id module;
	enum unwound_end end;
	uint64_t stacks;
};

struct unwinder;

/*
 * Returns a new unwinder.  If perf is 6, it makes the chains of perf 6.1 with libunwind,
 * including its mistakes.  If perf is 7, it omits frames in missing files, as perf 7 with libdw
 * does.  If perf is 0, it does neither.
 */
struct unwinder *unwind_new(struct binder *b, struct arena *run, unsigned perf);

/*
 * Appends the frames of the callers to ev, a sample of perf.data.  As in perf, their ip is the
 * last byte of the call, and they are not marked as callers.  If ev cannot be unwound, it does
 * not change.  New frames are valid until the next call.
 */
void unwind_sample(struct unwinder *u, struct processes *ps, struct event *ev);

/* Releases u, which may be NULL. */
void unwind_close(struct unwinder *u);

const struct unwound *unwind_counts(const struct unwinder *u);
size_t unwind_files(const struct unwinder *u, const struct unwound_file **out);

/* Add the counts of another unwinder of the profile.  unwind_clear_counts forgets all counts. */
void unwind_add_counts(struct unwinder *u, const struct unwound *counts);
void unwind_add_file(struct unwinder *u, const struct unwound_file *file);
void unwind_clear_counts(struct unwinder *u);

#endif
