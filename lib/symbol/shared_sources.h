/* shared_sources - keeps the files of -m open for several profiles, which use the files in turn. */
#ifndef SYMBOL_SHARED_SOURCES_H
#define SYMBOL_SHARED_SOURCES_H

#include "symbol/profile.h"

struct shared_sources {
	struct arena run; /* memory that lives as long as the open files */
	struct source **source;
	size_t n, cap;
};

/*
 * Returns the source at path.  The first call opens it.  Ignores opts.run.  Returns NULL after it
 * has reported an error.
 */
struct source *shared_sources_open(struct shared_sources *sh, const char *path,
                                   const struct source_opts *opts);

/*
 * Opens all files of -m.  Call it before the first profile is opened.  Returns -1 after it has
 * reported an error.
 */
int shared_sources_fill(const struct profile_opts *opts);

/*
 * Returns the options for opening a profile, or a file of -m or -p.  Does not set the member `run`.
 */
struct source_opts shared_sources_options(const struct profile_opts *opts,
                                          bool is_profile);

/* Closes all files of -m.  Profiles must not use them afterwards. */
void shared_sources_close(struct shared_sources *sh);

#endif
