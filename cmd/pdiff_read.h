/* pdiff_read - from inputs to the weights of their functions; private to pdiff.c. */
#ifndef CMD_PDIFF_READ_H
#define CMD_PDIFF_READ_H

#include "compare/gate.h"
#include "pfold_options.h"

struct pdiff {
	struct pfold fold; /* the options that pfold has too */
	struct contrast_opts opts;
	bool totals, stacks; /* compare totals of functions, or whole stacks */
	struct arena own;    /* of the options, until the end */
	struct gate *gate;
	size_t ngates, gates_cap;
	size_t nold; /* inputs of the command before the first new one */
	int form;    /* CHANGES_*, of --to */
	/* set while inputs are read */
	struct contrast compare;
	struct contrast slices; /* of the recordings, if there is one on each side */
	struct moved_stacks pooled;
	struct head_sum head;
	struct str *module; /* by name of a function */
	size_t modules_cap;
};

/*
 * Replaces the directories among the inputs by the profiles and folds in them.  It reads files, so the
 * filter is confined before.  -1: reported.
 */
int pdiff_list(struct pdiff *t);

/* Reads all inputs.  False: one of the groups has no profile, reported. */
bool pdiff_read(struct pdiff *t);

#endif
