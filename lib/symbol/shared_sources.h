/*
 * shared_sources - sources that are opened once for many profiles, read one after the other.
 */
#ifndef SYMBOL_SHARED_SOURCES_H
#define SYMBOL_SHARED_SOURCES_H

#include "symbol/profile.h"

struct shared_sources {
	struct arena run; /* what lives as long as the sources */
	struct source **source;
	size_t n, cap;
};

/* Opens it, or has it already; opts.run is not used.  NULL: reported. */
struct source *shared_sources_open(struct shared_sources *sh, const char *path,
                                   const struct source_opts *opts);

/* Opens all of -m, before the first profile.  -1: reported. */
int shared_sources_fill(const struct profile_opts *opts);

/* How the sources of a profile are opened; run is not set. */
struct source_opts shared_sources_options(const struct profile_opts *opts);

/* Closes all of them; no profile may use them any more. */
void shared_sources_close(struct shared_sources *sh);

#endif
