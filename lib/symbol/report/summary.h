/*
 * summary - what the person is told at the end of a profile.
 */
#ifndef SYMBOL_REPORT_SUMMARY_H
#define SYMBOL_REPORT_SUMMARY_H

#include "symbol/profile.h"

struct coverage {
	uint64_t samples, frames, unknown; /* unknown: frames without a name at the end */
	uint64_t named_here;               /* frames named by a source of profile_opts */
	uint64_t guessed; /* samples with a frame that is NAMED_GUESSED */
};

/* After the last profile_next, as all of these. */
struct coverage summary_count(const struct profile *p);

/* Says which files were found and not used, or not proven, and how far stacks could be
 * unwound; silent under -q. */
void summary_notes(const struct profile *p);

/* The same, then one line: frames, named, worst modules, maps bound. */
void summary_say(const struct profile *p);

/* Where over a fifth of the frames has no name: how to get what names them. */
void summary_advise(struct diag *diag, uint64_t unknown, uint64_t frames);

/* "; unnamed: 12 in libc.so.6, ...; maps: perf-1.map for 7679", as summaries have it. */
struct str summary_worst(const struct profile *p, struct arena *a);

#endif
