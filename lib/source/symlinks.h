/*
 * link - symbolic links of an archive, followed inside it; private to source/.
 */
#ifndef SOURCE_LINK_H
#define SOURCE_LINK_H

#include "base/arena.h"
#include "base/table.h"

struct link {
	struct str name, target;
};

struct links {
	struct arena *run;
	struct link *link;
	size_t n, cap;
	struct table by_name; /* hash and length of a name -> index + 1 */
};

/* A target may go up and begin at the archive's root, but nowhere else. */
void links_add(struct links *l, struct str name, struct str target);

/*
 * Where the path leads once all links in it are followed; empty: in a circle, or too
 * far.
 */
struct str links_follow(const struct links *l, struct str path, struct arena *a);

/* The path that a link stands for, without "." and "..": the links in it are not
 * followed. */
struct str link_path(const struct link *link, struct arena *a);

#endif
