/* pfold_options - parses the options of pfold.  Private to pfold.c. */
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
	bool selects;   /* at least one option has set `select` */
	unsigned marks; /* set of MARK_* from the options */
	bool no_marks, lines, context;
	struct str *starts; /* names in --skip-after */
	size_t nstarts, starts_cap;
};

/* The description of pfold and its options.  Its context is a zeroed struct pfold. */
extern const struct cmd_tool pfold_options_tool;

/*
 * Sets fields that depend on several options.  If options conflict, reports this and returns -1.
 */
int pfold_options_settle(struct pfold *t);

/* Returns true if each slice is written to a separate file. */
bool pfold_options_slice_files(const struct pfold *t);

#endif
