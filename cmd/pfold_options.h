/*
 * pfold_options - what pfold's options say; private to pfold.c.
 */
#ifndef CMD_PFOLD_OPTIONS_H
#define CMD_PFOLD_OPTIONS_H

#include "cmd.h"
#include "measure/field_weight.h"
#include "measure/clr.h"
#include "stack/fold.h"
#include "measure/latency.h"
#include "measure/offcpu.h"
#include "measure/marks.h"
#include "stack/slices.h"
#include "symbol/select.h"
#include "writer/top.h"

/* The output: folded stacks, another format, or tables. */
struct output {
	enum format { TO_FOLDED, TO_PPROF, TO_SPEEDSCOPE } to;
	bool top;   /* a table */
	bool sized; /* with a number of rows */
	struct top_opts table;
	const char *callers, *callees; /* NULL: no such tree */
};

struct pfold {
	struct cmd cmd;
	struct label_opts labels;
	enum fold_root root;
	enum label_ids ids;
	struct select select;
	bool selects; /* select says something */
	enum fold_recursion recursion;
	struct rules *rules; /* NULL: none */
	struct rules *roots; /* of share/rules/roots; NULL: not wanted */
	unsigned marks;      /* MARK_* that were asked for */
	bool no_marks, count_samples, lines, context, mix;
	const char *event;  /* NULL: the first */
	const struct clr_view *view; /* of the runtime's events, so called; NULL: none */
	struct event_names events;   /* of a nettrace, that are wanted */
	struct str event_list[CLR_EVENTS + MARKS_EVENTS];
	size_t asked; /* of them: those behind are for marks alone */
	struct str *starts; /* --skip-after */
	size_t nstarts, starts_cap;
	struct output output;
	struct offcpu_opts off; /* classes 0: samples are folded */
	struct slices_opts slices;
	bool wall; /* samples on the CPU beside off */
	struct field_weight weight;
	struct latency_opts latency;
};

/* Their table, for a struct pfold that is zero. */
extern const struct cmd_tool pfold_options_tool;

/* After all of them: sets what depends on several.  -1: they do not go together, reported. */
int pfold_options_settle(struct pfold *t);

/* The suffix of a file that is written in t's format, or of tables. */
const char *pfold_options_suffix(const struct pfold *t);

/* Are tables or trees of calls written instead of stacks? */
bool pfold_options_tables(const struct pfold *t);

/* Is time between events folded, not samples? */
bool pfold_options_folds_time(const struct pfold *t);

/* Has each slice a file of its own? */
bool pfold_options_slice_files(const struct pfold *t);

#endif
