/*
 * index - stores the listing of a directory in the cache.  Private to source/.
 *
 * An entry lists all files in a directory and its subdirectories, with kind and build-id of the
 * files that were opened.  The listing is valid while the times of all directories and the
 * targets of all symbolic links are unchanged.  Kind and build-id are valid while size and times
 * of the file are unchanged.  So an unchanged directory needs only one stat for each directory,
 * link and opened file.
 */
#ifndef SOURCE_INDEX_H
#define SOURCE_INDEX_H

#include "source/source_private.h"

/*
 * Returns the name of the first part of a directory's cache entry.  real: path of the directory
 * without links.
 */
struct cache_name index_name(const struct cache *c, struct str real);

/* Loads the listing of s.  Returns true if the cache has a valid entry. */
bool index_load(struct source *s);

/* Copies stored kinds and build-ids that are still valid to the files of a new listing. */
void index_recall(struct source *s);

/*
 * Adds a directory or link to the list of directories and links that must stay unchanged.  sb:
 * the target of the link, or NULL if the link is broken.
 */
void index_watch_directory(struct source *s, struct str name, int dir);
void index_watch_link(struct source *s, struct str name, const struct stat *sb);

/* Notes that m was opened as fd. */
void index_opened(struct source *s, struct member *m, int fd);

/*
 * Writes an entry, or requests it from the keeper (cache/order.h), if new data was found and the
 * entry would be valid.
 */
void index_store(struct source *s);

/*
 * Reads members and watched directories from the front of an entry into s.  Names point into the
 * entry.  Returns false if the entry is damaged.
 */
bool index_read(struct source *s, struct str front);

#endif
