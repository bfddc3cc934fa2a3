/*
 * host - files of the analysing machine.  Their paths come from a profile and cannot be trusted:
 * only regular files are opened, only ELF files are read, and archives are never unpacked.
 */
#ifndef IMAGE_HOST_H
#define IMAGE_HOST_H

#include "image/locate.h"
#include "process/process.h"

/* Allows host_find to open files.  No locate_add after it: items must not move. */
void host_use(struct locator *l, enum host_policy policy, const struct source_opts *o);

/*
 * Returns the ELF file with that absolute path, or this kernel's "[vdso]".  Returns NULL if the
 * file does not exist or may not be read.
 */
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

/*
 * Returns true if the file may exist, without opening it.  If it returns false, host_find_mapped
 * returns NULL.
 */
bool host_has(const struct locator *l, const struct mapping *m);

/*
 * Returns the file with that path as an item, always the same one.  Returns NULL unless it is a
 * regular file and look accepts its first bytes.  opened: another path to the file, or NULL.
 */
struct item *host_add(struct locator *l, struct str path, const char *opened,
                      enum source_look (*look)(struct str name, struct str head));

/*
 * Returns the first bytes of a file in /proc or /sys, which has no size.  Empty if it cannot be
 * read.
 */
struct str host_read_pseudo(const char *path, struct arena *a);

/* How a file of this machine compares with the one that was mapped. */
enum host_likeness {
	HOST_OTHER,  /* it is not used */
	HOST_UNSURE, /* return addresses must show it */
	HOST_SAME,   /* device and inode agree, and it was not changed since */
};

/*
 * Compares host_file_of m with the mapped file by l's host_origin, without opening it.  Sets *why
 * to the reason if the result is not HOST_SAME.  On overlays and btrfs inodes cannot be compared,
 * because perf records others.
 */
enum host_likeness host_compare(const struct locator *l, const struct mapping *m,
                                const char **why);

/* host_file_of m is a regular file with the device and the inode of the one that was mapped. */
bool host_is_mapped(const struct locator *l, const struct mapping *m);

/* Is host_file_of m a program that may carry .NET images? */
bool host_is_bundle(struct locator *l, const struct mapping *m);

/*
 * Returns an item that represents a file without opening it, or NULL if it is not a regular file.
 */
struct item *host_mention(struct locator *l, const struct host_file *f);

/*
 * Returns the kallsyms of the kernel with that build-id: the copy in ~/.debug, or the running
 * kernel's.  With an empty id, returns the running kernel's if the profile was recorded on this
 * machine since it started.  Returns NULL if both belong to another kernel.  If addresses are
 * hidden from this user, the item has no kallsyms.
 */
struct item *host_kallsyms(struct locator *l, struct str id);

/* Returns the build-id of the running kernel.  Empty if it is unknown. */
struct str host_kernel_id(struct locator *l);

/*
 * Sets the start of the running kernel and, if whole is set, its end.  0 if they are hidden.  out
 * has no symbols.
 */
void host_kernel_place(struct locator *l, bool whole, struct kallsyms *out);

/* Notes how many of its files there were that this user may not read. */
void host_report(const struct locator *l, struct diag *diag);

#endif
