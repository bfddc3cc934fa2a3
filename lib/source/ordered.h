/*
 * ordered - computes the names of cache entries that a confined program orders (cache/order.h).
 *
 * The keeper (base/keeper.h) computes a name only from the files that the entry describes.
 */
#ifndef SOURCE_ORDERED_H
#define SOURCE_ORDERED_H

#include "cache/cache.h"

/*
 * Sets the name of the entry for an archive ('u') or a directory ('i').  Returns false if the
 * source cannot be identified.
 */
bool ordered_source(const struct cache *c, char kind, const char *path, bool is_profile,
                    struct cache_name *out);

/*
 * Sets *out to the name of the entry for these files.  fd: their descriptors, or -1.  Returns
 * false if a file is not regular, or has changed recently.
 */
bool ordered_files(const struct cache *c, char kind, const int *fd, size_t files,
                   struct cache_name *out);

/* Returns the checksum by which ordered_files and source_identity identify a file. */
struct file_stamp;
struct cache_sum ordered_stamp(const struct cache *c, const struct file_stamp *stamp);

/* Returns the checksum of several files, computed from their checksums. */
struct cache_sum ordered_all(const struct cache *c, const struct cache_sum *each,
                             size_t n);

#endif
