/* summary - the messages at the end of a profile. */
#ifndef SYMBOL_REPORT_SUMMARY_H
#define SYMBOL_REPORT_SUMMARY_H

#include "symbol/profile.h"

struct coverage {
	uint64_t samples, frames, unknown; /* unknown: frames without a name at the end */
	uint64_t named_here;               /* frames named by a source of profile_opts */
	uint64_t broken;                   /* of unknown: module_coverage.broken */
	uint64_t guessed;                  /* frames that are NAMED_GUESSED */
	uint64_t guessed_samples;          /* samples with such a frame */
};

/* A jitdump that ends inside a record. */
struct cut_dump {
	struct str name;
	uint64_t at;   /* byte at which that record begins */
	size_t pieces; /* of code, that were read */
	/* that runtime does it, unless DOTNET_PerfMapStubGranularity is 2 */
	bool dotnet10;
};

/* After the last profile_next, as all of these. */
struct coverage summary_count(const struct profile *p);

/*
 * Reports files that were found but not used, or not verified, and how far stacks could be
 * unwound.  Silent with -q.
 */
void summary_notes(const struct profile *p);

/* The same, then one line: frames, named, worst modules, maps bound. */
void summary_report(const struct profile *p);

/* The jitdumps that were read and are cut off, in a. */
size_t summary_cut_dumps(const struct profile *p, struct arena *a,
                         const struct cut_dump **out);

/*
 * Prints advice if more than a fifth of the frames is unnamed.  With strict, guesses do not
 * count, because no file would help.
 */
void summary_advise(struct diag *diag, const struct coverage *c, bool strict);

/* Returns ", 12 guessed", with strict ", 12 guesses left unnamed", or an empty string. */
struct str summary_guessed(const struct coverage *c, bool strict, struct arena *a);

/* Returns "; unnamed: 12 in libc.so.6, ...; maps: perf-1.map for 7679", for summaries. */
struct str summary_worst(const struct profile *p, struct arena *a);

#endif
