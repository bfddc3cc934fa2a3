/*
 * host - files of the analysing machine.
 *
 * Their paths come from a profile and cannot be trusted.  Only regular files are opened,
 * only ELF files are read, and archives are never unpacked.
 */
#ifndef IMAGE_HOST_H
#define IMAGE_HOST_H

#include "image/locate.h"
#include "process/process.h"

/*
 * Allows host_find to open files.  Do not use locate_add afterwards, because items must
 * not move.
 */
void host_use(struct locator *l, enum host_policy policy, const struct source_opts *o);

/*
 * Returns the ELF file at that absolute path, or this kernel's vdso for "[vdso]".
 * Returns NULL if the file does not exist or may not be read.
 */
struct item *host_find(struct locator *l, struct str path);

/*
 * The file at the path of a mapping, as the process sees it: below the root directory of
 * the process if it runs in a container, else at the path itself.
 */
struct host_file {
	struct str name; /* "/proc/4711/root/srv/app", or the path of the mapping */
	/*
	 * the path to open: through a descriptor of the root directory, or the same as
	 * `name`
	 */
	struct str opened;
};

struct host_file host_file_of(const struct locator *l, const struct mapping *m);

/* Calls host_find for the file of a mapping, below the root directory of its process. */
struct item *host_find_mapped(struct locator *l, const struct mapping *m);

/*
 * Returns false if the file cannot exist, so that host_find_mapped would return NULL.
 * Opens nothing.
 */
bool host_has(const struct locator *l, const struct mapping *m);

/*
 * Returns the item of the file with that path, always the same item.  Returns NULL unless
 * it is a regular file and `look` accepts its first bytes.  opened: another path to the
 * file, or NULL.
 */
struct item *host_add(struct locator *l, struct str path, const char *opened,
                      enum source_look (*look)(struct str name, struct str head));

/*
 * Returns the first bytes of a file in /proc or /sys, which have no size.  Returns an
 * empty string if the file cannot be read.
 */
struct str host_read_pseudo(const char *path, struct arena *a);

/* How a file of this machine compares with the one that was mapped. */
enum host_likeness {
	HOST_OTHER,  /* it is not used */
	HOST_UNSURE, /* may be the mapped file: return addresses decide */
	HOST_SAME,   /* device and inode agree, and the file was not changed since */
};

/*
 * Compares the file of `m` (host_file_of) with the file that was mapped, without opening
 * it.  Sets *why to the reason if the result is not HOST_SAME.  On overlays and btrfs the
 * inodes cannot be compared, because perf records other numbers.
 */
enum host_likeness host_compare(const struct locator *l, const struct mapping *m,
                                const char **why);

/*
 * Returns true if the file of `m` is a regular file with the recorded device and inode.
 */
bool host_is_mapped(const struct locator *l, const struct mapping *m);

/* Returns true if the file of `m` is a program that may carry .NET images. */
bool host_is_bundle(struct locator *l, const struct mapping *m);

/*
 * Returns an item for a file without opening it.  Returns NULL if it is not a regular
 * file.
 */
struct item *host_mention(struct locator *l, const struct host_file *f);

/*
 * Returns the kallsyms of the kernel with that build-id: the copy in ~/.debug, or the
 * running kernel's.  If `id` is empty, returns the running kernel's if the profile was
 * recorded on this machine since it started.  Returns NULL if both belong to another
 * kernel.  If the addresses are hidden from this user, the item has no kallsyms.
 */
struct item *host_kallsyms(struct locator *l, struct str id);

/* Returns the build-id of the running kernel, or an empty string if it is unknown. */
struct str host_kernel_id(struct locator *l);

/*
 * Sets the start of the running kernel in `out`, and its end if `whole` is set.  Both are
 * 0 if they are hidden from this user.  No symbols are read into `out`.
 */
void host_kernel_place(struct locator *l, bool whole, struct kallsyms *out);

/* Reports how many files of this machine could not be read by this user. */
void host_report(const struct locator *l, struct diag *diag);

#endif
