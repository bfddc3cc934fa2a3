/*
 * calltree - the callers of some functions, or their callees, as an indented tree.
 *
 * For people, or as lines of fields with tabs between them, whose first line names the columns:
 *
 * 	way     level   weight  share%  function
 *
 * "way" is "callers" or "callees".  Level 0 has the functions themselves, and a function is
 * indented by two blanks for each level, up to 64.  Light nodes are combined after their siblings
 * as "[12 others]".  Siblings are sorted by weight and name.
 */
#ifndef WRITER_CALLTREE_H
#define WRITER_CALLTREE_H

#include "base/out.h"
#include "stack/calls.h"
#include "stack/head.h"

struct calltree_opts {
	struct str name; /* of the functions: all of it, else a part of it */
	enum calls_way way;
	bool aligned; /* for people */
	bool begins;  /* it is the first tree of the output: columns are named */
	size_t depth; /* levels below the functions, or 0 for all */
};

/*
 * Returns false without output if no function has that name.  A fold without stacks gives the
 * line of the columns.
 */
bool calltree_write(struct out *o, const struct fold *f, const struct head *h,
                    const struct calltree_opts *opts, struct arena *scratch);

#endif
