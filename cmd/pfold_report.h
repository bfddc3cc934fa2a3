/*
 * pfold_report - what a run of pfold says on standard error: how much it folded and left out,
 * or why there is nothing to write.
 */
#ifndef CMD_PFOLD_REPORT_H
#define CMD_PFOLD_REPORT_H

#include "pfold_options.h"
#include "measure/events.h"
#include "stack/head.h"
#include "measure/wall.h"

/* The run that makes one output, of all inputs or of one. */
struct pfold_run {
	struct pfold *tool;
	struct arena arena, scratch;
	struct fold fold;
	struct offcpu off;
	struct wall wall;
	struct slices slices;
	struct field_weight weight;
	struct latency latency;
	struct clr clr;
	struct marks marks; /* beside slices of seconds */
	struct events events;
	struct select_hits hits;
	/* samples: folded; dropped: by rules; untimed: of no slice; bare: events of a
	 * runtime that have no stacks */
	uint64_t samples, dropped, weightless, untimed, ignored, lost, lost_samples,
	        bare;
	uint64_t frames, unknown, broken, guessed;
	struct str worst; /* modules with unnamed frames, and maps bound */
	struct head_sum head;
	size_t inputs;
	size_t rows;  /* of a table, if all were shown */
	bool events_alone; /* an input holds nothing but events of a runtime */
	bool counted; /* events of a nettrace were folded */
	bool met_sample; /* an input has a sample, folded or not */
	bool failed;  /* an input could not be opened */
	bool refused; /* weights of different units, reported */
};

/* The sums of a run whose fold, of that many stacks, was written. */
void pfold_report_done(struct pfold_run *r, size_t stacks);

/* The reason why nothing was folded; input: NULL for standard input. */
void pfold_report_nothing(struct pfold_run *r, const char *input);

#endif
