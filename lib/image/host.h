/*
 * host - files of the analysing machine.  A profile says their paths and is not to be
 * trusted: only regular files are opened, only ELF files are read, and archives are
 * never unpacked.
 */
#ifndef IMAGE_HOST_H
#define IMAGE_HOST_H

#include "image/locate.h"

/* Allows host_find to open files.  No locate_add after it: items must not move. */
void host_use(struct locator *l, enum host_policy policy, const struct source_opts *o);

/* The ELF file of that absolute path, or this kernel's "[vdso]"; NULL: there is none, or
 * it may not be read. */
struct item *host_find(struct locator *l, struct str path);

/*
 * The kallsyms of the kernel with that build-id: what perf kept in ~/.debug, else that of
 * the running kernel.  NULL: neither is of that kernel.  Where addresses are hidden from
 * this user, the item has no kallsyms.
 */
struct item *host_kallsyms(struct locator *l, struct str id);

#endif
