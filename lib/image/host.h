/*
 * host - opens files of the analysing machine.
 *
 * The paths of the files come from a profile and cannot be trusted.  Only regular files are
 * opened, only ELF files are read, and archives are never unpacked.
 */
#ifndef IMAGE_HOST_H
#define IMAGE_HOST_H

#include "image/locate.h"
#include "process/process.h"

/*
 * Allows host_find to open files.  Items must not move afterwards, so do not call locate_add any
 * more.
 */
void host_use(struct locator *l, enum host_policy policy, const struct source_opts *o);

/*
 * Returns the ELF file at an absolute path.  For "[vdso]", returns the vdso of this kernel.
 * Returns NULL if the file does not exist or may not be read.
 */
struct item *host_find(struct locator *l, struct str path);

/*
 * The file of a mapping as its process sees it.  If the process runs in a container, the path is
 * below the root directory of the container.
 */
struct host_file {
	struct str name; /* "/proc/4711/root/srv/app", or the path of the mapping */
	/*
	 * the path to open: either `name`, or a path that begins at a descriptor of the
	 * root directory
	 */
	struct str opened;
};

struct host_file host_file_of(const struct locator *l, const struct mapping *m);

/* Like host_find, for the file of a mapping (host_file_of). */
struct item *host_find_mapped(struct locator *l, const struct mapping *m);

/*
 * Returns false if the file cannot exist, so that host_find_mapped would return NULL.  Opens no
 * file.
 */
bool host_has(const struct locator *l, const struct mapping *m);

/*
 * Returns the item of a file.  Calls with the same path return the same item.  Returns NULL
 * unless the file is regular and `look` accepts its first bytes.  opened: another path to the
 * same file, or NULL.
 */
struct item *host_add(struct locator *l, struct str path, const char *opened,
                      enum source_look (*look)(struct str name, struct str head));

/*
 * Returns the start of a file in /proc or /sys.  Such files report a size of 0.  Returns an empty
 * string if the file cannot be read.
 */
struct str host_read_pseudo(const char *path, struct arena *a);

/* The likeness between a file of this machine and the file that was mapped. */
enum host_likeness {
	HOST_OTHER, /* another file, which is not used */
	/* possibly the mapped file.  The return addresses of samples must be checked */
	HOST_UNSURE,
	/* device and inode are equal, and the file has not changed since the recording */
	HOST_SAME,
};

/*
 * Compares the file that is now at the path of `m` (host_file_of) with the file that was mapped.
 * Does not open the file.  Sets *why to the reason if the result is not HOST_SAME.  Inodes on
 * overlayfs and btrfs cannot be compared, because perf and stat use different numbers there.
 */
enum host_likeness host_compare(const struct locator *l, const struct mapping *m,
                                const char **why);

/* Returns true if the file of `m` is regular and has the recorded device and inode. */
bool host_is_mapped(const struct locator *l, const struct mapping *m);

/* Returns true if the file of `m` is a program that may contain .NET images. */
bool host_is_bundle(struct locator *l, const struct mapping *m);

/*
 * Returns an item for a file, but does not open the file.  Returns NULL if the file is not
 * regular.
 */
struct item *host_mention(struct locator *l, const struct host_file *f);

/*
 * Returns the kallsyms of the kernel with that build-id.  The result may be the copy in ~/.debug
 * or the kallsyms of the running kernel.  If `id` is empty, and the profile was recorded on this
 * machine since the last boot, returns the kallsyms of the running kernel.  Returns NULL if no
 * kallsyms belongs to the kernel.  If the addresses are hidden from this user, it->kallsyms is
 * NULL.
 */
struct item *host_kallsyms(struct locator *l, struct str id);

/* Returns the build-id of the running kernel, or an empty string if it is unknown. */
struct str host_kernel_id(struct locator *l);

/*
 * Sets the start of the running kernel in `out`.  If `whole` is set, also sets the end.  Both are
 * 0 if the addresses are hidden from this user.  Does not read symbols into `out`.
 */
void host_kernel_place(struct locator *l, bool whole, struct kallsyms *out);

/* Reports how many files of this machine this user could not read. */
void host_report(const struct locator *l, struct diag *diag);

#endif
