/* symlinks - follows symbolic links inside an archive.  Private to source/. */
#ifndef SOURCE_SYMLINKS_H
#define SOURCE_SYMLINKS_H

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
 * Adds a link.  An absolute target starts at the root of the archive.  No target leads outside of
 * the archive, even with "..".
 */
void symlinks_add(struct symlinks *l, struct str name, struct str target);

/*
 * Returns the path after all links are followed.  Returns an empty string if the links form a
 * cycle, or if there are too many links.
 */
struct str symlinks_follow(const struct symlinks *l, struct str path, struct arena *a);

/* Returns the target path of a link without "." and "..".  Does not follow links in this path. */
struct str symlinks_target(const struct symlink *link, struct arena *a);

#endif
