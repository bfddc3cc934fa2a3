/*
 * native_files - finds the ELF files that name the code of a mapping.
 *
 * If the profile contains a build-id, the file must have the same build-id.  Files are searched
 * in this order: a file whose path contains the build-id, a file with the path of the mapping, a
 * file of the analysing machine if that is allowed, and any file with the build-id.
 */
#ifndef BIND_NATIVE_NATIVE_FILES_H
#define BIND_NATIVE_NATIVE_FILES_H

#include "image/locate.h"
#include "process/process.h"
#include "bind/verified.h"

struct native_files {
	struct item *image, *debug; /* either may be NULL */
	struct item *alt; /* the file to which dwz moved common debug data, or NULL */
	/* if it is VERIFIED_CODE, the caller must check that return addresses follow calls */
	enum verified how;
	/* a file with the right name that was not used, or NULL */
	const struct item *refused;
	const char *why; /* the reason for refused */
	/* if `how` is VERIFIED_CODE: the reason why return addresses must be checked */
	const char *unsure;
	struct str no_alt;    /* path of the missing dwz file, or empty */
	struct str no_alt_id; /* build-id of the missing dwz file */
};

/*
 * Returns the kernel's name of the module in m, such as "nf_nat", or an empty string if m is not
 * a module.
 */
struct str native_files_module(struct locator *l, const struct mapping *m,
                               struct arena *run);

/*
 * Finds the files of the kernel ("[kernel.kallsyms]") or of a module.  Only the build-id
 * identifies them.
 */
bool native_files_find_kernel(struct locator *l, const struct mapping *m,
                              struct arena *run, struct native_files *out);

/*
 * Finds the files of m.  New strings are allocated in run.  Returns false if there are no files.
 */
bool native_files_find(struct locator *l, const struct mapping *m, struct arena *run,
                       struct native_files *out);

#endif
