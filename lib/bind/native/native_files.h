/*
 * native_files - finds the ELF files that name the code of a mapping.
 *
 * If the profile has a build-id, the file must have it.  Files are looked up by the build-id in
 * their path, by the path of the mapping, on the analysing machine if that is allowed, and last
 * by the build-id of every file.
 */
#ifndef BIND_NATIVE_NATIVE_FILES_H
#define BIND_NATIVE_NATIVE_FILES_H

#include "image/locate.h"
#include "process/process.h"
#include "bind/verified.h"

struct native_files {
	struct item *image, *debug; /* either may be NULL */
	struct item *alt;  /* the file that dwz moved parts of their DWARF to, or NULL */
	enum verified how; /* VERIFIED_CODE: if calls show it, which the caller asks */
	const struct item *refused; /* an unused file with that name, or NULL */
	const char *why;            /* refused: the reason */
	const char *unsure;         /* VERIFIED_CODE: why calls must show it */
	struct str no_alt;          /* the path of a missing alt, or empty */
	struct str no_alt_id;       /* its build-id */
};

/* Returns the kernel's name of the module in m: "nf_nat".  Empty if m is not a module. */
struct str native_files_module(struct locator *l, const struct mapping *m,
                               struct arena *run);

/* The files of the kernel ("[kernel.kallsyms]") or a module, by build-id alone. */
bool native_files_find_kernel(struct locator *l, const struct mapping *m,
                              struct arena *run, struct native_files *out);

/*
 * Finds the files of m.  Names that are tried live in run.  Returns false if there are no files.
 */
bool native_files_find(struct locator *l, const struct mapping *m, struct arena *run,
                       struct native_files *out);

#endif
