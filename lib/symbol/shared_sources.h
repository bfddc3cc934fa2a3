/*
 * shared_sources - sources that several profiles use, one profile after the other.  Each source
 * is opened only once.
 */
#ifndef SYMBOL_SHARED_SOURCES_H
#define SYMBOL_SHARED_SOURCES_H

#include "symbol/profile.h"

struct shared_sources {
	struct arena run; /* memory that lives as long as the sources */
	struct source **source;
	size_t n, cap;
};

/*
 * Returns the source at path, and opens it on first use.  Ignores opts.run.  Returns NULL after
 * a report.
 */
struct source *shared_sources_open(struct shared_sources *sh, const char *path,
                                   const struct source_opts *opts);

/* Opens all sources of -m.  Call it before the first profile.  Returns -1 after a report. */
int shared_sources_fill(const struct profile_opts *opts);

/* Returns the options to open a profile, or its sources.  Does not set run. */
struct source_opts shared_sources_options(const struct profile_opts *opts,
                                          bool is_profile);

/* Closes all sources.  No profile may use them afterwards. */
void shared_sources_close(struct shared_sources *sh);

#endif
