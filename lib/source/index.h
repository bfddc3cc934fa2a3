/*
 * index - the content of a directory, in the cache.  Private to source/.
 *
 * An entry lists the files below a directory, with the kind and the build-id of the files that
 * were opened.  It is valid as long as every directory has the same times, and every symbolic
 * link leads to the same file.  The data of a file is valid as long as the file has the same size
 * and times.  So a directory that did not change costs one stat for each directory, link and
 * opened file.
 */
#ifndef SOURCE_INDEX_H
#define SOURCE_INDEX_H

#include "source/source_private.h"

/* Returns true if s lists the content of a valid entry. */
bool index_load(struct source *s);

/*
 * Does the same for files that were listed from the directories: adds the data that is still
 * valid.
 */
void index_recall(struct source *s);

/* Notes the directory dir, or the link that leads to the file of sb (NULL if broken). */
void index_watch_directory(struct source *s, struct str name, int dir);
void index_watch_link(struct source *s, struct str name, const struct stat *sb);

/* Notes that m is open as fd. */
void index_opened(struct source *s, struct member *m, int fd);

/* Writes the data that was collected since then, if an entry would be valid. */
void index_store(struct source *s);

/*
 * Reads the members in the front of an entry, and the watched directories, into s.  Names stay in
 * the entry.  Returns false if it is damaged.
 */
bool index_read(struct source *s, struct str front);

#endif
