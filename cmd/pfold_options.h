/* pfold_options - the options of pfold; private to pfold.c. */
#ifndef CMD_PFOLD_OPTIONS_H
#define CMD_PFOLD_OPTIONS_H

#include "cmd.h"
#include "measure/measure.h"
#include "symbol/select.h"
#include "writer/output.h"

struct pfold {
	struct cmd cmd;
	struct fold_opts fold;
	struct measure_opts measure;
	struct slices_opts slices;
	struct output_opts output;
	struct select select;
	bool selects;   /* an option has set `select` */
	unsigned marks; /* MARK_* that options selected */
	bool no_marks, lines, context;
	struct str *starts; /* --skip-after */
	size_t nstarts, starts_cap;
};

/* The description of pfold and its options.  Its context is a zeroed struct pfold. */
extern const struct cmd_tool pfold_options_tool;

/*
 * Sets the fields that depend on several options.  Returns -1 after a report if the options
 * cannot be combined.
 */
int pfold_options_settle(struct pfold *t);

/* Returns true if each slice is written to its own file. */
bool pfold_options_slice_files(const struct pfold *t);

#endif
