/*
 * sources - finds which PDBs and source files of managed code are missing, for --missing.
 */
#ifndef SYMBOL_REPORT_SOURCES_H
#define SYMBOL_REPORT_SOURCES_H

#include "symbol/profile.h"

struct missing_pdb {
	struct str name;  /* file name */
	struct str guid;  /* 16 bytes */
	struct str image; /* path of the assembly to which the PDB belongs */
};

/* A source file that can be downloaded. */
struct linked_source {
	struct str path;    /* as written by the compiler */
	struct str address; /* https://... */
	struct str hash;    /* SHA-1 or SHA-256 of the file */
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
