/*
 * index - stores the listing of a directory in the cache.  Private to source/.
 *
 * An entry lists the files below a directory, with the kind and the build-id of each file
 * that was opened.  The listing is valid as long as every directory has the same times,
 * and every symbolic link leads to the same file.  The kind and build-id of a file are
 * valid as long as the file has the same size and times.  So reading an unchanged
 * directory costs one stat for each directory, link and opened file.
 */
#ifndef SOURCE_INDEX_H
#define SOURCE_INDEX_H

#include "source/source_private.h"

/* The name of the first part of a directory's entry.  real: its path without links. */
struct cache_name index_name(const struct cache *c, struct str real);

/* Loads the listing of s.  Returns true if the cache has a valid entry. */
bool index_load(struct source *s);

/*
 * Adds the kinds and build-ids that are still valid to files that were listed from the
 * directories.
 */
void index_recall(struct source *s);

/*
 * Adds a directory or a link to those that must be unchanged.  sb: the file to which the
 * link leads, or NULL if the link is broken.
 */
void index_watch_directory(struct source *s, struct str name, int dir);
void index_watch_link(struct source *s, struct str name, const struct stat *sb);

/* Notes that m was opened as fd. */
void index_opened(struct source *s, struct member *m, int fd);

/* Writes or orders an entry if something was learned and the entry would be valid. */
void index_store(struct source *s);

/*
 * Reads the members and the watched directories in the front of an entry into s.  Names
 * point into the entry.  Returns false if the entry is damaged.
 */
bool index_read(struct source *s, struct str front);

#endif
