/*
 * calltree - writes the callers or callees of functions as an indented tree.
 *
 * The tree is aligned for people, or has fields that are separated by tabs.  In the second form,
 * the first line names the columns:
 *
 * 	way     level   weight  share%  function
 *
 * "way" is "callers" or "callees".  Level 0 contains the functions themselves.  Each level
 * indents a function by two blanks, up to level 64.  Nodes with small weights are combined as
 * "[12 others]" after their siblings.  Siblings are sorted by weight and name.
 */
#ifndef WRITER_CALLTREE_H
#define WRITER_CALLTREE_H

#include "base/out.h"
#include "stack/calls.h"
#include "stack/head.h"

struct calltree_opts {
	/* name of the functions.  If no name is equal, it is searched inside names */
	struct str name;
	enum calls_way way;
	bool aligned; /* aligned for people instead of tab-separated */
	/* true for the first tree, which follows the column titles */
	bool begins;
	size_t depth; /* maximum level, or 0 for all levels */
};

/*
 * Writes a tree.  Returns false, without output, if no function has that name.  If the fold has
 * no stacks, writes only the first line.
 */
bool calltree_write(struct out *o, const struct fold *f, const struct head *h,
                    const struct calltree_opts *opts, struct arena *scratch);

#endif
