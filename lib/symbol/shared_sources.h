/*
 * shelf - sources that are opened once and serve many profiles, one after the other.
 */
#ifndef SYMBOL_SHARED_SOURCES_H
#define SYMBOL_SHARED_SOURCES_H

#include "symbol/profile.h"

struct shelf {
	struct arena run; /* what lives as long as the sources */
	struct source **source;
	size_t n, cap;
};

/* Opens it, or has it already; opts.run is the shelf's.  NULL: reported. */
struct source *shelf_open(struct shelf *sh, const char *path,
                          const struct source_opts *opts);

/* Opens all of -m, before the first profile.  -1: reported. */
int shelf_fill(const struct profile_opts *opts);

/* How a source of these is opened; run is not set. */
struct source_opts shelf_source_opts(const struct profile_opts *opts);

/* Closes all of them; no profile may use them any more. */
void shelf_close(struct shelf *sh);

#endif
