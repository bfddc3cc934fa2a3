/* source_path - maps the paths of source files, which compilers recorded, to other places. */
#ifndef IMAGE_SOURCE_SOURCE_PATH_H
#define IMAGE_SOURCE_SOURCE_PATH_H

#include "base/arena.h"

/* Replaces the beginning `from` of a path, which consists of whole parts, by `to`. */
struct source_path {
	struct str from, to;
};

struct source_paths {
	struct source_path *path;
	size_t n, cap;
};

/* Adds "FROM=TO".  Returns false if arg is something else. */
bool source_path_add(struct source_paths *s, const char *arg, struct arena *a);

/*
 * Returns the new path in `a`, from the first entry that fits, or an empty string.  No entry fits
 * if the rest of the path leaves the directory `to` by "..".
 */
struct str source_path_map(const struct source_paths *s, struct str path,
                           struct arena *a);

/* Returns the path in `a`, with slashes instead of backslashes. */
struct str source_path_slashes(struct str path, struct arena *a);

#endif
