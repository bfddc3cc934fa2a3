/*
 * summary - what the person is told at the end of a profile.
 */
#ifndef SYMBOL_REPORT_SUMMARY_H
#define SYMBOL_REPORT_SUMMARY_H

#include "symbol/profile.h"

struct coverage {
	uint64_t samples, frames, unknown; /* unknown: frames without a name at the end */
	uint64_t named_here;               /* frames named by a source of profile_opts */
	uint64_t guessed;          /* frames that are NAMED_GUESSED */
	uint64_t guessed_samples;  /* samples with such a frame */
};

/* After the last profile_next, as all of these. */
struct coverage summary_count(const struct profile *p);

/* Says which files were found and not used, or not proven, and how far stacks could be
 * unwound; silent under -q. */
void summary_notes(const struct profile *p);

/* The same, then one line: frames, named, worst modules, maps bound. */
void summary_say(const struct profile *p);

/* If over a fifth of the frames has no name, and not because of strict: how to get files. */
void summary_advise(struct diag *diag, const struct coverage *c, bool strict);

/* ", 12 guessed", with strict ", 12 guesses left unnamed"; empty if no frame is a guess. */
struct str summary_guessed(const struct coverage *c, bool strict, struct arena *a);

/* "; unnamed: 12 in libc.so.6, ...; maps: perf-1.map for 7679", as summaries have it. */
struct str summary_worst(const struct profile *p, struct arena *a);

#endif
