/* summary - prints the messages at the end of a profile. */
#ifndef SYMBOL_REPORT_SUMMARY_H
#define SYMBOL_REPORT_SUMMARY_H

#include "symbol/profile.h"

struct coverage {
	/* numbers of samples, of frames, and of unnamed frames */
	uint64_t samples, frames, unknown;
	uint64_t named_here;      /* frames with a name that the input does not contain */
	uint64_t broken;          /* unnamed frames in modules that have `broken` set */
	uint64_t guessed;         /* frames with NAMED_GUESSED */
	uint64_t guessed_samples; /* samples that contain a frame with NAMED_GUESSED */
};

/* A jitdump that ends inside a record. */
struct cut_dump {
	struct str name;
	uint64_t at;   /* offset of the truncated record */
	size_t pieces; /* number of pieces of code that were read */
	/* .NET 10 wrote the dump.  DOTNET_PerfMapStubGranularity=2 prevents such cut records */
	bool dotnet10;
};

/* Counts samples and frames.  Call all functions of this header after the last profile_next. */
struct coverage summary_count(const struct profile *p);

/*
 * Reports files that were not used or not verified, and files in which unwinding ended.  Prints
 * nothing with -q.
 */
void summary_notes(const struct profile *p);

/*
 * Prints summary_notes.  Then prints one line: the number of frames and of named frames, the
 * modules with the most unnamed frames, and the bound maps.
 */
void summary_report(const struct profile *p);

/*
 * Sets *out to a list, in arena `a`, of the jitdumps that end inside a record.  Returns the
 * length of the list.
 */
size_t summary_cut_dumps(const struct profile *p, struct arena *a,
                         const struct cut_dump **out);

/*
 * Prints advice if more than a fifth of the frames is unnamed.  With `strict`, guessed frames
 * have no name, but do not count as unnamed here, because no file would help.
 */
void summary_advise(struct diag *diag, const struct coverage *c, bool strict);

/*
 * Returns ", 12 guessed" or, if `strict` is set, ", 12 guesses left unnamed".  Returns an empty
 * string if there are no guesses.
 */
struct str summary_guessed(const struct coverage *c, bool strict, struct arena *a);

/*
 * Returns the end of a summary line: "; unnamed: 12 in libc.so.6, ...; maps: perf-1.map for
 * 7679".  The string is in arena `a`.
 */
struct str summary_worst(const struct profile *p, struct arena *a);

#endif
