/*
 * folds - collects the stacks of folded inputs.  Each input has its own series, or all inputs
 * share one series.
 *
 * If all lines of an input have two counts ("main;parse 3 7"), the input is a difference.
 * Until a line with one count is found, each stack is kept twice: in `single` with one count,
 * and in `paired` with two counts.
 */
#ifndef WRITER_FLAME_FOLDS_H
#define WRITER_FLAME_FOLDS_H

#include "base/diag.h"
#include "reader/event.h"
#include "writer/flame/path.h"
#include "writer/flame/flame.h"
#include "stack/origin.h"
#include "writer/flame/spans.h"
#include "writer/flame/verdicts.h"
#include "writer/unit.h"

/* A growing set of stacks. */
struct grown {
	struct rows rows;
	struct path path;
};

struct folds {
	struct arena *arena;
	struct interner names;
	/* stacks with one count, and stacks with two counts */
	struct grown single, paired;
	/* number of stacks in this series, and number of stacks with two counts */
	uint64_t lines, pairs;
	bool met_stack; /* a stack was read, even one with weight 0 */
	/* the rows that are drawn: the rows of `single` or of `paired` */
	struct rows *rows;
	struct series *series;
	size_t nseries, series_cap;
	struct unit unit; /* common unit of all series */
	struct unit current;
	bool has_unit, has_current;
	bool timed;               /* stacks have time slots */
	unsigned per_second;      /* slots per second, or 0 */
	struct spans spans;       /* marked times */
	struct verdicts verdicts; /* verdicts of pdiff on names */
	struct origins origins;   /* modules, files and lines of names */
	/*
	 * base frames: each stack is cut so that it begins at a base frame.  Stacks
	 * without a base frame are dropped
	 */
	const struct str *base;
	size_t nbase;
};

void folds_init(struct folds *in, struct arena *arena);
void folds_free(struct folds *in);

/* Adds an event of a reader for folded stacks.  name: name of the input in messages. */
void folds_add(struct folds *in, const struct event *ev, struct str name,
               struct diag *diag);

/* Returns true if all lines so far have two counts. */
bool folds_are_paired(const struct folds *in);

/* Ends an input.  Another input of the same series may follow. */
void folds_end_input(struct folds *in);

/* Ends a series and sets its name. */
void folds_end_series(struct folds *in, struct str name);

/* Ends an input with two counts per line.  The input becomes two series. */
void folds_end_pair(struct folds *in);

#endif
