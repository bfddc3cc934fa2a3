/*
 * pdiff_read - reads the weights of functions from the inputs of pdiff.  Private to pdiff.c.
 */
#ifndef CMD_PDIFF_READ_H
#define CMD_PDIFF_READ_H

#include "compare/gate.h"
#include "pfold_options.h"

struct pdiff {
	struct pfold fold; /* the options that pdiff shares with pfold */
	struct contrast_opts opts;
	bool totals, stacks; /* compare totals of functions, or whole stacks */
	struct arena own;    /* memory for the options, which live until the end */
	struct gate *gate;
	size_t ngates, gates_cap;
	size_t nold; /* number of inputs before the first new input */
	int form;    /* CHANGES_*, of --to */
	/* the comparison, to which each input adds its weights */
	struct contrast compare;
	struct contrast slices; /* comparison of slices, if each side has one recording */
	struct moved_stacks pooled;
	struct head_sum head;
	struct str *module; /* indexed by name of a function: its module */
	size_t modules_cap;
};

/*
 * Replaces each directory in the inputs by the profiles and folds below it.  Returns -1 after a
 * report.  Call it in the confined filter, because it reads files.
 */
int pdiff_list(struct pdiff *t);

/* Reads all inputs.  Returns false after a report if a group has no profile. */
bool pdiff_read(struct pdiff *t);

#endif
