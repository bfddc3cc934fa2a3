/*
 * symlinks - follows the symbolic links of an archive, inside the archive.  Private to
 * source/.
 */
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

/*
 * Adds a link.  A target may go up, and an absolute target begins at the root of the
 * archive.  No target leads out of it.
 */
void symlinks_add(struct symlinks *l, struct str name, struct str target);

/*
 * Returns the path with all links followed, or an empty string if they form a circle or
 * are too many.
 */
struct str symlinks_follow(const struct symlinks *l, struct str path, struct arena *a);

/*
 * Returns the path to which a link refers, without "." and "..".  Links in this path are
 * not followed.
 */
struct str symlinks_target(const struct symlink *link, struct arena *a);

#endif
