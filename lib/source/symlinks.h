/*
 * symlinks - symbolic links of an archive, followed inside it; private to source/.
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

/* A target may go up and begin at the archive's root, but nowhere else. */
void symlinks_add(struct symlinks *l, struct str name, struct str target);

/*
 * Where the path leads once all links in it are followed; empty: in a circle, or too
 * far.
 */
struct str symlinks_follow(const struct symlinks *l, struct str path, struct arena *a);

/*
 * The path that a link stands for, without "." and "..": the links in it are not
 * followed.
 */
struct str symlinks_target(const struct symlink *link, struct arena *a);

#endif
