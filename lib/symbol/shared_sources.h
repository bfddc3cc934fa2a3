/* shared_sources - sources that are opened once for many profiles, read one after the other. */
#ifndef SYMBOL_SHARED_SOURCES_H
#define SYMBOL_SHARED_SOURCES_H

#include "symbol/profile.h"

struct shared_sources {
	struct arena run; /* memory that lives as long as the sources */
	struct source **source;
	size_t n, cap;
};

/* Opens it, or returns it if it is open.  opts.run is ignored.  Returns NULL after a report. */
struct source *shared_sources_open(struct shared_sources *sh, const char *path,
                                   const struct source_opts *opts);

/* Opens all of -m, before the first profile.  Returns -1 after a report. */
int shared_sources_fill(const struct profile_opts *opts);

/* Returns the options for the sources of a profile.  run is not set. */
struct source_opts shared_sources_options(const struct profile_opts *opts);

/* Closes all of them.  Profiles must not use them after that. */
void shared_sources_close(struct shared_sources *sh);

#endif
