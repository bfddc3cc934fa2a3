/*
 * pdiff_read - reads the weights of functions from the inputs of pdiff, and divides a single profile
 * into slices of time.  Private to pdiff.c.
 */
#ifndef CMD_PDIFF_READ_H
#define CMD_PDIFF_READ_H

#include "compare/gate.h"
#include "pfold_options.h"

struct pdiff {
	struct pfold fold; /* options that pdiff shares with pfold */
	struct contrast_opts opts;
	bool totals, stacks; /* compare totals of functions, or compare whole stacks */
	struct arena own;    /* memory for the options, until the program ends */
	struct gate *gate;
	size_t ngates, gates_cap;
	size_t nold; /* number of old inputs, which precede the new ones */
	int form;    /* CHANGES_*, from --to */
	/* the comparison, to which each input adds its weights */
	struct contrast compare;
	/* the comparison of slices, if there is only one recording on each side */
	struct contrast slices;
	struct moved_stacks pooled;
	struct head_sum head;
	struct str *module; /* modules of functions, indexed by function name */
	size_t modules_cap;
};

/*
 * Replaces directories in the inputs by the profiles and folds in them.  Returns -1 after it has
 * reported an error.  Call it after confinement, because it reads files.
 */
int pdiff_list(struct pdiff *t);

/* Reads all inputs.  If a group has no profile, reports this and returns false. */
bool pdiff_read(struct pdiff *t);

#endif
