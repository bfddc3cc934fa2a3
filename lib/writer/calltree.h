/*
 * calltree - writes the callers or callees of functions as an indented tree.
 *
 * The output is aligned for people, or has fields separated by tabs.  The first line of output
 * with tabs names the columns:
 *
 * 	way     level   weight  share%  function
 *
 * "way" is "callers" or "callees".  Level 0 is one line for the functions with the given name.
 * A line is indented by two blanks for each level, up to level 64.  Siblings are sorted by
 * weight and name.  Siblings with small weights are combined in one last line, "[12 others]".
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
 * Writes the tree of the functions that opts->name selects.  Returns false, without output, if
 * there are no such functions.  If the fold has no stacks, writes only the first line.
 */
bool calltree_write(struct out *o, const struct fold *f, const struct head *h,
                    const struct calltree_opts *opts, struct arena *scratch);

#endif
