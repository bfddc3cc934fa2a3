/*
 * files - which files name the native code of a mapping; private to symbol/.
 *
 * Identity first: a build-id that the profile knows must be the file's.  Files are
 * looked for by a build-id in their path, by the name of what was mapped, on the
 * analysing machine where that is allowed, and at last by the build-id of every file.
 */
#ifndef BIND_NATIVE_NATIVE_FILES_H
#define BIND_NATIVE_NATIVE_FILES_H

#include "image/locate.h"
#include "process/process.h"
#include "bind/verified.h"

struct native_files {
	struct item *image, *debug; /* either may be NULL */
	struct item *alt;           /* what dwz moved out of debug or image, or NULL */
	enum verified how;
	const struct item *refused; /* found, and not it; NULL: none */
	const char *why;            /* refused: the reason */
	struct str no_alt;          /* alt that is said and not found; empty: none */
	struct str no_alt_id;       /* its build-id */
};

/* The kernel module that m is of, as the kernel calls it: "nf_nat"; empty: of none. */
struct str native_files_module(struct locator *l, const struct mapping *m, struct arena *run);

/* The same by build-id alone, for the kernel ("[kernel.kallsyms]") and its modules. */
bool native_files_find_kernel(struct locator *l, const struct mapping *m, struct arena *run,
                       struct native_files *out);

/* run holds the names that are tried.  False: no file names m. */
bool native_files_find(struct locator *l, const struct mapping *m, struct arena *run,
                struct native_files *out);

#endif
