/*
 * sources - the PDBs and the source files that would complete the lines of managed code.
 */
#ifndef SYMBOL_REPORT_SOURCES_H
#define SYMBOL_REPORT_SOURCES_H

#include "symbol/profile.h"

struct missing_pdb {
	struct str name;  /* of its file */
	struct str guid;  /* 16 bytes */
	struct str image; /* path of the assembly */
};

/* A source file that a server has. */
struct linked_source {
	struct str path;    /* as the compiler wrote it */
	struct str address; /* https://... */
	struct str hash;    /* of its bytes: SHA-1 or SHA-256 */
};

/*
 * Set *out to a list in `a`, and return its length.  Strings live as long as the profile or `a`.
 * profile_opts.lines must be set.  Call them after the last profile_next.
 */
size_t sources_missing_pdbs(const struct profile *p, struct arena *a,
                            const struct missing_pdb **out);
size_t sources_linked(const struct profile *p, struct arena *a,
                      const struct linked_source **out);

#endif
