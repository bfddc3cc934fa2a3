/*
 * index - what a directory holds, in the cache; private to source/.
 *
 * An entry lists the files below a directory, and what was learned of those that were
 * opened: what they are, and their build-ids.  It holds as long as every directory has
 * the times that it had, and every symbolic link leads to the same file; what was learned
 * of a file, as long as that has its size and times.  So a directory that did not change
 * costs a stat of each directory, each link and each file that was opened.
 */
#ifndef SOURCE_INDEX_H
#define SOURCE_INDEX_H

#include "source/source_private.h"

/* True: s lists what the cache says is there, which is so. */
bool index_load(struct source *s);

/*
 * The same of what was found by reading the directories: what was learned of its files
 * before and still holds.
 */
void index_recall(struct source *s);

/*
 * Notes that the directory dir, or the link that leads to what sb is (NULL: nowhere), was
 * met.
 */
void index_watch_directory(struct source *s, struct str name, int dir);
void index_watch_link(struct source *s, struct str name, const struct stat *sb);

/* Notes that m is open as fd. */
void index_opened(struct source *s, struct member *m, int fd);

/* Writes what was learned of the directory since, if an entry of it would hold. */
void index_store(struct source *s);

/*
 * The members that the front of an entry lists, and what is watched, into s; names stay
 * where they are in it.  False: it is damaged.
 */
bool index_read(struct source *s, struct str front);

#endif
