/*
 * native_files - which ELF files name the code of a mapping.
 *
 * A build-id that the profile has must be the file's.  Files are looked for by the build-id
 * in their path, by the path of the mapping, on the analysing machine where that is allowed,
 * and at last by the build-id of every file.
 */
#ifndef BIND_NATIVE_NATIVE_FILES_H
#define BIND_NATIVE_NATIVE_FILES_H

#include "image/locate.h"
#include "process/process.h"
#include "bind/verified.h"

struct native_files {
	struct item *image, *debug; /* either may be NULL */
	struct item *alt; /* the file that dwz moved parts of their DWARF to, or NULL */
	enum verified how; /* VERIFIED_CODE: if calls show it, which the caller asks */
	const struct item *refused; /* a file of that name that is not used; NULL: none */
	const char *why;            /* refused: the reason */
	const char *unsure;         /* VERIFIED_CODE: why calls must show it */
	struct str no_alt;          /* the path of an alt that was not found; or empty */
	struct str no_alt_id;       /* its build-id */
};

/* The kernel's name of the module that m maps: "nf_nat"; empty: m maps none. */
struct str native_files_module(struct locator *l, const struct mapping *m,
                               struct arena *run);

/* The files of the kernel ("[kernel.kallsyms]") or a module, by build-id alone. */
bool native_files_find_kernel(struct locator *l, const struct mapping *m,
                              struct arena *run, struct native_files *out);

/* The files of m; names that are tried live in run.  False: no file names m. */
bool native_files_find(struct locator *l, const struct mapping *m, struct arena *run,
                       struct native_files *out);

#endif
