/*
 * host - files of the analysing machine.  A profile says their paths and is not to be
 * trusted: only regular files are opened, only ELF files are read, and archives are
 * never unpacked.
 */
#ifndef IMAGE_HOST_H
#define IMAGE_HOST_H

#include "image/locate.h"
#include "process/process.h"

/* Allows host_find to open files.  No locate_add after it: items must not move. */
void host_use(struct locator *l, enum host_policy policy, const struct source_opts *o);

/* The ELF file of that absolute path, or this kernel's "[vdso]"; NULL: there is none, or
 * it may not be read. */
struct item *host_find(struct locator *l, struct str path);

/*
 * The file at the path of a mapping, as the process sees it: below its root directory if that is
 * another than ours and the process lives.
 */
struct host_file {
	struct str name;   /* "/proc/4711/root/srv/app", or the path of the mapping */
	struct str opened; /* the path that leads to it */
};

struct host_file host_file_of(const struct locator *l, const struct mapping *m);

/* host_find of the file of a mapping. */
struct item *host_find_mapped(struct locator *l, const struct mapping *m);

/* May there be such a file?  False: host_find_mapped finds none.  It is not opened. */
bool host_has(const struct locator *l, const struct mapping *m);

/*
 * The file of that path as an item, once; NULL: there is no regular file whose first bytes
 * look so.  opened: another path that leads to it; NULL.
 */
struct item *host_add(struct locator *l, struct str path, const char *opened,
                      enum source_look (*look)(struct str name, struct str head));

/* The first bytes of a file below /proc or /sys, which says no size; empty: unreadable. */
struct str host_read_pseudo(const char *path, struct arena *a);

/* How a file of this machine compares with the one that was mapped. */
enum host_likeness {
	HOST_OTHER,  /* it is not used */
	HOST_UNSURE, /* return addresses must show it */
	HOST_SAME,   /* device and inode agree, and it was not changed since */
};

/*
 * Compares host_file_of m, which is not opened, with the file that was mapped, by l's host_origin.
 * *why: the reason if it is not HOST_SAME.  Inodes cannot be compared on overlays and btrfs,
 * where perf records others.
 */
enum host_likeness host_compare(const struct locator *l, const struct mapping *m,
                                const char **why);

/* host_file_of m is a regular file with the device and the inode of the one that was mapped. */
bool host_is_mapped(const struct locator *l, const struct mapping *m);

/* Is host_file_of m a program that may carry .NET images? */
bool host_is_bundle(struct locator *l, const struct mapping *m);

/* An item that stands for a file, which is not opened; NULL: there is no regular file. */
struct item *host_mention(struct locator *l, const struct host_file *f);

/*
 * The kallsyms of the kernel with that build-id: the copy that perf keeps in ~/.debug, else that
 * of the running kernel.  With an empty id that of the running kernel, if the profile was
 * recorded on this machine since it started.  NULL if neither is of that kernel.  If addresses
 * are hidden from this user, the item has no kallsyms.
 */
struct item *host_kallsyms(struct locator *l, struct str id);

/* The build-id of the running kernel; empty if it is unknown. */
struct str host_kernel_id(struct locator *l);

/* Where the running kernel begins and, if whole, ends; 0 if hidden.  It has no symbols. */
void host_kernel_place(struct locator *l, bool whole, struct kallsyms *out);

/* Notes how many of its files there were that this user may not read. */
void host_report(const struct locator *l, struct diag *diag);

#endif
