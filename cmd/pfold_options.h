/* pfold_options - what pfold's options say; private to pfold.c. */
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
	bool selects;   /* select says something */
	unsigned marks; /* MARK_* that were asked for */
	bool no_marks, lines, context;
	struct str *starts; /* --skip-after */
	size_t nstarts, starts_cap;
};

/* Their table, for a struct pfold that is zero. */
extern const struct cmd_tool pfold_options_tool;

/* After all of them: sets what depends on several.  -1: they do not go together, reported. */
int pfold_options_settle(struct pfold *t);

/* Has each slice a file of its own? */
bool pfold_options_slice_files(const struct pfold *t);

#endif
