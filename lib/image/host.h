/*
 * host - files of the analysing machine.  A profile says their paths and is not to be
 * trusted: only regular files are opened, only ELF files are read, and archives are
 * never unpacked.
 */
#ifndef IMAGE_HOST_H
#define IMAGE_HOST_H

#include "image/locate.h"
#include "process/process.h"
#include "reader/capture.h"

/* Allows host_find to open files.  No locate_add after it: items must not move. */
void host_use(struct locator *l, enum host_policy policy, const struct source_opts *o);

/* The ELF file of that absolute path, or this kernel's "[vdso]"; NULL: there is none, or
 * it may not be read. */
struct item *host_find(struct locator *l, struct str path);

/* May there be such a file?  False: host_find finds none.  It is not opened. */
bool host_has(const struct locator *l, struct str path);

/*
 * The file of that path as an item, once; NULL: there is no regular file whose first bytes
 * look so.  opened: another path that leads to it; NULL.
 */
struct item *host_add(struct locator *l, struct str path, const char *opened,
                      enum source_look (*look)(struct str name, struct str head));

/* The first bytes of a file below /proc or /sys, which says no size; empty: unreadable. */
struct str host_read_pseudo(const char *path, struct arena *a);

/*
 * Learns from what a perf.data says of its recording, and from its own file, whether it was
 * recorded on this machine: host name and kernel are this machine's, and the time of its last
 * sample, counted from boot, is within seconds the time when the file was written.
 */
void host_recorded(struct locator *l, const struct capture *c, const struct source *profile);

/*
 * The regular file of that path is the one that m was mapped from, by device and inode, and
 * was not changed since before the recording: NULL.  Else why not; it was not opened.
 */
const char *host_differs(const struct locator *l, struct str path, const struct mapping *m);

/*
 * It was not changed since before the recording, but its inode cannot be compared: overlays
 * and btrfs have others than perf records, or none was recorded.  Calls must show it then.
 */
bool host_lacks_inode(const struct locator *l, struct str path, const struct mapping *m);

/* The same of a file that grows while it is mapped: device and inode alone are compared. */
bool host_is_mapped(const struct locator *l, struct str path, const struct mapping *m);

/* An item that stands for the file of that path, which is not opened; NULL: there is none. */
struct item *host_mention(struct locator *l, struct str path);

/*
 * The kallsyms of the kernel with that build-id: what perf kept in ~/.debug, else that of
 * the running kernel.  NULL: neither is of that kernel.  Where addresses are hidden from
 * this user, the item has no kallsyms.
 */
struct item *host_kallsyms(struct locator *l, struct str id);

/* Notes how many of its files there were that this user may not read. */
void host_report(const struct locator *l, struct diag *diag);

#endif
