/*
 * output - selects the form in which a fold is written: folded stacks, a format of another
 * program, or tables.
 *
 * Each form is described by a constant struct output.  --to selects most of them by name.  --top,
 * --by, --callers and --callees select tables for people, which share one struct output.
 */
#ifndef WRITER_OUTPUT_H
#define WRITER_OUTPUT_H

#include "measure/marks.h"
#include "writer/top.h"

struct output;

struct output_opts {
	/* the selected form.  If --to did not select a form, output_settle does */
	const struct output *row;
	/* top: write a table of functions.  sized: --top stated the number of rows */
	bool top, sized;
	struct top_opts table;
	const char *callers, *callees; /* function whose tree is written, or NULL */
	size_t depth;                  /* maximum depth of the trees, or 0 for no limit */
	bool no_header;                /* write folded stacks without comment lines */
};

/* A fold to which all samples were added. */
struct output_fold {
	struct fold *fold;
	struct head_sum *head;
	struct marks *marks; /* or NULL */
	/* write each slice separately, with the number of the slice as root frame */
	bool parted;
	bool aligned; /* align tables for people */
	struct diag *diag;
	struct arena *scratch;
	/* result: number of rows of the longest table, including omitted rows */
	size_t rows;
};

struct output {
	const char *name;   /* argument of --to */
	const char *suffix; /* suffix of files in this form */
	enum top_form form; /* form of the table of functions */
	bool sites;         /* the fold must keep sites (stack/site.h) */
	bool places;        /* sites must distinguish threads and have source lines */
	/* the form is a table of functions or other groups, and needs all marks such as "_[k]" */
	bool table;
	/* Returns false, after a report, if there is nothing to write. */
	bool (*write)(struct out *o, struct output_fold *f,
	              const struct output_opts *opts);
};

/*
 * Sets one of the options "top", "by", "to", "no-header", "callers", "callees" and "depth".
 * Returns -1 after it has reported an error.
 */
int output_set(struct output_opts *opts, struct diag *diag, const char *option,
               const char *arg);

/*
 * Sets opts->row after all options were parsed.  Returns -1, after a report, if options conflict.
 */
int output_settle(struct output_opts *opts, struct diag *diag);

bool output_is_folded(const struct output_opts *opts);
bool output_is_table(const struct output_opts *opts);

#endif
