/*
 * output - the form of a fold: folded stacks, a format of another program, or tables.
 *
 * Each is a constant row.  --to names most of them.  --top, --by, --callers and --callees
 * select tables for people, which share one output.
 */
#ifndef WRITER_OUTPUT_H
#define WRITER_OUTPUT_H

#include "base/diag.h"
#include "measure/marks.h"
#include "writer/top.h"

struct output;

struct output_opts {
	const struct output *row; /* of output_to, or of tables (output_settle) */
	bool top, sized;          /* a table, with a number of rows */
	struct top_opts table;
	const char *callers, *callees; /* NULL: no such tree */
	size_t depth;                  /* of the trees, or 0 */
	bool no_header;                /* folded stacks have no comment lines */
};

/* A fold whose samples are all added. */
struct output_fold {
	struct fold *fold;
	struct head_sum *head;
	struct marks *marks; /* or NULL */
	bool parted;         /* slices stand apart, below frames of their own */
	bool aligned;        /* tables are for people */
	struct diag *diag;
	struct arena *scratch;
	size_t rows; /* set: rows of a table, if all were shown */
};

struct output {
	const char *name;   /* as --to has it */
	const char *suffix; /* of files */
	bool sites;         /* the fold keeps sites, with all marks for tables */
	bool places;        /* and they tell threads apart, and have lines */
	bool table;         /* rows of functions or other groups */
	/* False: there is nothing to write, reported. */
	bool (*write)(struct out *o, struct output_fold *f,
	              const struct output_opts *opts);
};

/* The options "top", "by", "to", "no-header", "callers", "callees" and "depth".  -1: reported. */
int output_set(struct output_opts *opts, struct diag *diag, const char *option,
               const char *arg);

/* Chooses the row, after all options.  Returns -1 after a report if they request two. */
int output_settle(struct output_opts *opts, struct diag *diag);

bool output_is_folded(const struct output_opts *opts);
bool output_is_table(const struct output_opts *opts);

#endif
