/*
 * calltree - writes the callers or callees of functions as an indented tree.
 *
 * The output is aligned for people, or consists of lines with fields separated by tabs.  In the
 * second form, the first line names the columns:
 *
 * 	way     level   weight  share%  function
 *
 * "way" is "callers" or "callees".  The functions themselves have level 0.  A function is
 * indented by two blanks for each level, up to 64.  Light nodes are combined after their siblings
 * as "[12 others]".  Siblings are sorted by weight and name.
 */
#ifndef WRITER_CALLTREE_H
#define WRITER_CALLTREE_H

#include "stack/calls.h"
#include "stack/head.h"

struct calltree_opts {
	/*
	 * name of the functions.  If no function has this name, all functions whose names
	 * contain it are used
	 */
	struct str name;
	enum calls_way way;
	bool aligned; /* aligned for people, instead of separated by tabs */
	/* true for the first tree in the output.  The column titles precede this tree */
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
