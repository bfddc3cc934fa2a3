/* summary - the messages at the end of a profile. */
#ifndef SYMBOL_REPORT_SUMMARY_H
#define SYMBOL_REPORT_SUMMARY_H

#include "symbol/profile.h"

struct coverage {
	/* numbers of samples, of frames, and of frames that have no name in the end */
	uint64_t samples, frames, unknown;
	uint64_t named_here;      /* frames named by a source, not by the input */
	uint64_t broken;          /* unknown frames in the module that is broken */
	uint64_t guessed;         /* frames that are NAMED_GUESSED */
	uint64_t guessed_samples; /* samples with a frame that is NAMED_GUESSED */
};

/* A jitdump that ends inside a record. */
struct cut_dump {
	struct str name;
	uint64_t at;   /* offset of the incomplete record */
	size_t pieces; /* pieces of code that were read */
	/* written by .NET 10, which needs DOTNET_PerfMapStubGranularity=2 to avoid this */
	bool dotnet10;
};

/*
 * Counts samples and frames.  Like the other functions here, call it after the last
 * profile_next.
 */
struct coverage summary_count(const struct profile *p);

/*
 * Reports files that were not used, or not verified, and where unwinding ended.  Prints nothing
 * with -q.
 */
void summary_notes(const struct profile *p);

/*
 * Prints the reports of summary_notes.  Then prints one line: frames, named frames, modules with
 * most unnamed frames, bound maps.
 */
void summary_report(const struct profile *p);

/* Sets *out to the jitdumps that end inside a record, in a.  Returns their number. */
size_t summary_cut_dumps(const struct profile *p, struct arena *a,
                         const struct cut_dump **out);

/*
 * Prints advice if more than a fifth of the frames is unnamed.  strict: guessed frames are
 * unnamed, but do not count, because no file would help.
 */
void summary_advise(struct diag *diag, const struct coverage *c, bool strict);

/*
 * Returns ", 12 guessed", or with strict ", 12 guesses left unnamed".  Empty if there are no
 * guesses.
 */
struct str summary_guessed(const struct coverage *c, bool strict, struct arena *a);

/*
 * Returns the end of a summary, in a: "; unnamed: 12 in libc.so.6, ...; maps: perf-1.map for
 * 7679".
 */
struct str summary_worst(const struct profile *p, struct arena *a);

#endif
