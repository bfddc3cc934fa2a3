/* symlinks - symbolic links of an archive, followed inside it.  Private to source/. */
#ifndef SOURCE_SYMLINKS_H
#define SOURCE_SYMLINKS_H

#include "base/arena.h"
#include "base/table.h"

struct symlink {
	struct str name, target;
};

struct symlinks {
	struct arena *run;
	struct symlink *link;
	size_t n, cap;
	struct table by_name; /* hash and length of a name -> index + 1 */
};

/* A target may go up and begin at the archive's root, but nowhere else. */
void symlinks_add(struct symlinks *l, struct str name, struct str target);

/* Returns the path with all links followed.  Empty for a circle, or too many links. */
struct str symlinks_follow(const struct symlinks *l, struct str path, struct arena *a);

/* Returns the path that a link refers to, without "." and "..".  Links in it are not followed. */
struct str symlinks_target(const struct symlink *link, struct arena *a);

#endif
