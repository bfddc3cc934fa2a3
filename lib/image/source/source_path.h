/* source_path - maps the recorded paths of source files to other paths. */
#ifndef IMAGE_SOURCE_SOURCE_PATH_H
#define IMAGE_SOURCE_SOURCE_PATH_H

#include "base/arena.h"

/* Replaces the prefix `from` of a path by `to`.  The prefix must consist of whole components. */
struct source_path {
	struct str from, to;
};

struct source_paths {
	struct source_path *path;
	size_t n, cap;
};

/* Adds "FROM=TO".  Returns false if "=" is missing or FROM is empty. */
bool source_path_add(struct source_paths *s, const char *arg, struct arena *a);

/*
 * Returns the path with the first matching replacement applied, in `a`, or an empty string.  A
 * replacement does not match if ".." in the rest of the path would leave the directory `to`.
 */
struct str source_path_map(const struct source_paths *s, struct str path,
                           struct arena *a);

/* Returns the path in `a`, with slashes instead of backslashes. */
struct str source_path_slashes(struct str path, struct arena *a);

#endif
