/*
 * output - writes a fold as folded stacks, in the format of another program, or as tables.
 *
 * Each form is a constant row.  --to selects most of them by name.  --top, --by, --callers and
 * --callees select tables for people, which share a row.
 */
#ifndef WRITER_OUTPUT_H
#define WRITER_OUTPUT_H

#include "base/diag.h"
#include "measure/marks.h"
#include "writer/top.h"

struct output;

struct output_opts {
	/*
	 * the form.  If it is NULL, output_settle sets it to the default, or to the row
	 * of tables
	 */
	const struct output *row;
	/* top: a table of functions.  sized: --top has a number of rows */
	bool top, sized;
	struct top_opts table;
	const char *callers, *callees; /* NULL for no such tree */
	size_t depth;                  /* maximum depth of the trees, or 0 for no limit */
	bool no_header;                /* omit the comment lines of folded stacks */
};

/* A fold to which all samples were added. */
struct output_fold {
	struct fold *fold;
	struct head_sum *head;
	struct marks *marks; /* may be NULL */
	bool parted;         /* write slices separately, each below its own root frame */
	bool aligned;        /* align tables for people */
	struct diag *diag;
	struct arena *scratch;
	/* output: number of rows of a table, including omitted ones */
	size_t rows;
};

struct output {
	const char *name;   /* argument of --to */
	const char *suffix; /* suffix of files in this form */
	bool sites;         /* the fold must keep sites and, for a table, all marks */
	bool places;        /* sites must distinguish threads and contain source lines */
	bool table;         /* a table of functions or other groups */
	/* Returns false, after it has reported the reason, if there is no output. */
	bool (*write)(struct out *o, struct output_fold *f,
	              const struct output_opts *opts);
};

/*
 * Sets one of the options "top", "by", "to", "no-header", "callers", "callees" and "depth".
 * Returns -1 after it has reported an error.
 */
int output_set(struct output_opts *opts, struct diag *diag, const char *option,
               const char *arg);

/* Sets the row after all options were set.  If options conflict, reports this and returns -1. */
int output_settle(struct output_opts *opts, struct diag *diag);

bool output_is_folded(const struct output_opts *opts);
bool output_is_table(const struct output_opts *opts);

#endif
