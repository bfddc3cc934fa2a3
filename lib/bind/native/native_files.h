/*
 * native_files - finds the ELF files that name the code of a mapping.
 *
 * If the profile has a build-id, the file must have it.  Files are searched in this order: a file
 * whose path contains the build-id, a file with the path of the mapping, a file of the analysing
 * machine if that is allowed, and any file with the build-id.
 */
#ifndef BIND_NATIVE_NATIVE_FILES_H
#define BIND_NATIVE_NATIVE_FILES_H

#include "image/locate.h"
#include "process/process.h"
#include "bind/verified.h"

struct native_files {
	struct item *image, *debug; /* either may be NULL */
	struct item *alt; /* the file to which dwz moved common debug data, or NULL */
	/* if it is VERIFIED_CODE, the caller must check that calls agree */
	enum verified how;
	const struct item *refused; /* a file with that name that is not used, or NULL */
	const char *why;            /* the reason for refused */
	const char *unsure;   /* why calls must be checked, if `how` is VERIFIED_CODE */
	struct str no_alt;    /* path of the dwz file if it is missing, else empty */
	struct str no_alt_id; /* build-id of the missing dwz file */
};

/* Returns the kernel's name of the module in m: "nf_nat".  Empty if m is not a module. */
struct str native_files_module(struct locator *l, const struct mapping *m,
                               struct arena *run);

/* Finds the files of the kernel ("[kernel.kallsyms]") or of a module, by build-id alone. */
bool native_files_find_kernel(struct locator *l, const struct mapping *m,
                              struct arena *run, struct native_files *out);

/*
 * Finds the files of m.  Strings that are built live in run.  Returns false if there are no
 * files.
 */
bool native_files_find(struct locator *l, const struct mapping *m, struct arena *run,
                       struct native_files *out);

#endif
